"""A port on this machine, and a thread for each who comes."""

import contextlib
import socket
import threading

HERE = "127.0.0.1"
PATIENCE = 20.0


class Listener:
    """Takes connections until it is closed; `port` is its own."""

    def __init__(self, at=HERE, port=0):
        self.connections = 0
        self._listener = socket.create_server((at, port))
        self.port = self._listener.getsockname()[1]
        self._name = type(self).__name__
        self._threads = [threading.Thread(target=self._accept, name=self._name, daemon=True)]
        self._threads[0].start()

    def close(self):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._threads[0].join(PATIENCE)
        self.drop()
        for thread in self._threads:
            thread.join(PATIENCE)

    def drop(self):
        """Hang up on all who are there."""
        raise NotImplementedError

    def _welcome(self, connection):
        """What `_serve` is to have of a new connection; called for one after the other."""
        raise NotImplementedError

    def _serve(self, *welcomed):
        raise NotImplementedError

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=self._welcome(connection), name=self._name, daemon=True)
            self._threads.append(thread)
            thread.start()
