"""Proxy in front of a server that injects cuts, lost answers, delays, small segments."""

import contextlib
import select
import socket
import time

from tests.fake_imap import HERE, PATIENCE, Listener


class FaultyLine(Listener):
    """Proxy on `port`. The first `faults` connections fail.

    `connections`: number of connections; `received`: data of clients. `unanswered`: share of these
    commands whose answer is lost together with the connection.
    """

    def __init__(self, server_port, chance, faults):
        self.received = []
        self.faults = faults
        self.unanswered = {}
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
        return connection, *self._next_fault()

    def is_to_cut(self, data):
        return any(
            b" %s " % name in data and self._chance.random() < share
            for name, share in self.unanswered.items()
        )

    def _next_fault(self):
        """Return the fault of a connection, and the bytes from the server or lines from the client
        before it.
        """
        if self.faults <= 0:
            return None, 0
        self.faults -= 1
        kind = self._chance.choice(
            ["cut", "cut", "lose answer", "lose answer", "crumble", "stall", "half line"]
        )
        if kind == "lose answer":
            return kind, self._chance.randrange(1, 25)
        return kind, int(10 ** self._chance.uniform(1.7, 5.3))

    def _serve(self, client, kind, after):
        """Forward data until one side closes the connection or the fault ends it."""
        with (
            contextlib.suppress(OSError),
            client,
            socket.create_connection((HERE, self._server_port)) as server,
        ):
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            goes_on = True
            while goes_on:
                for ready in select.select([client, server], [], [], 30)[0]:
                    data = ready.recv(65536)
                    if ready is client:
                        after -= data.count(b"\n") if kind == "lose answer" else 0
                        goes_on = (
                            goes_on and bool(data) and self._to_server(server, data, kind, after)
                        )
                    else:
                        after -= len(data) if kind != "lose answer" else 0
                        goes_on = goes_on and bool(data) and _to_client(client, data, kind, after)
        self._open.discard(client)

    def _to_server(self, server, data, kind, after):
        self.received.append(data)
        server.sendall(data)
        # The server runs the command, and its answer is lost.
        if self.is_to_cut(data):
            tag = data.split(b" ", 1)[0]
            answer = b""
            more = b"\r\n"
            server.settimeout(PATIENCE)
            while more and b"\r\n" + tag + b" " not in (answer := answer + more):
                more = server.recv(65536)
            return False
        if kind == "lose answer" and after <= 0:
            with contextlib.suppress(OSError):
                server.settimeout(0.05)
                server.recv(65536)
            return False
        return True


def _to_client(client, data, kind, after):
    if kind in (None, "lose answer") or after > 0:
        client.sendall(data)
        return True
    if kind in ("cut", "half line"):
        client.sendall(data[:after] if kind == "cut" else data[: data.rfind(b" ") + 1])
        return False
    if kind == "stall":
        time.sleep(0.05)
    step = 1 + len(data) // 40 if kind == "crumble" else len(data)
    for start in range(0, len(data), step):
        client.sendall(data[start : start + step])
    return True
