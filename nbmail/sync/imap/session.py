"""Session of an account at its server: login, commands on folders, logout."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress

from imapclient.exceptions import IMAPClientError, ProtocolError

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.imap.folders.folder_listing import read_folders
from nbmail.sync.imap.folders.name_encoding import encoded, readable
from nbmail.sync.imap.folders.server_folders import ServerFolder, ServerFolders
from nbmail.sync.imap.message_commands import MessageCommands
from nbmail.sync.imap.protocol.connecting import READ_TIMEOUT, connect
from nbmail.sync.imap.protocol.imap_connection import ImapClient
from nbmail.sync.imap.protocol.login import log_in
from nbmail.sync.imap.protocol.names import astring
from nbmail.sync.imap.protocol.open_folder import FolderCounts, OpenFolder, read_opened
from nbmail.sync.imap.protocol.refusals import Refusal, translating_errors
from nbmail.sync.mailbox_values import FolderCount, MailServer, TryStep
from nbmail.sync.wake_signal import WakeSignal
from nbmail.values import ARCHIVE, JUNK_FOLDER, TRASH, StoredFolder


class Session(MessageCommands):
    """Logged-in connection of one account, for the account's thread only."""

    def __init__(self, account: Account, client: ImapClient, password: str) -> None:
        super().__init__(client)
        self.account = account
        self._password = password
        self.connection.max_literal = account.largest_message + 65_536
        announced = client.capabilities()
        self.capabilities = frozenset(each.decode("ascii", "replace") for each in announced)
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
        """Connect and log in. `on_step` is called at each step.

        `prepare`: also enable QRESYNC and list the folders.
        """
        server = MailServer(account.host, account.port, account.security, account.authority_file)
        client = connect(server, wake_signal, timeout=timeout)
        try:
            on_step(TryStep.PROTECTED)
            mechanism = log_in(client, account.user, password)
            on_step(TryStep.LOGGED_IN)

            session = cls(account, client, password)
            session.mechanism = mechanism
            session._identify()
            if prepare:
                session._enable_qresync()
                session.list_folders(lambda count: on_step(FolderCount(count)))
        except BaseException:
            client.shutdown()
            raise
        return session

    def can(self, capability: str) -> bool:
        return capability in self.capabilities

    def select(
        self, name: str, stored: StoredFolder | None = None, *, other: str = ""
    ) -> OpenFolder:
        """Open a folder; with QRESYNC also request the changes since `stored`.

        `other`: folder with an ASCII name whose UIDVALIDITY and UIDNEXT are requested in the same
        round trip.
        """
        arguments = [astring(self.folders.raw(name))]
        resumed = False
        if self._has_qresync and stored is not None and stored.modseq and stored.validity:
            resumed = True
            arguments.append(b"(QRESYNC (%d %d))" % (stored.validity, stored.modseq))
        elif self.can("CONDSTORE"):
            arguments.append(b"(CONDSTORE)")

        self.selected = None
        status_tag = self.connection.begin_status(self.folders.raw(other)) if other else b""
        try:
            self.client._raw_command(b"SELECT", arguments, uid=False)
        except Refusal as refusal:
            if refusal.temporary:
                raise
            raise KnownError(ErrorCode.FOLDER_MISSING, name) from refusal
        if status_tag:
            with suppress(Refusal):
                self.connection.end_status(status_tag)

        self.connection.state = "SELECTED"
        self.connection.unsolicited.clear()
        responses = dict(self.connection.untagged_responses)
        self.selected = read_opened(name, responses, resumed=resumed)
        return self.selected

    def is_open(self, name: str) -> bool:
        return self.selected is not None and self.selected.name == name

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
        wake_signal = self.client.wake_signal
        session = Session.open(self.account, self._password, wake_signal, timeout, prepare=False)
        try:
            with translating_errors():
                session.client.select_folder(self.folders.wire(name), readonly=True)
        except BaseException:
            session.close()
            raise
        session.connection.unsolicited.clear()
        return session

    @translating_errors()
    def counts(self, name: str, *items: str) -> FolderCounts:
        """Return STATUS by item; empty if refused.

        Equal default items mean that nothing happened in the folder.
        """
        if not items:
            items = ("UIDVALIDITY", "UIDNEXT", "MESSAGES")
            if self.can("CONDSTORE"):
                items = (*items, "HIGHESTMODSEQ")
        try:
            found = self.client.folder_status(self.folders.wire(name), items)
        except Refusal as refusal:
            if refusal.temporary:
                raise
            return {}
        except (LookupError, ProtocolError):  # OK without a STATUS response, or an unreadable one.
            return {}
        return {item.upper(): number for item, number in found.items() if isinstance(number, int)}

    def list_folders(self, on_count: Callable[[int], None] = lambda count: None) -> None:
        """Read the folders from the server into `folders`.

        `on_count`: see `ImapConnection.list_folders`.
        """
        options = []
        if self.can("SPECIAL-USE") and self.can("LIST-EXTENDED"):
            options.append(b"SPECIAL-USE")
        if self.can("OBJECTID") and self.can("LIST-STATUS"):
            options.append(b"STATUS (MAILBOXID)")

        account = self.account
        used = (*account.folders, *account.ham_folders, *account.spam_folders)
        named = {*used, *self._chosen().values()} - {""}
        # Some servers don't encode names.
        wanted = [encoded(name) for name in named] + [name.encode() for name in named]

        replies = self.connection.list_folders(options=options, wanted=wanted, on_count=on_count)
        listed = read_folders(replies)
        self.folders = ServerFolders(listed, self._chosen(), self._prefix(listed))

    def find(self, use: str) -> ServerFolder | None:
        """Return the folder with a special use.

        Create the one named by the user if it is missing; None if that fails.
        """
        name = self.folders.to_create(use)
        if name:
            # A server with all folders below the inbox refuses names without the prefix.
            for tried in dict.fromkeys((name, self.folders.prefix + name)):
                if self._create(tried):
                    self.list_folders()
                    break
        return self.folders.used[use]

    def close(self) -> None:
        self.client.logout()

    def _identify(self) -> None:
        """Send the program's name: NetEase opens no folder without it."""
        if self.can("ID"):
            with suppress(Refusal, IMAPClientError):
                self.client.id_({"name": "nbmail"})

    def _enable_qresync(self) -> None:
        if self.can("QRESYNC") and self.can("ENABLE"):
            with suppress(Refusal):
                self._has_qresync = b"QRESYNC" in self.client.enable("QRESYNC")

    def _chosen(self) -> dict[str, str]:
        account = self.account
        return {
            JUNK_FOLDER: account.spam_folder,
            ARCHIVE: account.archive_folder,
            TRASH: account.trash_folder,
        }

    def _create(self, name: str) -> bool:
        """Create a folder and subscribe to it. False if the server refuses the name."""
        raw = encoded(name).decode("ascii")
        try:
            self.client.create_folder(raw)
        except Refusal as refusal:
            if refusal.temporary:
                raise
            return False
        # Not every server has subscriptions.
        with suppress(Refusal):
            self.client.subscribe_folder(raw)
        return True

    def _prefix(self, listed: Collection[ServerFolder]) -> str:
        """Return the prefix of personal folders; empty if all chosen folders were listed."""
        names = {each.name for each in listed}
        missing = set(self._chosen().values()) - names - {""}
        if not missing or not self.can("NAMESPACE"):
            return ""
        with suppress(Refusal, IMAPClientError):
            personal = self.client.namespace().personal
            if personal:
                prefix, _ = personal[0]
                return readable(prefix)
        return ""
