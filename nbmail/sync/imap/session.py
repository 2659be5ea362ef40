"""Session of an account at its server: typed commands between login and logout, and the parser of
FETCH responses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import chain, islice
from typing import Any, NamedTuple

from imapclient.exceptions import IMAPClientError, ProtocolError

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.imap.folders.folder_listing import read_folders
from nbmail.sync.imap.folders.folder_names import ARCHIVE, JUNK, TRASH
from nbmail.sync.imap.folders.name_encoding import encoded, readable
from nbmail.sync.imap.folders.server_folders import ServerFolder, ServerFolders
from nbmail.sync.imap.protocol.connecting import READ_TIMEOUT, connect
from nbmail.sync.imap.protocol.fetch_responses import fetched
from nbmail.sync.imap.protocol.imap_connection import ImapClient
from nbmail.sync.imap.protocol.login import log_in
from nbmail.sync.imap.protocol.names import astring
from nbmail.sync.imap.protocol.refusals import Refusal, translating_errors
from nbmail.sync.imap.protocol.uid_sets import uid_ranges, uid_sets
from nbmail.sync.mailbox_values import FolderCount, MailServer, TryStep
from nbmail.sync.wake_signal import WakeSignal
from nbmail.values import ServerLocation, StoredFolder

_PERMANENT = re.compile(rb"\[PERMANENTFLAGS \(([^()]*)\)\]", re.IGNORECASE)


class OpenFolder(NamedTuple):
    """Data of the open folder. `responses`: all responses to SELECT by kind, including the changes
    of QRESYNC.
    """

    name: str
    validity: int
    exists: int
    modseq: int
    permanent: frozenset[str]
    writable: bool
    resumed: bool
    responses: dict[str, list[Any]]

    def allows(self, keyword: str) -> bool:
        """True if the server stores this keyword permanently."""
        return self.writable and ("\\*" in self.permanent or keyword.lower() in self.permanent)


class Session:
    """Logged-in connection of one account, for the account's thread only."""

    def __init__(self, account: Account, client: ImapClient, password: str) -> None:
        self.account = account
        self.client = client
        self._password = password
        self.connection = client.connection
        self.connection.max_literal = account.largest_message + 65_536
        self.capabilities = frozenset(
            each.decode("ascii", "replace") for each in client.capabilities()
        )
        self.folders = ServerFolders([])
        self.mechanism = ""
        self.selected: OpenFolder | None = None
        self._has_qresync = False

    @classmethod
    def open(
        cls,
        account: Account,
        password: str,
        wake_signal: WakeSignal,
        timeout: float = READ_TIMEOUT,
        *,
        prepare: bool = True,
        on_step: Callable[[TryStep | FolderCount], None] = lambda step: None,
    ) -> Session:
        """Connect and log in. `prepare`: also enable QRESYNC and list the folders. `on_step` is
        called at each step.
        """
        server = MailServer(account.host, account.port, account.security, account.authority_file)
        client = connect(server, wake_signal, timeout=timeout)
        try:
            on_step(TryStep.PROTECTED)
            mechanism = log_in(client, account.user, password)
            on_step(TryStep.LOGGED_IN)
            session = cls(account, client, password)
            session.mechanism = mechanism
            if session.can("ID"):
                # NetEase opens no folder without the program's name.
                with suppress(Refusal, IMAPClientError):
                    client.id_({"name": "nbmail"})
            if prepare and session.can("QRESYNC") and session.can("ENABLE"):
                with suppress(Refusal):
                    session._has_qresync = b"QRESYNC" in client.enable("QRESYNC")
            if prepare:
                session.list_folders(lambda count: on_step(FolderCount(count)))
        except BaseException:
            client.shutdown()
            raise
        return session

    def can(self, capability: str) -> bool:
        return capability in self.capabilities

    def select(self, name: str, stored: StoredFolder | None = None) -> OpenFolder:
        """Open a folder; with QRESYNC also request the changes since `stored`."""
        arguments = [astring(self.folders.raw(name))]
        resumed = bool(
            self._has_qresync and stored is not None and stored.modseq and stored.validity
        )
        if resumed and stored is not None:
            arguments.append(b"(QRESYNC (%d %d))" % (stored.validity, stored.modseq))
        elif self.can("CONDSTORE"):
            arguments.append(b"(CONDSTORE)")
        self.selected = None
        try:
            self.client._raw_command(b"SELECT", arguments, uid=False)
        except Refusal as refusal:
            if refusal.temporary:
                raise
            raise KnownError(ErrorCode.FOLDER_MISSING, name) from refusal
        self.connection.state = "SELECTED"
        self.connection.unsolicited.clear()
        self.selected = _opened(name, dict(self.connection.untagged_responses), resumed)
        return self.selected

    def opens(self, name: str, validity: int) -> bool:
        """Open a folder unless it is open. False if it is missing or has another UIDVALIDITY."""
        if self.selected is not None and self.selected.name == name:
            return self.selected.validity == validity
        try:
            return self.select(name).validity == validity
        except KnownError as error:
            if error.error_code is ErrorCode.FOLDER_MISSING:
                return False
            raise

    def watch(self, name: str, timeout: float) -> Session:
        """Open a further connection of the account, with a folder open read-only, for IDLE."""
        session = Session.open(
            self.account, self._password, self.client.wake_signal, timeout, prepare=False
        )
        try:
            with translating_errors():
                session.client.select_folder(self.folders.wire(name), readonly=True)
        except BaseException:
            session.close()
            raise
        session.connection.unsolicited.clear()
        return session

    @translating_errors()
    def counts(self, name: str, *items: str) -> dict[bytes, int]:
        """Return STATUS by item; empty if refused. Equal default items mean that nothing happened
        in the folder.
        """
        default = (
            "UIDVALIDITY",
            "UIDNEXT",
            "MESSAGES",
            *(("HIGHESTMODSEQ",) if self.can("CONDSTORE") else ()),
        )
        try:
            found = self.client.folder_status(self.folders.wire(name), items or default)
        except Refusal as refusal:
            if refusal.temporary:
                raise
            return {}
        except (LookupError, ProtocolError):  # OK without a STATUS response, or an unreadable one.
            return {}
        return {item.upper(): number for item, number in found.items() if isinstance(number, int)}

    @translating_errors()
    def search(self, criteria: bytes) -> list[int]:
        """Return UIDs of the open folder in the server's order."""
        return list(self.client.search(criteria))

    def store(self, uids: Collection[int], flags: Collection[str], *, add: bool) -> bool:
        """Set or clear flags in the open folder. True if a response shows one of the flags set."""
        shown: set[bytes] = set()
        # The command has been carried out, even if the response is unreadable.
        with suppress(LookupError, ProtocolError):
            for each in (self.client.add_flags if add else self.client.remove_flags)(
                uids, sorted(flags)
            ).values():
                shown.update(flag.lower() for flag in each if isinstance(flag, bytes))
        return any(flag.lower().encode() in shown for flag in flags)

    def claim(self, uids: Collection[int], keyword: str, unchanged_since: int) -> None:
        """Set a keyword in the open folder, with `unchanged_since` only on messages that were not
        changed later.

        The answer is no proof: some servers ignore the condition, others let two clients win.
        """
        condition = [b"(UNCHANGEDSINCE %d)" % unchanged_since] if unchanged_since else []
        for each in uid_sets(uids):
            arguments = [each, *condition, b"+FLAGS.SILENT", b"(" + keyword.encode("ascii") + b")"]
            try:
                self.client._raw_command(b"STORE", arguments)
            except Refusal as refusal:
                if refusal.code != "MODIFIED":
                    raise

    @translating_errors()
    def flags(self, uids: Collection[int]) -> dict[int, frozenset[str]]:
        """Return the current flags of messages of the open folder, after a NOOP."""
        self.client.noop()
        replies = self.connection.pipeline(
            b"UID FETCH " + each + b" (UID FLAGS)" for each in uid_sets(uids)
        )
        return {
            each.uid: each.flags
            for each in map(fetched, replies)
            if each is not None and each.flags is not None
        }

    def copy(self, uid: int, target: str) -> int:
        """Copy a message of the open folder. Return the UID of the copy, 0 if the server doesn't
        report it.
        """
        self.client.copy([uid], self.folders.wire(target))
        copies = self._copies()
        return copies[uid].uid if copies and uid in copies else 0

    def move(self, uids: Collection[int], target: str) -> dict[int, ServerLocation | None]:
        """Move messages of the open folder. Return the new location of each that was moved, None if
        unknown.
        """
        self.client.move(uids, self.folders.wire(target))
        copies = self._copies()
        if copies is None:
            left = set(self.search(b"UID " + b",".join(b"%d" % uid for uid in uids)))
            return {uid: None for uid in uids if uid not in left}
        return {uid: location._replace(folder=target) for uid, location in copies.items()}

    def _copies(self) -> dict[int, ServerLocation] | None:
        """Return the locations of copies by original UID, from COPYUID. None without COPYUID."""
        answer = self.connection.response("COPYUID")[1][-1] or b""
        numbers = answer.partition(b"]")[0].split()
        if len(numbers) < 3 or not numbers[0].isdigit():
            return None
        # A range may name four billion UIDs; no command copies more than 10,000 messages.
        before, after = (
            list(islice(chain.from_iterable(uid_ranges(each)), 10_000)) for each in numbers[1:3]
        )
        return {
            old: ServerLocation("", int(numbers[0]), new)
            for old, new in zip(before, after, strict=False)
        }

    def list_folders(self, on_count: Callable[[int], None] = lambda count: None) -> None:
        """Read the folders from the server into `folders`. `on_count`: see
        `ImapConnection.list_folders`.
        """
        account = self.account
        named = {
            *account.folders,
            *account.ham_folders,
            *account.spam_folders,
            *self._chosen().values(),
        } - {""}
        options = [b"SPECIAL-USE"] if self.can("SPECIAL-USE") and self.can("LIST-EXTENDED") else []
        options += (
            [b"STATUS (MAILBOXID)"] if self.can("OBJECTID") and self.can("LIST-STATUS") else []
        )
        wanted = [raw for name in named for raw in (encoded(name), name.encode())]
        listed = read_folders(
            self.connection.list_folders(options=options, wanted=wanted, on_count=on_count)
        )
        self.folders = ServerFolders(listed, self._chosen(), self._prefix(listed))

    def _chosen(self) -> dict[str, str]:
        account = self.account
        return {
            JUNK: account.spam_folder,
            ARCHIVE: account.archive_folder,
            TRASH: account.trash_folder,
        }

    def find(self, use: str) -> ServerFolder | None:
        """Return the folder with a special use. Create the one named by the user; None if that
        fails.
        """
        name = self.folders.to_create(use)
        # A server with all folders below the inbox refuses names without the prefix.
        for tried in dict.fromkeys((name, self.folders.prefix + name)) if name else ():
            raw = encoded(tried).decode("ascii")
            try:
                self.client.create_folder(raw)
                # Not every server has subscriptions.
                with suppress(Refusal):
                    self.client.subscribe_folder(raw)
                self.list_folders()
                break
            except Refusal as refusal:
                if refusal.temporary:
                    raise
        return self.folders.used[use]

    def close(self) -> None:
        self.client.logout()

    def _prefix(self, listed: Collection[ServerFolder]) -> str:
        """Return the prefix of personal folders; requested only if a chosen folder's name may lack
        it.
        """
        missing = set(self._chosen().values()) - {"", *(each.name for each in listed)}
        if not missing or not self.can("NAMESPACE"):
            return ""
        with suppress(Refusal, IMAPClientError):
            return next(
                (readable(prefix) for prefix, _ in self.client.namespace().personal or ()), ""
            )
        return ""


def _opened(name: str, responses: dict[str, list[Any]], resumed: bool) -> OpenFolder:
    texts = (
        responses.get(kind, [b""])[-1].partition(b"]")[0]
        for kind in ("UIDVALIDITY", "EXISTS", "HIGHESTMODSEQ")
    )
    # A modseq has 63 bits.
    validity, exists, modseq = (
        int(text) if text.isdigit() and len(text) <= 18 else 0 for text in texts
    )
    if not validity:
        raise KnownError(ErrorCode.SERVER_BROKEN, f"{name}: no UIDVALIDITY")
    flags = b" ".join(
        found.group(1) for line in responses.get("OK", []) if (found := _PERMANENT.match(line))
    )
    permanent = frozenset(flags.decode("ascii", "replace").lower().split())
    return OpenFolder(
        name, validity, exists, modseq, permanent, "READ-ONLY" not in responses, resumed, responses
    )
