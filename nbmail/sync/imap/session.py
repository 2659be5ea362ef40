"""One logged-in connection of an account: what is asked of the server between login and logout."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from imapclient.exceptions import IMAPClientError, ProtocolError

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.connection.connecting import PATIENCE_TO_READ, connect, log_in
from nbmail.sync.connection.fetch_answers import uid_ranges
from nbmail.sync.connection.imap_connection import ImapClient, Refusal, astring, understood
from nbmail.sync.connection.wake_signal import WakeSignal
from nbmail.sync.imap.folder_names import ServerFolder, ServerFolders, encoded, read_folders, readable
from nbmail.values import MailServer, ServerLocation, StoredFolder, TryStep

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
    resumed: bool
    told: dict[str, list[Any]]

    def allows(self, keyword: str) -> bool:
        return self.writable and ("\\*" in self.permanent or keyword.lower() in self.permanent)


class Session:
    """A connection of one account; used by the account's thread alone. `client` says what needs no care of ours."""

    def __init__(self, account: Account, client: ImapClient) -> None:
        self.account = account
        self.client = client
        self.connection = client.connection
        self.connection.largest_literal = account.largest_message + 65_536
        self.abilities = frozenset(each.decode("ascii", "replace") for each in client.capabilities())
        self.folders = ServerFolders([])
        self.selected: OpenFolder | None = None
        self.resyncs = False

    @classmethod
    def open(
        cls,
        account: Account,
        password: str,
        wake_signal: WakeSignal,
        patience: float = PATIENCE_TO_READ,
        *,
        prepare: bool = True,
        reached: Callable[[TryStep], None] = lambda step: None,
    ) -> Session:
        """Connect, log in, learn what the server can do and, to `prepare`, its folders; `reached` hears of steps."""
        server = MailServer(account.host, account.port, account.security, account.authority_file)
        client = connect(server, wake_signal, patience=patience)
        try:
            reached(TryStep.PROTECTED)
            log_in(client, account.user, password)
            reached(TryStep.LOGGED_IN)
            session = cls(account, client)
            session._introduce()
            if prepare:
                session._prepare()
        except BaseException:
            client.shutdown()
            raise
        return session

    def can(self, ability: str) -> bool:
        return ability in self.abilities

    def select(self, name: str, memory: StoredFolder | None = None) -> OpenFolder:
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
            if refusal.passing:
                raise
            raise KnownError(ErrorCode.FOLDER_MISSING, name) from refusal
        self.connection.state = "SELECTED"
        self.connection.news.clear()
        self.selected = _opened(name, dict(self.connection.untagged_responses), resumed)
        return self.selected

    def opens(self, name: str, validity: int) -> bool:
        """Have a folder open: whether it is there and still the one it was."""
        if self.selected is not None and self.selected.name == name:
            return self.selected.validity == validity
        try:
            return self.select(name).validity == validity
        except KnownError as error:
            if error.error_code is ErrorCode.FOLDER_MISSING:
                return False
            raise

    def watch(self, name: str) -> None:
        """Open a folder only to hear what happens in it."""
        try:
            with understood():
                self.client.select_folder(self.folders.wire(name), readonly=True)
        except Refusal as refusal:
            raise KnownError(ErrorCode.FOLDER_MISSING, name) from refusal
        self.connection.news.clear()

    @understood()
    def counts(self, name: str, *words: str) -> dict[bytes, int]:
        """The numbers that STATUS tells of a folder, by the server's word for each; none where it won't tell.

        When the usual ones stay the same, nothing happened in it.
        """
        usual = ("UIDVALIDITY", "UIDNEXT", "MESSAGES", *(("HIGHESTMODSEQ",) if self.can("CONDSTORE") else ()))
        try:
            told = self.client.folder_status(self.folders.wire(name), words or usual)
        except Refusal as refusal:
            if refusal.passing:
                raise
            return {}
        except (LookupError, ProtocolError):  # A server that answers OK and nothing else, or what can't be read.
            return {}
        return {word.upper(): number for word, number in told.items() if isinstance(number, int)}

    @understood()
    def search(self, criteria: bytes) -> list[int]:
        """UIDs of the open folder, in the server's order."""
        return list(self.client.search(criteria))

    def store(self, uids: Collection[int], flags: Collection[str], *, add: bool) -> bool:
        """Set or clear flags of messages of the open folder: whether the server told of any that has one of them."""
        told: set[bytes] = set()
        # An answer that can't be read makes nothing undone.
        with suppress(LookupError, ProtocolError):
            for each in (self.client.add_flags if add else self.client.remove_flags)(uids, sorted(flags)).values():
                told.update(flag.lower() for flag in each if isinstance(flag, bytes))
        return any(flag.lower().encode() in told for flag in flags)

    def copy(self, uid: int, target: str) -> int:
        """Copy a message of the open folder: the UID of the copy, 0 where the server doesn't say."""
        self.client.copy([uid], self.folders.wire(target))
        copies = self._copies()
        return copies[uid].uid if copies and uid in copies else 0

    def move(self, uids: Collection[int], target: str) -> dict[int, ServerLocation | None]:
        """Move messages of the open folder: where each that was still there lies now, None if the server won't tell."""
        self.client.move(uids, self.folders.wire(target))
        copies = self._copies()
        if copies is None:
            left = set(self.search(b"UID " + b",".join(b"%d" % uid for uid in uids)))
            return {uid: None for uid in uids if uid not in left}
        return {uid: replace(place, folder=target) for uid, place in copies.items()}

    def _copies(self) -> dict[int, ServerLocation] | None:
        """What the server told of the copies it made; None where it tells nothing of the kind."""
        told = self.connection.response("COPYUID")[1][-1] or b""
        numbers = told.partition(b"]")[0].split()
        if len(numbers) < 3 or not numbers[0].isdigit():
            return None
        # A set without an end could name four billion; more than were asked for are none of ours.
        before, after = (list(islice(chain.from_iterable(uid_ranges(each)), 10_000)) for each in numbers[1:3])
        return {old: ServerLocation("", int(numbers[0]), new) for old, new in zip(before, after, strict=False)}

    def list_folders(self) -> None:
        listed = read_folders(self.client.list_folders())
        self.folders = ServerFolders(listed, self.account.junk_folder, self._prefix(listed))

    def junk(self) -> ServerFolder | None:
        """The junk folder; created if the user named one that isn't there. None where that can't be done."""
        name = self.folders.junk_to_create
        # Where all folders stand below the inbox, a name beside it is refused.
        for tried in dict.fromkeys((name, self.folders.prefix + name)) if name else ():
            try:
                self._create(tried)
                break
            except Refusal as refusal:
                if refusal.passing:
                    raise
        return self.folders.junk

    def close(self) -> None:
        self.client.logout()

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

    def _prepare(self) -> None:
        if self.can("QRESYNC") and self.can("ENABLE"):
            with suppress(Refusal):
                self.resyncs = b"QRESYNC" in self.client.enable("QRESYNC")
        self.list_folders()


def _opened(name: str, told: dict[str, list[Any]], resumed: bool) -> OpenFolder:
    validity, exists, modseq = (_number(told, word) for word in ("UIDVALIDITY", "EXISTS", "HIGHESTMODSEQ"))
    if not validity:
        raise KnownError(ErrorCode.SERVER_BROKEN, f"{name}: no UIDVALIDITY")
    flags = b" ".join(found.group(1) for line in told.get("OK", []) if (found := _PERMANENT.match(line)))
    permanent = frozenset(flags.decode("ascii", "replace").lower().split())
    return OpenFolder(name, validity, exists, modseq, permanent, "READ-ONLY" not in told, resumed, told)


def _number(told: dict[str, list[Any]], word: str) -> int:
    """A validity has 32 bits and a modseq 63; what is longer is no number of theirs."""
    text = told.get(word, [b""])[-1].partition(b"]")[0]
    return int(text) if text.isdigit() and len(text) <= 18 else 0
