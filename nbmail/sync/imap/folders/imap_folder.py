"""Folder on a server: its state in as few bytes as the server allows, and its messages."""

import re
import time
from collections.abc import Generator, Iterable, Iterator
from itertools import chain

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.fetch_plan import ServerState
from nbmail.sync.imap.folders.flag_polling import FlagPolling
from nbmail.sync.imap.protocol.fetch_responses import Fetched, fetched
from nbmail.sync.imap.protocol.uid_sets import among, uid_sets, vanished
from nbmail.sync.imap.session import OpenFolder, Session
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
        if not listed or not self._polling.can_wait(len(stored.flags)):
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
