"""Second lines to a server, each of which only listens to one folder: IDLE tells of no other than the open one.

They make news of a folder beside the first arrive at once. Nothing rests on them: what they miss, the next poll finds,
and a server that wants no more lines is asked ever less often.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from nbmail.errors import KnownError
from nbmail.sync.connection.imap_protocol import Refusal
from nbmail.sync.connection.session import Session

# With the account's own line five: as many as Thunderbird keeps, half of what Dovecot allows one user and address.
MOST = 4
# A server may drop who says nothing for 30 minutes, and a box on the way for 5.
RENEWAL = 290.0
# A server that doesn't answer within this is gone, however open its line looks.
WATCHDOG = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0
# So long no account listens on lines of its own at a server that let another one in no more.
CROWDED_FOR = 900.0

# Its host and port: another port may well be another server.
Server = tuple[str, int]

log = logging.getLogger(__name__)


class Lines:
    """What the accounts of a run know of each other: where they hold lines beside their own, and where those are many.

    Some servers count lines by address and not by user: then one account's lookouts would keep another one out. Safe
    from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[Server] = Counter()
        self._crowded_until: dict[Server, float] = {}

    def hold(self, server: Server, count: int) -> None:
        """So many more lines, or fewer, are held beside the accounts' own."""
        with self._lock:
            self._held[server] += count

    def turned_away(self, server: Server) -> None:
        """An account was not greeted: if others hold more lines there than they need, these are to be given up."""
        with self._lock:
            if self._held[server] > 0:
                self._crowded_until[server] = time.monotonic() + CROWDED_FOR

    def are_free(self, server: Server) -> bool:
        """Whether more lines may be held there."""
        with self._lock:
            return time.monotonic() >= self._crowded_until.get(server, 0.0)


class Lookout:
    """One line that listens to one folder."""

    def __init__(self, session: Session, name: str, raw: bytes) -> None:
        self.name = name
        self._session = session
        self._tag = b""
        self._since = 0.0
        session.talk.wire.patience = min(session.talk.wire.patience, WATCHDOG)
        session.watch(name, raw)
        self._idle()

    @property
    def socket(self) -> socket.socket:
        """What to wait for."""
        return self._session.talk.wire.socket

    def hear(self) -> bool:
        """Whether something happened in the folder; an error where the server ended it."""
        talk = self._session.talk
        while talk.wire.holds_line():
            line = talk.receive()[0]
            if line.startswith(self._tag + b" "):
                talk.judge(line)
                raise Refusal(b"it listens no longer")
            talk.notice(line)
        happened = bool(talk.news)
        talk.news.clear()
        return happened

    def renew(self, now: float) -> bool:
        """Begin anew before anyone takes the line for dead; whether the server told only now of what happened."""
        if now - self._since < RENEWAL:
            return False
        self._session.talk.wire.send(b"DONE\r\n")
        self._session.talk.rest(self._tag)
        self._idle()
        return self.hear()

    def close(self) -> None:
        """Hang up."""
        self._session.talk.wire.close()

    def _idle(self) -> None:
        self._tag = self._session.talk.begin(b"IDLE")
        self._session.talk.expect_go_ahead(self._tag)
        self._since = time.monotonic()


class Lookouts:
    """All such lines of one account at its server; `connect` makes another one. Used by the account's thread alone.

    `told` holds the folders of which something was told and that nobody has looked at since.
    """

    def __init__(self, connect: Callable[[], Session], server: Server, lines: Lines) -> None:
        self._connect, self._server, self._lines = connect, server, lines
        self._posted: dict[str, Lookout] = {}
        self._pause = FIRST_PAUSE
        self._paused_until = 0.0
        self.told: set[str] = set()

    def post(self, folders: Sequence[tuple[str, bytes]]) -> None:
        """Listen to the first of these folders, name and the server's name of it, and to no others."""
        wanted = dict(folders[:MOST]) if self._lines.are_free(self._server) else {}
        for name in self._posted.keys() - wanted.keys():
            self._drop(name)
        for name in wanted.keys() - self._posted.keys():
            if time.monotonic() >= self._paused_until:
                self._open(name, wanted[name])

    def sockets(self) -> tuple[socket.socket, ...]:
        """What to wait for."""
        return tuple(each.socket for each in self._posted.values())

    def hear(self) -> bool:
        """Take in what came: whether anything is told. A line that broke tells too: it may have kept something back."""
        now = time.monotonic()
        for name, lookout in list(self._posted.items()):
            try:
                if lookout.hear() or lookout.renew(now):
                    self.told.add(name)
            except KnownError as trouble:
                self._lose(name, trouble)
        return bool(self.told)

    def close(self) -> None:
        """Hang up everywhere."""
        for name in list(self._posted):
            self._drop(name)
        self.told.clear()

    def _open(self, name: str, raw: bytes) -> None:
        try:
            session = self._connect()
            try:
                self._posted[name] = Lookout(session, name, raw)
            except BaseException:
                session.talk.wire.close()
                raise
        except KnownError as trouble:
            self._rest(name, trouble)
            return
        self._lines.hold(self._server, 1)
        self._pause = FIRST_PAUSE
        # What came between the last look and now.
        self.told.add(name)

    def _lose(self, name: str, trouble: KnownError) -> None:
        self._drop(name)
        self.told.add(name)
        self._rest(name, trouble)

    def _drop(self, name: str) -> None:
        self._posted.pop(name).close()
        self._lines.hold(self._server, -1)

    def _rest(self, name: str, trouble: KnownError) -> None:
        """The server wants no more lines, or can't keep them: its polled folders are no trouble to be shown."""
        log.info("%s is polled: %s %s", name, trouble.trouble, trouble.detail)
        self._paused_until = time.monotonic() + self._pause
        self._pause = min(LONGEST_PAUSE, self._pause * 2)
