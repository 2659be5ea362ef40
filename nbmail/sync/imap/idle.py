"""Waiting for news: IDLE where the server has it, asking now and then where it hasn't.

IDLE tells of no other folder than the open one. Further connections, each of which only listens to one folder, make
news of those arrive at once too. Nothing rests on them: what they miss, the next poll finds, and a server that wants
no more connections is asked ever less often.
"""

import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from nbmail.errors import KnownError
from nbmail.sync.connection.imap_connection import Refusal
from nbmail.sync.imap.session import Session

# With the account's own five: as many as Thunderbird keeps, half of what Dovecot allows one user and address.
MOST = 4
# A server may drop who says nothing for 30 minutes, and a box on the way for 5.
RENEWAL = 290.0
# A server that doesn't answer within this is gone, however open its connection looks.
WATCHDOG = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0
# So long no account listens on connections of its own at a server that let another one in no more.
CROWDED_FOR = 900.0

# Its host and port: another port may well be another server.
Server = tuple[str, int]

log = logging.getLogger(__name__)


class ServerLoad:
    """What the accounts of a run know of each other: where they hold idle connections, and where those are too many.

    Some servers count connections by address and not by user: then those of one account would keep another one out.
    Safe from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[Server] = Counter()
        self._crowded_until: dict[Server, float] = {}

    def hold(self, server: Server, count: int) -> None:
        with self._lock:
            self._held[server] += count

    def turned_away(self, server: Server) -> None:
        """An account was not greeted: if others hold more connections than they need, these are to be given up."""
        with self._lock:
            if self._held[server] > 0:
                self._crowded_until[server] = time.monotonic() + CROWDED_FOR

    def has_room(self, server: Server) -> bool:
        with self._lock:
            return time.monotonic() >= self._crowded_until.get(server, 0.0)


class IdleConnection:
    """One connection that listens to one folder."""

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._connection = session.connection
        self._connection.sock.patience = min(self._connection.sock.patience, WATCHDOG)
        session.watch(name)
        self._idle()

    @property
    def socket(self) -> socket.socket:
        line: socket.socket = self._connection.sock.socket
        return line

    def hear(self) -> bool:
        """Whether something happened in the folder; an error where the server ended it."""
        if not self._connection.hear(self._tag):
            raise Refusal(b"it listens no longer")
        happened = bool(self._connection.news)
        self._connection.news.clear()
        return happened

    def renew(self, now: float) -> bool:
        """Begin anew before anyone takes the connection for dead; whether the server told only now of what happened."""
        if now - self._since < RENEWAL:
            return False
        self._connection.end_idle(self._tag)
        self._idle()
        return self.hear()

    def close(self) -> None:
        self._session.close()

    def _idle(self) -> None:
        self._tag = self._connection.begin_idle()
        self._since = time.monotonic()


class IdleConnections:
    """All such connections of one account at its server; `connect` makes another one. For the account's thread alone.

    `told` holds the folders of which something was told and that nobody has looked at since.
    """

    def __init__(self, connect: Callable[[], Session], server: Server, load: ServerLoad) -> None:
        self._connect, self._server, self._load = connect, server, load
        self._open: dict[str, IdleConnection] = {}
        self._pause = FIRST_PAUSE
        self._paused_until = 0.0
        self.told: set[str] = set()

    def watch(self, folders: Sequence[str]) -> None:
        """Listen to the first of these folders, and to no others."""
        wanted = set(folders[:MOST]) if self._load.has_room(self._server) else set()
        for name in self._open.keys() - wanted:
            self._drop(name)
        for name in wanted - self._open.keys():
            if time.monotonic() >= self._paused_until:
                self._add(name)

    def sockets(self) -> tuple[socket.socket, ...]:
        return tuple(each.socket for each in self._open.values())

    def hear(self) -> bool:
        """Take in what came: whether anything is told. One that broke tells too: it may have kept something back."""
        now = time.monotonic()
        for name, connection in list(self._open.items()):
            try:
                if connection.hear() or connection.renew(now):
                    self.told.add(name)
            except KnownError as error_code:
                self._drop(name)
                self.told.add(name)
                self._put_off(name, error_code)
        return bool(self.told)

    def close(self) -> None:
        for name in list(self._open):
            self._drop(name)
        self.told.clear()

    def _add(self, name: str) -> None:
        try:
            session = self._connect()
            try:
                self._open[name] = IdleConnection(session, name)
            except BaseException:
                session.close()
                raise
        except KnownError as error_code:
            self._put_off(name, error_code)
            return
        self._load.hold(self._server, 1)
        self._pause = FIRST_PAUSE
        # What came between the last look and now.
        self.told.add(name)

    def _drop(self, name: str) -> None:
        self._open.pop(name).close()
        self._load.hold(self._server, -1)

    def _put_off(self, name: str, error_code: KnownError) -> None:
        """The server wants no more connections, or can't keep them: that its folder is polled is no trouble to show."""
        log.info("%s is polled: %s %s", name, error_code.error_code, error_code.detail)
        self._paused_until = time.monotonic() + self._pause
        self._pause = min(LONGEST_PAUSE, self._pause * 2)


def rest(session: Session, beside: IdleConnections, seconds: float) -> None:
    """Wait for news of the open folder, of one that is listened to `beside`, or to be woken, at most so long.

    News is left in `session.connection.news` and `beside.told`.
    """
    if session.can("IDLE"):
        _idle(session, beside, min(seconds, RENEWAL))
    else:
        _hear(session, beside, time.monotonic() + seconds)
        session.connection.noop()


def _idle(session: Session, beside: IdleConnections, seconds: float) -> None:
    connection = session.connection
    patience = connection.sock.patience
    connection.sock.patience = min(patience, WATCHDOG)
    try:
        tag = connection.begin_idle()
        lasted = _hear(session, beside, time.monotonic() + seconds, tag)
    except Refusal:
        lasted = False
    if lasted:
        connection.end_idle(tag)
    else:
        # Refused, or ended by the server: asking for it again would go round and round.
        session.abilities -= {"IDLE"}
    connection.sock.patience = patience


def _hear(session: Session, beside: IdleConnections, deadline: float, tag: bytes = b"") -> bool:
    """Take in what comes, until there is news, a wake or the deadline: False if the server ended IDLE itself."""
    connection = session.connection
    while not (connection.news or beside.hear()) and (left := deadline - time.monotonic()) > 0:
        connection.sock.listen(left, *beside.sockets())
        if not connection.hear(tag):
            return False
        if session.client.wake_signal.woken():
            break
    return True
