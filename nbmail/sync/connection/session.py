"""One logged-in connection: what is said to the server between hello and goodbye."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account
from nbmail.sync.connection.connecting import PATIENCE_TO_READ, Address, connect
from nbmail.sync.connection.imap_protocol import Refusal, Reply, Talk
from nbmail.sync.connection.login import PASSING, ask_abilities, log_in
from nbmail.sync.connection.waker import Bell
from nbmail.sync.desk import FolderMemory
from nbmail.sync.imap.folder_names import Folder, Folders, encoded, list_folders, quoted

# A validity has 32 bits and a modseq 63; what is longer is no number of theirs.
_NUMBER = re.compile(rb"\[(?:(UIDVALIDITY) (\d{1,10})|(HIGHESTMODSEQ) (\d{1,18}))\]", re.IGNORECASE)
_EXISTS = re.compile(rb"\* (\d{1,10}) EXISTS", re.IGNORECASE)
_PERMANENT = re.compile(rb"\[PERMANENTFLAGS \(([^()]*)\)\]", re.IGNORECASE)
_TOLD = re.compile(rb"\* \d+ FETCH ", re.IGNORECASE)
_STATUS = re.compile(rb"(UIDVALIDITY|UIDNEXT|MESSAGES|HIGHESTMODSEQ) (\d{1,18})(?!\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Selected:
    """What the server said on opening a folder. `replies` are all of it: QRESYNC puts what changed among them."""

    name: str
    validity: int
    exists: int
    modseq: int
    permanent: frozenset[str]
    writable: bool
    resumed: bool = False
    replies: list[Reply] = field(default_factory=list)

    def allows(self, keyword: str) -> bool:
        """Whether the server will keep this flag or keyword."""
        permitted = {each.lower() for each in self.permanent}
        return self.writable and ("\\*" in permitted or keyword.lower() in permitted)


class Session:
    """A connection of one account; used by the account's thread alone."""

    def __init__(self, account: Account, talk: Talk, abilities: frozenset[str]) -> None:
        self.account = account
        self.talk = talk
        self.abilities = abilities
        self.folders = Folders([])
        self.selected: Selected | None = None
        self.resyncs = False

    @classmethod
    def open(
        cls, account: Account, password: str, bell: Bell, patience: float = PATIENCE_TO_READ, *, settle: bool = True
    ) -> Session:
        """Connect, log in, and learn what the server can do and, to `settle` in, which folders it has."""
        greeted = connect(Address.of(account), bell, patience=patience)
        talk = Talk(greeted.wire, account.largest_message + 65_536)
        try:
            abilities = ask_abilities(talk) if greeted.known else log_in(talk, account.user, password)
            session = cls(account, talk, abilities)
            session._introduce()
            if settle:
                session._settle_in()
        except BaseException:
            talk.wire.close()
            raise
        return session

    def can(self, ability: str) -> bool:
        """Whether the server has this ability."""
        return ability in self.abilities

    def select(self, name: str, memory: FolderMemory | None = None) -> Selected:
        """Open a folder, asking what changed since `memory` where the server can tell."""
        command = b"SELECT " + quoted(self.folders.raw(name))
        resumed = bool(self.resyncs and memory is not None and memory.modseq and memory.validity)
        if resumed and memory is not None:
            command += b" (QRESYNC (%d %d))" % (memory.validity, memory.modseq)
        elif self.can("CONDSTORE"):
            command += b" (CONDSTORE)"
        self.selected = None
        try:
            replies = self.talk.ask(command)
        except Refusal as refusal:
            if refusal.code in PASSING:
                raise
            raise KnownError(Trouble.FOLDER_MISSING, name) from refusal
        self.talk.forget_news()
        self.selected = _opened(name, replies, resumed)
        return self.selected

    def watch(self, name: str, raw: bytes) -> None:
        """Open a folder only to hear what happens in it."""
        try:
            self.talk.ask(b"EXAMINE " + quoted(raw))
        except Refusal as refusal:
            raise KnownError(Trouble.FOLDER_MISSING, name) from refusal
        self.talk.forget_news()

    def status(self, name: str) -> tuple[int, ...]:
        """A few numbers of a folder that isn't open; when they stay the same, nothing happened in it.

        None where the server won't tell.
        """
        try:
            found = self.counts(name)
        except Refusal as refusal:
            if refusal.code in PASSING:
                raise
            return ()
        return tuple(found[word] for word in sorted(found))

    def counts(self, name: str) -> dict[bytes, int]:
        """The numbers that STATUS tells of a folder, by the server's word for each."""
        items = b"UIDVALIDITY UIDNEXT MESSAGES" + (b" HIGHESTMODSEQ" if self.can("CONDSTORE") else b"")
        replies = self.talk.ask(b"STATUS " + quoted(self.folders.raw(name)) + b" (" + items + b")")
        for reply in replies:
            if reply[0][:9].upper() == b"* STATUS ":
                return {word.upper(): int(number) for word, number in _STATUS.findall(reply[-1].rpartition(b"(")[2])}
        return {}

    def search(self, criteria: bytes) -> list[int]:
        """UIDs of the open folder, in the server's order."""
        replies = self.talk.ask(b"UID SEARCH " + criteria)
        lines = [reply[0][8:].partition(b"(")[0] for reply in replies if reply[0][:8].upper() == b"* SEARCH"]
        return [int(number) for number in b" ".join(lines).split() if number.isdigit()]

    def store(self, uids: bytes, sign: bytes, flags: Iterable[str]) -> bool:
        """Set (+) or clear (-) flags of messages of the open folder: whether the server told of any that changed."""
        names = " ".join(sorted(flags)).encode()
        replies = self.talk.ask(b"UID STORE " + uids + b" " + sign + b"FLAGS (" + names + b")")
        return any(_TOLD.match(reply[0]) and names.lower() in reply[0].lower() for reply in replies)

    def create(self, name: str) -> None:
        """Create a folder and subscribe to it, where the server keeps subscriptions."""
        self.talk.ask(b"CREATE " + quoted(encoded(name)))
        with suppress(Refusal):
            self.talk.ask(b"SUBSCRIBE " + quoted(encoded(name)))
        self.list_folders()

    def list_folders(self) -> None:
        """Learn anew which folders there are."""
        self.folders = list_folders(self.talk, self.abilities, self.account)

    def junk(self) -> Folder | None:
        """The junk folder; created if the user named one that isn't there. None where that can't be done."""
        name = self.folders.junk_to_create
        # Where all folders stand below the inbox, a name beside it is refused.
        for tried in dict.fromkeys((name, self.folders.below_inbox + name)) if name else ():
            try:
                self.create(tried)
            except Refusal as refusal:
                if refusal.code in PASSING:
                    raise
            else:
                break
        return self.folders.junk

    def close(self) -> None:
        """Say goodbye and hang up."""
        self.talk.wire.close(b"N0 LOGOUT\r\n")

    def _introduce(self) -> None:
        """Say which program this is: some providers (NetEase) open no folder for one that doesn't."""
        if self.can("ID"):
            with suppress(Refusal):
                self.talk.ask(b'ID ("name" "nbmail")')

    def _settle_in(self) -> None:
        if self.can("QRESYNC") and self.can("ENABLE"):
            try:
                self.talk.ask(b"ENABLE QRESYNC")
                self.resyncs = True
            except Refusal:
                self.resyncs = False
        self.list_folders()


def _opened(name: str, replies: list[Reply], resumed: bool) -> Selected:
    numbers: dict[bytes, int] = {}
    exists, permanent = 0, frozenset[str]()
    for line in (reply[0] for reply in replies):
        if found := _NUMBER.search(line):
            numbers[(found[1] or found[3]).upper()] = int(found[2] or found[4])
        elif found := _EXISTS.match(line):
            exists = int(found.group(1))
        elif found := _PERMANENT.search(line):
            permanent = frozenset(found.group(1).decode("ascii", "replace").split())
    validity = numbers.get(b"UIDVALIDITY", 0)
    if not validity:
        raise KnownError(Trouble.SERVER_BROKEN, f"{name}: no UIDVALIDITY")
    writable = b"[READ-ONLY]" not in replies[-1][0].upper()
    modseq = numbers.get(b"HIGHESTMODSEQ", 0)
    return Selected(name, validity, exists, modseq, permanent, writable, resumed, replies)
