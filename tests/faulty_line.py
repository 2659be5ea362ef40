"""Proxy in front of a real server that injects faults: cuts, lost answers, delays, small segments."""

import contextlib
import select
import socket
import time

from tests.fake_imap import HERE, PATIENCE, Listener


class FaultyLine(Listener):
    """Proxy on `port`. The first `faults` connections fail.

    `connections`: number of connections; `received`: data of clients. `cut_stores`: share of STORE commands whose
    answer is lost together with the connection.
    """

    def __init__(self, server_port, chance, faults):
        self.received = []
        self.faults = faults
        self.cut_stores = 0.0
        self._server_port = server_port
        self._chance = chance
        self._open = set()
        super().__init__()

    def drop(self):
        for each in list(self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _welcome(self, connection):
        self._open.add(connection)
        return connection, self._next_fault()

    def is_to_cut(self):
        return self._chance.random() < self.cut_stores

    def _next_fault(self):
        """Return the fault of a connection, and the bytes from the server or lines from the client before it."""
        if self.faults <= 0:
            return None, 0
        self.faults -= 1
        kind = self._chance.choice(["cut", "cut", "lose answer", "lose answer", "crumble", "stall", "half line"])
        if kind == "lose answer":
            return kind, self._chance.randrange(1, 25)
        return kind, int(10 ** self._chance.uniform(1.7, 5.3))

    def _serve(self, client, fault):
        with contextlib.suppress(OSError), client, socket.create_connection((HERE, self._server_port)) as server:
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Passage(client, server, *fault, self).run()
        self._open.discard(client)


class Passage:
    def __init__(self, client, server, kind, after, line):
        self._client = client
        self._server = server
        self._kind = kind
        self._after = after
        self._line = line

    def run(self):
        """Forward data until one side closes the connection or the fault ends it."""
        while True:
            for ready in select.select([self._client, self._server], [], [], 30)[0]:
                data = ready.recv(65536)
                if not data:
                    return
                if not (self._from_client(data) if ready is self._client else self._from_server(data)):
                    return

    def _from_client(self, data):
        self._line.received.append(data)
        self._server.sendall(data)
        if b" STORE " in data and self._line.is_to_cut():
            self._wait_for_answer(data.split(b" ", 1)[0])
            return False
        if self._kind == "lose answer":
            self._after -= data.count(b"\n")
            if self._after <= 0:
                # The server runs the command, and its answer is lost.
                with contextlib.suppress(OSError):
                    self._server.settimeout(0.05)
                    self._server.recv(65536)
                return False
        return True

    def _wait_for_answer(self, tag):
        """Wait until the server has carried out the command."""
        answer, more = b"", b"\r\n"
        self._server.settimeout(PATIENCE)
        while more and b"\r\n" + tag + b" " not in (answer := answer + more):
            more = self._server.recv(65536)

    def _from_server(self, data):
        self._after -= len(data) if self._kind != "lose answer" else 0
        if self._kind in (None, "lose answer") or self._after > 0:
            self._client.sendall(data)
            return True
        if self._kind == "cut":
            self._client.sendall(data[: self._after])
            return False
        if self._kind == "half line":
            self._client.sendall(data[: data.rfind(b" ") + 1])
            return False
        if self._kind == "stall":
            time.sleep(0.05)
        step = 1 + len(data) // 40 if self._kind == "crumble" else len(data)
        for start in range(0, len(data), step):
            self._client.sendall(data[start : start + step])
        return True
