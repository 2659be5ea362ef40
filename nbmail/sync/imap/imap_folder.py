"""A folder on the server, seen like any other: what is there, and its messages."""

import re
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.connection.fetch_answers import Fetched, among, fetched, uid_sets, vanished
from nbmail.sync.folder_sync import Survey
from nbmail.sync.imap.session import OpenFolder, Session
from nbmail.values import Arrival, StoredFolder

# So many messages are asked for with one command.
IN_FLIGHT = 200

# Up to here all flags are listed at each look: 40 bytes a message.
SMALL_FOLDER = 1000
# Of a larger folder the newest at each look, since there most changes; the others every five minutes.
NEWEST = 500
ALL_EVERY = 300.0

# What Courier says in place of a message that someone takes away at this moment.
NOT_THERE = (
    b"From: System Administrator <root@localhost>\r\nSubject: message unavailable\r\n\r\n"
    b"This message is no longer available on the server.\r\n"
)

Flags = dict[int, frozenset[str]]
_VALIDITY = re.compile(rb"\* OK \[UIDVALIDITY (\d{1,10})\]", re.IGNORECASE)


@dataclass(slots=True)
class FlagPolling:
    """When the flags of a folder are to be listed again on a server that can't tell which of them changed.

    For one folder on one connection. `listed` says that it was wholly listed, so that counting can replace listing;
    `listed_at` when all of it was; `numbers` is what STATUS said of it after it was looked at.
    """

    listed: bool = False
    listed_at: float = float("-inf")
    numbers: dict[bytes, int] = field(default_factory=dict)

    @property
    def due(self) -> bool:
        return time.monotonic() - self.listed_at >= ALL_EVERY


