"""Folder on a server: its state in as few bytes as the server allows, its messages, and waiting for
changes.

Accounts wait with IDLE if the server has it, otherwise they poll. IDLE reports only changes of the
open folder. Additional connections, each idling in one folder, report those of other folders
immediately. They are optional: polling finds what they miss, and a server that rejects connections
is tried less and less often.
"""

import logging
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from nbmail.core.reading.people import SENT_HEADERS
from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.account_sync import SENT_BATCH, ServerState
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.session import (
    Fetched,
    OpenFolder,
    Session,
    among,
    fetched,
    uid_sets,
    vanished,
)
from nbmail.values import Arrival, StoredFolder

# Messages of one FETCH command.
MESSAGES_PER_FETCH = 200

# Up to this size all flags are listed each time: 40 bytes a message.
SMALL_FOLDER = 1000
# Of a larger folder the newest flags are listed each time, because most changes are there; the
# others periodically.
NEWEST = 500
ALL_EVERY = 300.0

# Courier sends this in place of a message that another client is expunging.
NOT_THERE = (
    b"From: System Administrator <root@localhost>\r\nSubject: message unavailable\r\n\r\n"
    b"This message is no longer available on the server.\r\n"
)

Flags = dict[int, frozenset[str]]
_VALIDITY = re.compile(rb"\* OK \[UIDVALIDITY (\d{1,10})\]", re.IGNORECASE)


@dataclass(slots=True)
class FlagPolling:
    """When to list the flags of a folder again, on a server that doesn't report changed flags.

    For one folder and one connection. `listed`: the folder was listed completely, so that STATUS
    can replace listing. `listed_at`: time of the latest complete listing. `counts`: result of
    STATUS after the latest synchronization.
    """

    listed: bool = False
    listed_at: float = float("-inf")
    counts: dict[bytes, int] = field(default_factory=dict)

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self.listed_at >= ALL_EVERY


