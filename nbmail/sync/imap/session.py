"""One logged-in connection of an account: what is asked of the server between login and logout."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from imapclient.exceptions import IMAPClientError, ProtocolError

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account
from nbmail.sync.connection.connecting import PATIENCE_TO_READ, ServerAddress, connect
from nbmail.sync.connection.imap_connection import ImapClient, Refusal, understood
from nbmail.sync.connection.waker import Waker
from nbmail.sync.desk import FolderMemory
from nbmail.sync.imap.folder_names import (
    ServerFolder,
    ServerFolders,
    astring,
    encoded,
    read_folders,
    readable,
    wire_text,
)
from nbmail.sync.imap.login import PASSING, log_in

# Dovecot takes 8,000 UIDs in a command and not 12,000; other servers count bytes.
MOST_UIDS = 500

_PERMANENT = re.compile(rb"\[PERMANENTFLAGS \(([^()]*)\)\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """What the server said on opening a folder. `told` is all of it by its kind: QRESYNC puts what changed there."""

    name: str
    validity: int
    exists: int
    modseq: int
    permanent: frozenset[str]
    writable: bool
    resumed: bool = False
    told: dict[str, list[Any]] = field(default_factory=dict)

    def allows(self, keyword: str) -> bool:
        """Whether the server will keep this flag or keyword."""
        permitted = {each.lower() for each in self.permanent}
        return self.writable and ("\\*" in permitted or keyword.lower() in permitted)


class Session:
    """A connection of one account; used by the account's thread alone."""

    def __init__(self, account: Account, client: ImapClient) -> None:
        self.account = account
        self.client = client
        self.connection = client.connection
        self.abilities = frozenset(each.decode("ascii", "replace") for each in client.capabilities())
        self.folders = ServerFolders([])
        self.selected: OpenFolder | None = None
        self.resyncs = False
        self.connection.largest_literal = account.largest_message + 65_536

    @classmethod
    def open(
        cls, account: Account, password: str, waker: Waker, patience: float = PATIENCE_TO_READ, *, settle: bool = True
    ) -> Session:
        """Connect, log in, and learn what the server can do and, to `settle` in, which folders it has."""
        client = connect(ServerAddress.of(account), waker, patience=patience)
        try:
            with understood():
                log_in(client, account.user, password)
                session = cls(account, client)
                session._introduce()
                if settle:
                    session._settle_in()
        except BaseException:
            client.shutdown()
            raise
        return session

    def can(self, ability: str) -> bool:
        """Whether the server has this ability."""
        return ability in self.abilities

    @understood()
    def select(self, name: str, memory: FolderMemory | None = None) -> OpenFolder:
        """Open a folder, asking what changed since `memory` where the server can tell."""
        arguments = [astring(self.folders.raw(name))]
        resumed = bool(self.resyncs and memory is not None and memory.modseq and memory.validity)
        if resumed and memory is not None:
            arguments.append(b"(QRESYNC (%d %d))" % (memory.validity, memory.modseq))
        elif self.can("CONDSTORE"):
            arguments.append(b"(CONDSTORE)")
        self.selected = None
        try:
            self.client._raw_command(b"SELECT", arguments, uid=False)
        except Refusal as refusal:
            if refusal.code in PASSING:
                raise
            raise KnownError(Trouble.FOLDER_MISSING, name) from refusal
        self.connection.state = "SELECTED"
        self.connection.forget_news()
        self.selected = _opened(name, dict(self.connection.untagged_responses), resumed)
        return self.selected

    @understood()
    def watch(self, name: str, raw: bytes) -> None:
        """Open a folder only to hear what happens in it."""
        try:
            self.client.select_folder(wire_text(raw), readonly=True)
        except Refusal as refusal:
            raise KnownError(Trouble.FOLDER_MISSING, name) from refusal
        self.connection.forget_news()

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

    @understood()
    def counts(self, name: str, *words: str) -> dict[bytes, int]:
        """The numbers that STATUS tells of a folder, by the server's word for each."""
        usual = ("UIDVALIDITY", "UIDNEXT", "MESSAGES", *(("HIGHESTMODSEQ",) if self.can("CONDSTORE") else ()))
        try:
            told = self.client.folder_status(wire_text(self.folders.raw(name)), words or usual)
        except LookupError:  # A server that answers OK and nothing else.
            return {}
        return {word.upper(): number for word, number in told.items() if isinstance(number, int)}

    @understood()
    def search(self, criteria: bytes) -> list[int]:
        """UIDs of the open folder, in the server's order."""
        return list(self.client.search(criteria))

    @understood()
    def store(self, uids: Collection[int], flags: Collection[str], *, add: bool) -> bool:
        """Set or clear flags of messages of the open folder: whether the server told of any that has one of them."""
        act = self.client.add_flags if add else self.client.remove_flags
        told: set[bytes] = set()
        for some in _by_hundreds(uids):
            # An answer that can't be read makes nothing undone.
            with suppress(LookupError, ProtocolError):
                for each in act(some, sorted(flags)).values():
                    told.update(flag.lower() for flag in each if isinstance(flag, bytes))
        return any(flag.lower().encode() in told for flag in flags)

    @understood()
    def copy(self, uid: int, target: str) -> int:
        """Copy a message of the open folder: the UID of the copy, 0 where the server doesn't say."""
        self.client.copy([uid], wire_text(self.folders.raw(target)))
        told = self.connection.response("COPYUID")[1][0] or b""
        numbers = told.partition(b"]")[0].split()
        return int(numbers[2]) if len(numbers) > 2 and numbers[2].isdigit() else 0

    @understood()
    def move(self, uids: Collection[int], target: str) -> None:
        """Move messages of the open folder, each as a whole."""
        for some in _by_hundreds(uids):
            self.client.move(some, wire_text(self.folders.raw(target)))

    @understood()
    def expunge(self, uid: int) -> None:
        """Remove this one message, if it is marked as deleted."""
        self.client.uid_expunge([uid])

    @understood()
    def list_folders(self) -> None:
        """Learn anew which folders there are."""
        listed = read_folders(self.client.list_folders())
        self.folders = ServerFolders(listed, self.account.junk_folder, self._prefix(listed))

    def junk(self) -> ServerFolder | None:
        """The junk folder; created if the user named one that isn't there. None where that can't be done."""
        name = self.folders.junk_to_create
        # Where all folders stand below the inbox, a name beside it is refused.
        for tried in dict.fromkeys((name, self.folders.prefix + name)) if name else ():
            try:
                self._create(tried)
            except Refusal as refusal:
                if refusal.code in PASSING:
                    raise
            else:
                break
        return self.folders.junk

    def close(self) -> None:
        """Say goodbye and hang up."""
        self.client.logout()

    @understood()
    def _create(self, name: str) -> None:
        """Create a folder and subscribe to it, where the server keeps subscriptions."""
        raw = encoded(name).decode("ascii")
        self.client.create_folder(raw)
        with suppress(Refusal):
            self.client.subscribe_folder(raw)
        self.list_folders()

    def _prefix(self, listed: Collection[ServerFolder]) -> str:
        """What the names of the user's folders begin with on this server, asked where a named one may lack it."""
        named = self.account.junk_folder
        if not named or not self.can("NAMESPACE") or any(each.name == named for each in listed):
            return ""
        with suppress(Refusal, IMAPClientError):
            return next((readable(prefix) for prefix, _ in self.client.namespace().personal or ()), "")
        return ""

    def _introduce(self) -> None:
        """Say which program this is: some providers (NetEase) open no folder for one that doesn't."""
        if self.can("ID"):
            with suppress(Refusal, IMAPClientError):
                self.client.id_({"name": "nbmail"})

    def _settle_in(self) -> None:
        if self.can("QRESYNC") and self.can("ENABLE"):
            with suppress(Refusal):
                self.resyncs = b"QRESYNC" in self.client.enable("QRESYNC")
        self.list_folders()


def _by_hundreds(uids: Collection[int]) -> list[list[int]]:
    listed = list(uids)
    return [listed[start : start + MOST_UIDS] for start in range(0, len(listed), MOST_UIDS)]


def _opened(name: str, told: dict[str, list[Any]], resumed: bool) -> OpenFolder:
    validity = _number(told, "UIDVALIDITY")
    if not validity:
        raise KnownError(Trouble.SERVER_BROKEN, f"{name}: no UIDVALIDITY")
    flags = [found.group(1) for line in told.get("OK", []) if (found := _PERMANENT.match(line))]
    permanent = frozenset(b" ".join(flags).decode("ascii", "replace").split())
    exists, modseq = _number(told, "EXISTS"), _number(told, "HIGHESTMODSEQ")
    return OpenFolder(name, validity, exists, modseq, permanent, "READ-ONLY" not in told, resumed, told)


def _number(told: dict[str, list[Any]], word: str) -> int:
    """A validity has 32 bits and a modseq 63; what is longer is no number of theirs."""
    text = told.get(word, [b""])[-1].partition(b"]")[0]
    return int(text) if text.isdigit() and len(text) <= 18 else 0
