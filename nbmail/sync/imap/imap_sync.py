"""Synchronization of an IMAP account: in which order, how thoroughly and when."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.accounts.account_thread import AccountThread
from nbmail.sync.folder_sync import Interrupted
from nbmail.sync.imap.account_problems import AccountProblems
from nbmail.sync.imap.actions.action_runner import ActionRunner
from nbmail.sync.imap.actions.folder_actions import EndedAction
from nbmail.sync.imap.folders.flag_polling import FlagPolling
from nbmail.sync.imap.folders.imap_folder import ImapFolder
from nbmail.sync.imap.folders.renamed_folders import renamed_folders
from nbmail.sync.imap.folders.sent_folder import SentFolder
from nbmail.sync.imap.folders.watched_folders import WatchedFolders
from nbmail.sync.imap.idle.idle_connections import IdleConnections
from nbmail.sync.imap.idle.server_load import ServerLoad
from nbmail.sync.imap.idle.waiting import wait_for_changes
from nbmail.sync.imap.protocol.connecting import READ_TIMEOUT
from nbmail.sync.imap.protocol.open_folder import FolderCounts
from nbmail.sync.imap.protocol.refusals import ConnectionRejected
from nbmail.sync.imap.session import Session
from nbmail.values import JUNK_FOLDER

# Folders are rarely created or deleted.
LIST_EVERY = 300.0
# The account's own connection waits while another is opened.
IDLE_CONNECT_TIMEOUT = 10.0
# Delays against a server that always reports changes without any.
FIRST_DELAY = 0.1
LONGEST_DELAY = 30.0


@dataclass(slots=True)
class SyncPass:
    """What one `sync` has found so far.

    `changed`: something was delivered. `is_first_synced`: no known change of the first folder is
    left. `had_reports`: the server reported changes.
    """

    changed: bool = False
    is_first_synced: bool = False
    had_reports: bool = False


class ImapSync(AccountThread):
    """Synchronization of one IMAP account.

    `password` is called at each connection and may block; None if there is no password now. After
    `timeout` seconds without an expected answer the server counts as gone. The accounts of a run
    share `load`.
    """

    def __init__(
        self,
        account: Account,
        backend: AccountBackend,
        password: Callable[[], str | None],
        *,
        timeout: float = READ_TIMEOUT,
        load: ServerLoad | None = None,
    ) -> None:
        super().__init__(account, backend)
        self._password = password
        self._timeout = timeout
        self._load = load or ServerLoad()
        self._server = (account.host, account.port)
        self._session: Session | None = None
        self._actions = ActionRunner(account.name, backend)
        self._watched = WatchedFolders(account, self.training)
        self._sent = SentFolder(self._sent_delivery)
        self._idle = IdleConnections(self._connect_idle, self._server, self._load)
        self._polling: dict[str, FlagPolling] = {}
        self._problems = AccountProblems()
        self._pass = SyncPass()
        # Times of the latest look at all folders, at the first one, and of the latest listing.
        self._polled_at = 0.0
        self._first_at = 0.0
        self._listed_at = 0.0
        self._delay = 0.0

    def open(self) -> None:
        password = self._password()
        if password is None:
            raise KnownError(ErrorCode.NO_PASSWORD)
        try:
            self._session = Session.open(self.account, password, self.wake_signal, self._timeout)
        except ConnectionRejected:
            # A refusal at login concerns only this account.
            self._load.reject(self._server)
            raise
        self._polling.clear()
        self._problems.unopenable.clear()
        self._note_folders(self._session)
        self._polled_at = float("-inf")
        self._delay = 0.0

    def sync(self) -> KnownError | None:
        """Synchronize all folders that may have changed, and run pending actions.

        New mail that the server announced comes first, except after a wake-up: then the user
        waits for an action. The folder to idle in comes last.
        """
        session = self._connected()
        self._pass = SyncPass()
        self._sent.begin_pass()
        self._choose_folders(session)
        woken = self.wake_signal.was_woken()
        if not woken:
            self._sync_announced(session)
            # The engine may want to move what just arrived.
            woken = self.wake_signal.was_woken()

        acted = self._run_actions(session)
        self._list_folders_if_due(session)
        if self._watched.names:
            self._sent.read_first(session)
            self._sync_due(session, has_effects=woken or acted)
            self._throttle(changed=self._pass.changed or acted)
        return self._problem()

    def wait(self) -> None:
        session = self._connected()
        if self._actions.has_more:
            return
        if not self._watched.are_all_synced():
            self._polled_at = float("-inf")
            return
        # In the other folders: those named by the user, then the spam folder.
        self._idle.watch(self._watched.with_idle() if session.can("IDLE") else [])
        wait_for_changes(session, self._idle, self.account.poll_seconds)

    def close(self) -> None:
        self._idle.close()
        if self._session is not None:
            self._session.close()
            self._session = None

    def _connected(self) -> Session:
        if self._session is None:
            raise KnownError(ErrorCode.SERVER_GONE)
        return self._session

    def _connect_idle(self, name: str) -> Session:
        return self._connected().watch(name, min(self._timeout, IDLE_CONNECT_TIMEOUT))

    # ------------------------------------------------------------------------------------ folders

    def _choose_folders(self, session: Session) -> None:
        self._watched.update(session.folders)
        self._suggested = self._watched.suggested

    def _list_folders_if_due(self, session: Session) -> None:
        is_due = time.monotonic() - self._listed_at >= LIST_EVERY
        if is_due or self._watched.missing or self._actions.lacks_spam_folder:
            session.list_folders()
            self._note_folders(session)
            self._choose_folders(session)

    def _note_folders(self, session: Session) -> None:
        """Report the listed folders, and which of them are renamed."""
        self._listed_at = time.monotonic()
        account = self.account.name
        is_gmail = session.can("X-GM-EXT-1")
        usable = session.folders.usable(account, all_is_archive=is_gmail)
        existing = [each for each in usable if each.name.folder in session.folders]
        mailbox_ids = {each.name.folder: each.mailbox_id for each in existing}
        renamed = renamed_folders(session, self._backend.known_folders(account), mailbox_ids)
        self._backend.list_folders(account, usable, renamed)
        for name in renamed:
            self._syncs.pop(name, None)

    # ----------------------------------------------------------------------- one pass over folders

    def _sync_announced(self, session: Session) -> None:
        """Synchronize the folders whose changes the server announced."""
        if not self._watched.names:
            return
        if session.is_open(self._watched.names[0]) and session.connection.unsolicited:
            self._sync_first(session)
        for name in self._take_reported():
            self._sync_if_changed(session, name, reported=True)

    def _sync_due(self, session: Session, *, has_effects: bool) -> None:
        """Synchronize the first folder, and all others periodically or to see effects of actions.

        At the end the first folder is open.
        """
        if has_effects:
            self._pass.is_first_synced = False
        is_polling_due = time.monotonic() - self._polled_at >= self.account.poll_seconds
        everywhere = is_polling_due or (has_effects and not self._actions.has_more)
        reported = self._take_reported()
        # If only others changed, the first folder is synchronized when it is opened again.
        first_now = everywhere or not reported or bool(session.connection.unsolicited)
        if first_now and not self._pass.is_first_synced:
            self._sync_first(session)

        names = reported
        if everywhere:
            self._polled_at = time.monotonic()
            names = self._watched.due(self._watched.names[1:])
        for name in names:
            self._sync_if_changed(session, name, reported=name in reported)

        self._sent.read_if_changed(session)
        if not session.is_open(self._watched.names[0]):
            self._sync_first(session)

    def _take_reported(self) -> list[str]:
        """Return the watched folders, except the first, whose changes were reported."""
        reported = self._idle.changed
        self._idle.changed = set()
        self._pass.had_reports |= bool(reported)
        return [name for name in self._watched.names[1:] if name in reported]

    def _throttle(self, *, changed: bool) -> None:
        """Wait longer and longer while changes are reported and none are found."""
        unsolicited = self._connected().connection.unsolicited
        if changed or not (self._pass.had_reports or unsolicited):
            self._delay = 0.0
            return
        self._delay = min(LONGEST_DELAY, max(FIRST_DELAY, self._delay * 2))
        self.wake_signal.wait_for_wake(self._delay)

    # ---------------------------------------------------------------------------------- one folder

    def _sync_first(self, session: Session) -> None:
        self._first_at = time.monotonic()
        self._pass.is_first_synced = True
        self._sync_folder(session, self._watched.names[0])

    def _sync_if_changed(self, session: Session, name: str, *, reported: bool) -> None:
        """Synchronize a folder that isn't open, if STATUS differs or a change was reported."""
        counts = session.counts(name)
        polling = self._polling.setdefault(name, FlagPolling())
        is_equal = bool(counts) and counts == polling.counts and polling.listed
        if is_equal and self._proves_no_change(session, name, counts, reported=reported):
            return
        polling.counts = {}
        self._sync_folder(session, name)
        if polling.listed:
            polling.counts = counts

    def _proves_no_change(
        self, session: Session, name: str, counts: FolderCounts, *, reported: bool
    ) -> bool:
        """True if equal counts mean that the folder needn't be listed now."""
        if reported and b"HIGHESTMODSEQ" not in counts:
            return False
        # Without CONDSTORE the server doesn't report flags, and equal numbers prove nothing about
        # them.
        can_wait = self._polling[name].can_wait(self._syncs[name].message_count)
        return session.can("CONDSTORE") or can_wait

    def _sync_folder(self, session: Session, name: str) -> None:
        sync = self._folder_sync(name, session.folders.special(name))
        sync.newest = self._watched.newest(name)
        polling = self._polling.setdefault(name, FlagPolling())
        folder = ImapFolder(session, name, polling, self._sent)
        try:
            changed = sync.sync(folder)
        except Interrupted:
            self._pass.changed = True
            return
        except KnownError as error:
            if error.error_code is not ErrorCode.FOLDER_MISSING:
                raise
            self._problems.unopenable.add(name)
            return
        self._pass.changed |= changed
        self._problems.note_synced(name, len(folder.empty))
        polling.listed = True

    def _yield_turn(self, name: str) -> None:
        """Read sent mail, run actions and synchronize the first folder between two slices.

        Raise `Interrupted` if the folder is no longer watched.
        """
        session = self._connected()
        self.wake_signal.check()
        self._sent.read_if_changed(session)
        # The wake-up is left to the next synchronization.
        if self.wake_signal.wait_for_wake(0.0):
            self._run_actions(session)
        self._choose_folders(session)
        if name not in self._watched.names:
            raise Interrupted
        is_first_due = time.monotonic() - self._first_at >= self.account.poll_seconds
        if is_first_due and name != self._watched.names[0]:
            self._sync_first(session)

    # ------------------------------------------------------------------------- actions, problems

    def _run_actions(self, session: Session) -> bool:
        """Run pending actions and update the stored locations. True if any were completed."""
        try:
            return self._actions.run(session)
        finally:
            # Completed ones count also if the connection broke after them.
            for ended in self._actions.ended:
                self._problems.note_action(ended)
                self._apply_outcome(ended)

    def _apply_outcome(self, ended: EndedAction) -> None:
        action, outcome, _, new_location = ended
        flags = None
        sync = self._syncs.get(action.folder.folder)
        if sync is not None:
            flags = sync.apply_outcome(action, outcome)
        if new_location is not None and new_location.folder in self._syncs:
            self._syncs[new_location.folder].add_location(new_location, flags)

    def _problem(self) -> KnownError | None:
        """Return a problem to show that stops nothing."""
        if self._watched.missing:
            return KnownError(ErrorCode.FOLDER_MISSING, self._watched.missing[0])
        if self._actions.lacks_spam_folder:
            return KnownError(ErrorCode.FOLDER_MISSING, JUNK_FOLDER)
        return self._problems.next()