class ImapFolder:
    """Folder of one session. `empty`: UIDs of the latest fetch that the server sent empty despite
    their size.
    """

    def __init__(self, session: Session, name: str, polling: FlagPolling | None = None) -> None:
        self._session = session
        self.name = name
        self._polling = polling or FlagPolling()
        self._validity = 0
        self.empty: list[int] = []

    def server_state(self, stored: StoredFolder) -> ServerState:
        """Return the state of the folder or its changes. Until `FlagPolling.listed` is set again
        all are listed.
        """
        listed = self._polling.listed
        self._polling.listed = False
        selected = self._session.select(self.name, stored)
        self._validity = selected.validity
        changes = self._changes(selected, stored, listed=listed)
        # If the changes don't explain the number of messages, some were missed, and all must be
        # listed.
        if (
            changes is None
            or len((stored.flags.keys() - changes.expunged) | changes.flags.keys())
            != selected.exists
        ):
            changes = self._complete_state(selected, stored)
        return changes._replace(keywords=not selected.writable or "\\*" in selected.permanent)

    def _changes(
        self, selected: OpenFolder, stored: StoredFolder, *, listed: bool
    ) -> ServerState | None:
        """Return the changes since `stored`; None if the server can't report them."""
        if selected.validity != stored.validity:
            return None
        if selected.resumed and selected.modseq:
            # imaplib has removed the word FETCH from "* 3 FETCH (…)".
            lines = (
                each for each in selected.responses.get("FETCH", []) if isinstance(each, bytes)
            )
            found = filter(
                None, (fetched([b"* " + each.replace(b" (", b" FETCH (", 1)]) for each in lines)
            )
            flags = {each.uid: each.flags for each in found if each.flags is not None}
            ranges = chain.from_iterable(map(vanished, selected.responses.get("VANISHED", [])))
            expunged = frozenset(among(stored.flags, ranges) - flags.keys())
            return ServerState(selected.validity, selected.modseq, flags, expunged, complete=False)
        if selected.modseq and stored.modseq:
            changed = selected.modseq != stored.modseq and selected.exists
            flags = self._flags(b"1:*", b" (CHANGEDSINCE %d)" % stored.modseq) if changed else {}
            return ServerState(selected.validity, selected.modseq, flags, complete=False)
        if not listed or len(stored.flags) <= SMALL_FOLDER or self._polling.is_due:
            return None
        # New messages and the flags of the newest stored ones.
        oldest = sorted(stored.flags)[-NEWEST:][0]
        flags = self._flags(b"%d:*" % oldest)
        expunged = frozenset(uid for uid in stored.flags if uid >= oldest and uid not in flags)
        return ServerState(selected.validity, 0, flags, expunged, complete=False)

    def _complete_state(self, selected: OpenFolder, stored: StoredFolder) -> ServerState:
        self._polling.listed_at = time.monotonic()
        flags = self._flags(b"1:*") if selected.exists else {}
        missing = (
            stored.flags.keys() - flags.keys() if selected.validity == stored.validity else set()
        )
        if len(flags) < selected.exists or (missing and not flags):
            # Fewer messages were listed than announced, or none where there were some: a sign of a
            # server in trouble. Only what a SEARCH doesn't find either counts as expunged.
            found = set(self._session.search(b"ALL"))
            flags |= {uid: frozenset[str]() for uid in found - flags.keys() - stored.flags.keys()}
            return ServerState(
                selected.validity, 0, flags, frozenset(missing - found), complete=False
            )
        return ServerState(selected.validity, selected.modseq, flags)

    def arrivals(self, uids: Iterable[int], limit: int = 0) -> Iterator[Arrival]:
        """Yield the messages in the given order, without setting \\Seen on the server.

        `limit`: bytes of each message, 0 for the account's limit. The end, where attachments are,
        is cut off.
        """
        self._reopen()
        limit = limit or self._session.account.largest_message
        missing, _ = yield from self._fetched(uids, limit, b"<0.%d>" % limit)
        # Some servers announce a size and send nothing, especially if a part is requested.
        _, self.empty = yield from self._fetched(missing, limit, b"")

    def _fetched(
        self, uids: Iterable[int], limit: int, part: bytes
    ) -> Generator[Arrival, None, tuple[list[int], list[int]]]:
        """Yield messages. Return the missing UIDs, and those of them that came empty despite their
        size.
        """
        wanted = list(uids)
        empty = list[int]()
        missing = dict.fromkeys(wanted)
        items = b"(UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[]" + part + b")"
        sets = uid_sets(wanted, MESSAGES_PER_FETCH)
        for found in self._responses(b"UID FETCH " + each + b" " + items for each in sets):
            if found.body is None or found.body == NOT_THERE or found.uid not in missing:
                continue
            if found.size and not found.body:
                empty.append(found.uid)
                continue
            del missing[found.uid]
            # Some servers only estimate the size.
            size = max(found.size, len(found.body)) if len(found.body) >= limit else len(found.body)
            yield Arrival(
                found.uid, found.flags or frozenset(), found.received, found.body[:limit], size
            )
        return list(missing), empty

    def _reopen(self) -> None:
        selected = self._session.selected
        if selected is None or selected.name != self.name:
            selected = self._session.select(self.name)
        self._validity = self._validity or selected.validity
        self._check_validity(selected.validity)

    def _check_validity(self, validity: int) -> None:
        """Raise an error if the UIDVALIDITY changed during a fetch: the UIDs have lost their
        meaning.
        """
        if validity != self._validity:
            raise KnownError(ErrorCode.SERVER_GONE, f"{self.name} was recreated")

    def _responses(self, commands: Iterable[bytes]) -> Iterator[Fetched]:
        for reply in self._session.connection.pipeline(commands):
            if (found := fetched(reply)) is not None:
                yield found
            elif validity := _VALIDITY.match(reply[0]):
                self._check_validity(int(validity.group(1)))

    def _flags(self, numbers: bytes, modifier: bytes = b"") -> Flags:
        """Return flags by UID. `n:*` always includes the last message, even one below n."""
        found = self._responses([b"UID FETCH " + numbers + b" (UID FLAGS)" + modifier])
        return {each.uid: each.flags for each in found if each.flags is not None}


