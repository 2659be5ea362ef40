"""Folder on a server: its state in as few bytes as the server allows, and its messages."""

import re
import time
from collections.abc import Generator, Iterable, Iterator
from itertools import chain

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.fetch_plan import ServerState
from nbmail.sync.imap.folders.flag_polling import FlagPolling
from nbmail.sync.imap.folders.sent_folder import SentFolder
from nbmail.sync.imap.protocol.fetch_responses import Fetched, fetched
from nbmail.sync.imap.protocol.open_folder import OpenFolder
from nbmail.sync.imap.protocol.uid_sets import among, uid_sets, vanished
from nbmail.sync.imap.session import Session
from nbmail.values import Arrival, StoredFolder

# Messages of one FETCH command.
MESSAGES_PER_FETCH = 200
# Of a larger folder the newest flags are listed each time, because most changes are there; the
# others periodically.
NEWEST = 500

# Courier sends this in place of a message that another client is expunging.
NOT_THERE = (
    b"From: System Administrator <root@localhost>\r\nSubject: message unavailable\r\n\r\n"
    b"This message is no longer available on the server.\r\n"
)

Flags = dict[int, frozenset[str]]
_VALIDITY = re.compile(rb"\* OK \[UIDVALIDITY (\d{1,10})\]", re.IGNORECASE)


class ImapFolder:
    """Folder of one session.

    `sent`: folder of sent mail, whose state is requested when this folder is opened. `empty`: UIDs
    of the latest fetch that the server sent empty despite their size.
    """

    def __init__(
        self,
        session: Session,
        name: str,
        polling: FlagPolling | None = None,
        sent: SentFolder | None = None,
    ) -> None:
        self._session = session
        self.name = name
        self._polling = polling or FlagPolling()
        self._sent = sent
        self._validity = 0
        self.empty: list[int] = []

    def server_state(self, stored: StoredFolder) -> ServerState:
        """Return the state of the folder or its changes.

        All messages are listed until `FlagPolling.listed` is set again.
        """
        was_listed = self._polling.listed
        self._polling.listed = False
        selected = self._open(stored)
        self._validity = selected.validity

        state = self._changes(selected, stored, was_listed=was_listed)
        if state is None or not _explains(state, stored, selected.exists):
            state = self._complete_state(selected, stored)
        keeps_keywords = not selected.writable or "\\*" in selected.permanent
        return state._replace(keywords=keeps_keywords)

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

    def _open(self, stored: StoredFolder) -> OpenFolder:
        other = self._sent.name_to_request(self._session) if self._sent is not None else ""
        selected = self._session.select(self.name, stored, other=other)
        if self._sent is not None and other:
            self._sent.note(selected.other_state)
        return selected

    def _changes(
        self, selected: OpenFolder, stored: StoredFolder, *, was_listed: bool
    ) -> ServerState | None:
        """Return the changes since `stored`; None if the server can't report them."""
        if selected.validity != stored.validity:
            return None
        if selected.resumed and selected.modseq:
            return _resumed_changes(selected, stored)
        if selected.modseq and stored.modseq:
            return self._changes_since(stored.modseq, selected)
        if was_listed and self._polling.can_wait(len(stored.flags)):
            return self._newest_changes(selected, stored)
        return None

    def _changes_since(self, modseq: int, selected: OpenFolder) -> ServerState:
        flags: Flags = {}
        if selected.modseq != modseq and selected.exists:
            flags = self._flags(b"1:*", b" (CHANGEDSINCE %d)" % modseq)
        return ServerState(selected.validity, selected.modseq, flags, complete=False)

    def _newest_changes(self, selected: OpenFolder, stored: StoredFolder) -> ServerState:
        """Return new messages, and changes of the newest stored ones."""
        oldest = sorted(stored.flags)[-NEWEST:][0]
        flags = self._flags(b"%d:*" % oldest)
        expunged = frozenset(uid for uid in stored.flags if uid >= oldest and uid not in flags)
        return ServerState(selected.validity, 0, flags, expunged, complete=False)

    def _complete_state(self, selected: OpenFolder, stored: StoredFolder) -> ServerState:
        self._polling.listed_at = time.monotonic()
        flags = self._flags(b"1:*") if selected.exists else {}
        missing = set[int]()
        if selected.validity == stored.validity:
            missing = stored.flags.keys() - flags.keys()
        if len(flags) < selected.exists or (missing and not flags):
            # Fewer messages were listed than announced, or none where there were some: a sign of a
            # server in trouble. Only what a SEARCH doesn't find either counts as expunged.
            found = set(self._session.search(b"ALL"))
            new = found - flags.keys() - stored.flags.keys()
            flags |= dict.fromkeys(new, frozenset[str]())
            expunged = frozenset(missing - found)
            return ServerState(selected.validity, 0, flags, expunged, complete=False)
        return ServerState(selected.validity, selected.modseq, flags)

    def _fetched(
        self, uids: Iterable[int], limit: int, part: bytes
    ) -> Generator[Arrival, None, tuple[list[int], list[int]]]:
        """Yield messages. Return the missing UIDs, and those that came empty despite their size."""
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
            yield _arrival(found, found.body, limit)
        return list(missing), empty

    def _reopen(self) -> None:
        selected = self._session.selected
        if selected is None or selected.name != self.name:
            selected = self._session.select(self.name)
        self._validity = self._validity or selected.validity
        self._check_validity(selected.validity)

    def _check_validity(self, validity: int) -> None:
        """Raise an error if the UIDVALIDITY changed during a fetch: the UIDs mean nothing then."""
        if validity != self._validity:
            raise KnownError(ErrorCode.SERVER_GONE, f"{self.name} was recreated")

    def _responses(self, commands: Iterable[bytes]) -> Iterator[Fetched]:
        for reply in self._session.connection.pipeline(commands):
            found = fetched(reply)
            if found is not None:
                yield found
                continue
            validity = _VALIDITY.match(reply[0])
            if validity is not None:
                self._check_validity(int(validity.group(1)))

    def _flags(self, numbers: bytes, modifier: bytes = b"") -> Flags:
        """Return flags by UID. `n:*` always includes the last message, even one below n."""
        found = self._responses([b"UID FETCH " + numbers + b" (UID FLAGS)" + modifier])
        return {each.uid: each.flags for each in found if each.flags is not None}


def _explains(changes: ServerState, stored: StoredFolder, exists: int) -> bool:
    """True if the changes lead to the number of messages that exist, so that none were missed."""
    remaining = stored.flags.keys() - changes.expunged
    return len(remaining | changes.flags.keys()) == exists


def _resumed_changes(selected: OpenFolder, stored: StoredFolder) -> ServerState:
    """Return the changes that QRESYNC reported with the opening of the folder."""
    flags: Flags = {}
    for line in selected.responses.get("FETCH", []):
        if isinstance(line, bytes):
            # imaplib has removed the word FETCH from "* 3 FETCH (…)".
            message = fetched([b"* " + line.replace(b" (", b" FETCH (", 1)])
            if message is not None and message.flags is not None:
                flags[message.uid] = message.flags

    ranges = chain.from_iterable(map(vanished, selected.responses.get("VANISHED", [])))
    expunged = frozenset(among(stored.flags, ranges) - flags.keys())
    return ServerState(selected.validity, selected.modseq, flags, expunged, complete=False)


def _arrival(found: Fetched, body: bytes, limit: int) -> Arrival:
    size = len(body)
    if size >= limit:
        # Some servers only estimate the size.
        size = max(found.size, size)
    flags = found.flags or frozenset()
    return Arrival(found.uid, flags, found.received, body[:limit], size)
