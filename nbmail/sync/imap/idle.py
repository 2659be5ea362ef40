"""Waiting for changes: IDLE if the server has it, otherwise polling.

IDLE reports only changes of the open folder. Additional connections, each idling in one folder, report those of other
folders immediately. They are optional: polling finds what they miss, and a server that rejects connections is tried
less and less often.
"""

import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from nbmail.errors import KnownError
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.session import Session

# With the account's own connection five: as many as Thunderbird uses, half of Dovecot's limit per user and address.
MAX_CONNECTIONS = 4
# Servers may close connections after 30 minutes without a command, and routers after 5.
RENEWAL = 290.0
# A server without an answer for this time is gone, even if its connection looks open.
IDLE_TIMEOUT = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0
# After a server rejected a connection, no account opens additional ones for this time.
REJECTED_FOR = 900.0

# Host and port: another port may be another server.
Server = tuple[str, int]

log = logging.getLogger(__name__)


class ServerLoad:
    """Additional connections of all accounts by server. Thread-safe.

    Some servers limit connections by address, not by user: connections of one account could then lock out another.
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
        """Note that an account got no greeting: accounts with additional connections must close them."""
        with self._lock:
            if self._open[server] > 0:
                self._rejected_until[server] = time.monotonic() + REJECTED_FOR

    def has_room(self, server: Server) -> bool:
        with self._lock:
            return time.monotonic() >= self._rejected_until.get(server, 0.0)


class IdleConnection:
    """Additional connection that idles in one folder."""

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._connection = session.connection
        self._connection.sock.timeout = min(self._connection.sock.timeout, IDLE_TIMEOUT)
        session.watch(name)
        self._begin()

    @property
    def socket(self) -> socket.socket:
        line: socket.socket = self._connection.sock.socket
        return line

    def check(self) -> bool:
        """True if the folder changed. Raises an error if the server ended IDLE."""
        if not self._connection.process_received(self._tag):
            raise Refusal(b"the server ended IDLE")
        changed = bool(self._connection.unsolicited)
        self._connection.unsolicited.clear()
        return changed

    def renew(self, now: float) -> bool:
        """Restart IDLE before it times out. True if the server reported a change with that."""
        if now - self._since < RENEWAL:
            return False
        self._connection.end_idle(self._tag)
        self._begin()
        return self.check()

    def close(self) -> None:
        self._session.close()

    def _begin(self) -> None:
        self._tag = self._connection.begin_idle()
        self._since = time.monotonic()


class IdleConnections:
    """Additional connections of one account, opened by `connect`. For the account's thread only.

    `changed`: folders with a reported change that haven't been synchronized since.
    """

    def __init__(self, connect: Callable[[], Session], server: Server, load: ServerLoad) -> None:
        self._connect, self._server, self._load = connect, server, load
        self._open: dict[str, IdleConnection] = {}
        self._pause = FIRST_PAUSE
        self._paused_until = 0.0
        self.changed: set[str] = set()

    def watch(self, folders: Sequence[str]) -> None:
        """Idle in the first `MAX_CONNECTIONS` folders and close the connections to others."""
        wanted = set(folders[:MAX_CONNECTIONS]) if self._load.has_room(self._server) else set()
        for name in self._open.keys() - wanted:
            self._drop(name)
        for name in wanted - self._open.keys():
            if time.monotonic() >= self._paused_until:
                self._add(name)

    def sockets(self) -> tuple[socket.socket, ...]:
        return tuple(each.socket for each in self._open.values())

    def check(self) -> bool:
        """Process received data. True if `changed` isn't empty.

        The folder of a broken connection counts as changed: a report may be lost.
        """
        now = time.monotonic()
        for name, connection in list(self._open.items()):
            try:
                if connection.check() or connection.renew(now):
                    self.changed.add(name)
            except KnownError as error:
                self._drop(name)
                self.changed.add(name)
                self._postpone(name, error)
        return bool(self.changed)

    def close(self) -> None:
        for name in list(self._open):
            self._drop(name)
        self.changed.clear()

    def _add(self, name: str) -> None:
        try:
            session = self._connect()
            try:
                self._open[name] = IdleConnection(session, name)
            except BaseException:
                session.close()
                raise
        except KnownError as error:
            self._postpone(name, error)
            return
        self._load.add(self._server, 1)
        self._pause = FIRST_PAUSE
        # Changes between the latest synchronization and now are unknown.
        self.changed.add(name)

    def _drop(self, name: str) -> None:
        self._open.pop(name).close()
        self._load.add(self._server, -1)

    def _postpone(self, name: str, error: KnownError) -> None:
        """Open no connection for a while. The user needn't know: the folder is polled."""
        log.info("%s is polled: %s %s", name, error.error_code, error.detail)
        self._paused_until = time.monotonic() + self._pause
        self._pause = min(LONGEST_PAUSE, self._pause * 2)


def wait_for_changes(session: Session, others: IdleConnections, seconds: float) -> None:
    """Wait at most `seconds` for a change of the open folder or of one of `others`, or for a wake-up.

    Changes are left in `session.connection.unsolicited` and `others.changed`.
    """
    if session.can("IDLE"):
        _idle(session, others, min(seconds, RENEWAL))
    else:
        _wait(session, others, time.monotonic() + seconds)
        session.connection.noop()


def _idle(session: Session, others: IdleConnections, seconds: float) -> None:
    connection = session.connection
    timeout = connection.sock.timeout
    connection.sock.timeout = min(timeout, IDLE_TIMEOUT)
    try:
        tag = connection.begin_idle()
        idling = _wait(session, others, time.monotonic() + seconds, tag)
    except Refusal:
        idling = False
    if idling:
        connection.end_idle(tag)
    else:
        # Refused, or ended by the server: another attempt would loop.
        session.capabilities -= {"IDLE"}
    connection.sock.timeout = timeout


def _wait(session: Session, others: IdleConnections, deadline: float, tag: bytes = b"") -> bool:
    """Process received data until a change, a wake-up or the deadline. False if the server ended IDLE."""
    connection = session.connection
    while not (connection.unsolicited or others.check()) and (left := deadline - time.monotonic()) > 0:
        connection.sock.wait_for_data(left, *others.sockets())
        if not connection.process_received(tag):
            return False
        if session.client.wake_signal.was_woken():
            break
    return True