def sent_heads(session: Session, uids: Sequence[int]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the headers of messages of the open folder that name its recipients, and the last UID
    of each batch.
    """
    fields = " ".join(SENT_HEADERS).encode()
    for first in range(0, len(uids), SENT_BATCH):
        batch = uids[first : first + SENT_BATCH]
        items = b" (UID BODY.PEEK[HEADER.FIELDS (" + fields + b")])"
        replies = session.connection.pipeline(
            b"UID FETCH " + each + items for each in uid_sets(batch)
        )
        yield (
            batch[-1],
            [each.body for each in map(fetched, replies) if each is not None and each.body],
        )


# With the account's own connection five: as many as Thunderbird uses, half of Dovecot's limit per
# user and address.
MAX_CONNECTIONS = 4
# Servers may close connections after 30 minutes without a command, and routers after 5.
RENEWAL = 290.0
# A server without an answer for this time is gone, even if its connection looks open.
IDLE_TIMEOUT = 30.0
FIRST_PAUSE = 60.0
LONGEST_PAUSE = 3600.0
# After a server rejected a connection, no account opens additional ones for this time.
REJECTED_FOR = 900.0

# Host and port: another port may be another server.
Server = tuple[str, int]

log = logging.getLogger(__name__)


class ServerLoad:
    """Additional connections of all accounts by server: some limit them by address, not by user.
    Thread-safe.
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
        """Note that an account got no greeting: accounts with additional connections must close
        them.
        """
        with self._lock:
            if self._open[server] > 0:
                self._rejected_until[server] = time.monotonic() + REJECTED_FOR

    def has_room(self, server: Server) -> bool:
        with self._lock:
            return time.monotonic() >= self._rejected_until.get(server, 0.0)


class IdleConnection:
    """Additional connection that idles in its open folder."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._connection = session.connection
        self._connection.sock.timeout = min(self._connection.sock.timeout, IDLE_TIMEOUT)
        self._begin()

    def check(self) -> bool:
        """True if the folder changed. Raises an error if the server ended IDLE. Restarts IDLE
        before it times out.
        """
        changed = self._has_changed()
        if changed or time.monotonic() - self._since < RENEWAL:
            return changed
        self._connection.end_idle(self._tag)
        self._begin()
        return self._has_changed()

    def _begin(self) -> None:
        self._tag = self._connection.begin_idle()
        self._since = time.monotonic()

    def _has_changed(self) -> bool:
        self._connection.process_received(self._tag)
        changed = bool(self._connection.unsolicited)
        self._connection.unsolicited.clear()
        return changed


class IdleConnections:
    """Additional connections of one account, for its thread only. `changed`: folders to synchronize
    after a report.
    """

    def __init__(self, connect: Callable[[str], Session], server: Server, load: ServerLoad) -> None:
        self._connect = connect
        self._server = server
        self._load = load
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
        return tuple(each.session.connection.sock.socket for each in self._open.values())

    def check(self) -> bool:
        """Process received data. True if `changed` isn't empty, or the connection broke: a report
        may be lost then.
        """
        for name, connection in list(self._open.items()):
            try:
                if connection.check():
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
            session = self._connect(name)
            try:
                self._open[name] = IdleConnection(session)
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
        self._open.pop(name).session.close()
        self._load.add(self._server, -1)

    def _postpone(self, name: str, error: KnownError) -> None:
        """Open no connection for a while. The user needn't know: the folder is polled."""
        log.info("%s is polled: %s %s", name, error.error_code, error.detail)
        self._paused_until = time.monotonic() + self._pause
        self._pause = min(LONGEST_PAUSE, self._pause * 2)


def wait_for_changes(session: Session, others: IdleConnections, seconds: float) -> None:
    """Wait at most `seconds` for a change of the open folder or one of `others`, which is noted, or
    for a wake-up.
    """
    connection = session.connection
    if not session.can("IDLE"):
        _wait(session, others, time.monotonic() + seconds)
        connection.noop()
        return
    timeout = connection.sock.timeout
    connection.sock.timeout = min(timeout, IDLE_TIMEOUT)
    try:
        tag = connection.begin_idle()
        _wait(session, others, time.monotonic() + min(seconds, RENEWAL), tag)
    except Refusal:
        # Refused, or ended by the server: another attempt would loop.
        session.capabilities -= {"IDLE"}
    else:
        connection.end_idle(tag)
    connection.sock.timeout = timeout


def _wait(session: Session, others: IdleConnections, deadline: float, tag: bytes = b"") -> None:
    """Process received data until a change, a wake-up or the deadline."""
    connection = session.connection
    while (
        not (connection.unsolicited or others.check()) and (left := deadline - time.monotonic()) > 0
    ):
        connection.sock.wait_for_data(left, *others.sockets())
        connection.process_received(tag)
        # The wake-up is left to the next synchronization.
        if session.client.wake_signal.wait_for_wake(0.0):
            return