class ImapFolder:
    """One folder of one session. `polling` says what to list again where the server can't tell what changed.

    `withheld` are the messages that the latest fetch was to bring and that came empty, whole or in part.
    """

    def __init__(self, session: Session, name: str, polling: FlagPolling | None = None) -> None:
        self._session = session
        self.name = name
        self._polling = polling or FlagPolling()
        self._validity = 0
        self.withheld: list[int] = []

    def survey(self, memory: StoredFolder, *, thorough: bool = True) -> Survey:
        """What is there, in as few bytes as this server allows.

        Not `thorough` trusts that the folder was wholly in step earlier on this connection: only then can counting
        replace listing on a server without CONDSTORE.
        """
        selected = self._session.select(self.name, memory)
        self._validity = selected.validity
        partial = self._changes(selected, memory, thorough=thorough)
        if partial is not None and _adds_up(partial, memory, selected.exists):
            return partial
        return self._everything(selected, memory)

    def _changes(self, selected: OpenFolder, memory: StoredFolder, *, thorough: bool) -> Survey | None:
        """What changed since `memory`; None where the server can't tell."""
        if selected.validity != memory.validity:
            return None
        if selected.resumed and selected.modseq:
            return _resumed(selected, memory)
        if selected.modseq and memory.modseq:
            return self._changed_since(selected, memory)
        if thorough or not memory.flags or self._polling.due:
            return None
        return self._newest(selected, memory)

    def _newest(self, selected: OpenFolder, memory: StoredFolder) -> Survey:
        """What is new, and the flags of the newest of those that are known."""
        oldest = sorted(memory.flags)[-NEWEST:][0]
        flags = self._flags(b"%d:*" % oldest)
        gone = frozenset(uid for uid in memory.flags if uid >= oldest and uid not in flags)
        return Survey(selected.validity, 0, flags, gone, whole=False)

    def _changed_since(self, selected: OpenFolder, memory: StoredFolder) -> Survey:
        moved = selected.modseq != memory.modseq and selected.exists
        flags = self._flags(b"1:*", b" (CHANGEDSINCE %d)" % memory.modseq) if moved else {}
        return Survey(selected.validity, selected.modseq, flags, whole=False)

    def _everything(self, selected: OpenFolder, memory: StoredFolder) -> Survey:
        self._polling.listed_at = time.monotonic()
        flags = self._flags(b"1:*") if selected.exists else {}
        missing = memory.flags.keys() - flags.keys() if selected.validity == memory.validity else set()
        if len(flags) < selected.exists or (missing and not flags):
            # Less was listed than was announced, or nothing where there was something: servers say such things when
            # they are unwell. Only what a second question doesn't find either has gone.
            found = set(self._session.search(b"ALL"))
            flags |= {uid: frozenset[str]() for uid in found - flags.keys() - memory.flags.keys()}
            return Survey(selected.validity, 0, flags, frozenset(missing - found), whole=False)
        return Survey(selected.validity, selected.modseq, flags)

    def arrivals(self, uids: Iterable[int], most: int = 0) -> Iterator[Arrival]:
        """The messages, in chunks in the order asked for. Reading them leaves no trace on the server.

        Of each no more than the account's cap is fetched, or `most`: what is cut off is the end, where attachments are.
        """
        self._reopen()
        cap = most or self._session.account.largest_message
        missing, _ = yield from self._fetched(uids, cap, b"<0.%d>" % cap)
        # Some servers announce a size and send nothing of it, at least when asked for a part.
        _, self.withheld = yield from self._fetched(missing, cap, b"")

    def _fetched(
        self, uids: Iterable[int], cap: int, part: bytes
    ) -> Generator[Arrival, None, tuple[list[int], list[int]]]:
        """What comes; which didn't, and which of these came empty although the server announced more."""
        wanted, empty = list(uids), list[int]()
        missing = dict.fromkeys(wanted)
        items = b"(UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[]" + part + b")"
        for found in self._answers(b"UID FETCH " + each + b" " + items for each in uid_sets(wanted, IN_FLIGHT)):
            if found.body is None or found.body == NOT_THERE or found.uid not in missing:
                continue
            if found.size and not found.body:
                empty.append(found.uid)
                continue
            del missing[found.uid]
            # Some servers only estimate the size.
            size = max(found.size, len(found.body)) if len(found.body) >= cap else len(found.body)
            yield Arrival(found.uid, found.flags or frozenset(), found.received, found.body[:cap], size)
        return list(missing), empty

    def _reopen(self) -> None:
        """Make sure that this folder is the open one, and still the one that was surveyed."""
        selected = self._session.selected
        if selected is None or selected.name != self.name:
            selected = self._session.select(self.name)
        self._validity = self._validity or selected.validity
        self._check_validity(selected.validity)

    def _check_validity(self, told: int) -> None:
        """A folder that gets another UIDVALIDITY while it is read is another folder: its UIDs mean nothing now."""
        if told != self._validity:
            raise KnownError(ErrorCode.SERVER_GONE, f"{self.name} was made anew meanwhile")

    def _answers(self, commands: Iterable[bytes]) -> Iterator[Fetched]:
        """What these FETCH commands bring."""
        for reply in self._session.connection.flow(commands):
            if (found := fetched(reply)) is not None:
                yield found
            elif told := _VALIDITY.match(reply[0]):
                self._check_validity(int(told.group(1)))

    def _flags(self, numbers: bytes, modifier: bytes = b"") -> Flags:
        """Flags by UID. `n:*` always names the last message, even one below n."""
        found = self._answers([b"UID FETCH " + numbers + b" (UID FLAGS)" + modifier])
        return {each.uid: each.flags for each in found if each.flags is not None}


def _resumed(selected: OpenFolder, memory: StoredFolder) -> Survey:
    # imaplib has taken the word itself out of "* 3 FETCH (…)".
    told = (answer for answer in selected.told.get("FETCH", []) if isinstance(answer, bytes))
    found = [fetched([b"* " + answer.replace(b" (", b" FETCH (", 1)]) for answer in told]
    flags = {each.uid: each.flags for each in found if each is not None and each.flags is not None}
    gone = among(memory.flags, chain.from_iterable(map(vanished, selected.told.get("VANISHED", []))))
    return Survey(selected.validity, selected.modseq, flags, frozenset(gone - flags.keys()), whole=False)


def _adds_up(survey: Survey, memory: StoredFolder, exists: int) -> bool:
    """Whether the changes explain how many messages there are; if not, something was missed and all is listed."""
    return len((memory.flags.keys() - survey.gone) | survey.flags.keys()) == exists
