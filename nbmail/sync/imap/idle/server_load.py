"""Additional connections of all accounts to each server."""

import threading
import time
from collections import Counter

# After a server rejected a connection, no account opens additional ones for this time.
REJECTED_FOR = 900.0

# Host and port: another port may be another server.
Server = tuple[str, int]


class ServerLoad:
    """Number of additional connections of all accounts, by server. Thread-safe.

    Some servers limit connections by address, not by user.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Counter[Server] = Counter()
        self._rejected_until: dict[Server, float] = {}

    def add(self, server: Server, count: int) -> None:
        """Add `count` to the open connections; negative after closing them."""
        with self._lock:
            self._open[server] += count

    def reject(self, server: Server) -> None:
        """Note that an account got no greeting: all accounts close additional connections."""
        with self._lock:
            if self._open[server] > 0:
                self._rejected_until[server] = time.monotonic() + REJECTED_FOR

    def has_room(self, server: Server) -> bool:
        with self._lock:
            return time.monotonic() >= self._rejected_until.get(server, 0.0)
