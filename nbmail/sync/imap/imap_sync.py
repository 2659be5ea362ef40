"""Synchronization of an IMAP account: which folders, in which order, how thoroughly and when."""

import time
from collections import Counter
from collections.abc import Callable, Mapping

from nbmail.core.folders.own_folders import own_folders
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account, Sorting
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.accounts.account_thread import MOST_SENT, AccountThread
from nbmail.sync.folder_sync import Interrupted
from nbmail.sync.imap.actions.action_batch import NO_FLAGS
from nbmail.sync.imap.actions.action_runner import ActionRunner
from nbmail.sync.imap.folders.flag_polling import FlagPolling
from nbmail.sync.imap.folders.folder_names import JUNK
from nbmail.sync.imap.folders.imap_folder import ImapFolder
from nbmail.sync.imap.folders.sent_folder import sent_heads
from nbmail.sync.imap.idle.idle_connections import IdleConnections
from nbmail.sync.imap.idle.server_load import ServerLoad
from nbmail.sync.imap.idle.waiting import wait_for_changes
from nbmail.sync.imap.protocol.connecting import READ_TIMEOUT
from nbmail.sync.imap.protocol.refusals import ConnectionRejected
from nbmail.sync.imap.session import Session
from nbmail.values import ActionKind, FolderName, Outcome

# Folders are rarely created or deleted.
LIST_EVERY = 300.0
# The account's own connection waits while another is opened.
IDLE_CONNECT_TIMEOUT = 10.0
# Delays against a server that always reports changes without any.
FIRST_DELAY = 0.1
LONGEST_DELAY = 30.0
# Messages fetched of a folder that is only suggested for moves: of many folders fewer each, so that
# all have the total.
NEWEST_FILED = 300
LEAST_FILED = 15
MOST_FILED = 30_000
# New folders among which renamed ones are looked for.
MOST_RENAMED = 200
# Suggested folders that are looked at between two looks at the inbox.
LOOKED_AT = 100


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
        self._server = account.host, account.port
        self._actions = ActionRunner(self.account.name, self._backend)
        self._session: Session | None = None
        self._idle = IdleConnections(self._connect_idle, self._server, self._load)
        self._polling: dict[str, FlagPolling] = {}
        # Folders that are listed and can't be opened.
        self._unopenable: set[str] = set()
        # Folders with messages that the server sent empty, and their number.
        self._empty: dict[str, int] = {}
        self._polled_at = self._first_at = self._listed_at = self._delay = 0.0
        self._others: list[str] = []
        # The pass in which each suggested folder was looked at last.
        self._looked: dict[str, int] = {}
        # Reason of the server for refusing an automatic move, until it is reported; folder that
        # stores no keywords.
        self._refusal = self._without_keywords = ""
        # Result of STATUS when the sent mail was read.
        self._sent: dict[bytes, int] = {}

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
        self._unopenable.clear()
        self._note_folders(self._session)
        self._polled_at = float("-inf")
        self._delay = 0.0

    def sync(self) -> KnownError | None:
        """Run pending actions, then sync all folders that may have changed. The folder to idle in
        comes last.
        """
        session = self._connected()
        woken = self.wake_signal.was_woken()
        acted = self._run_actions(session)
        names, missing = self._watched(session)
        if (
            missing
            or self._actions.lacks_spam_folder
            or time.monotonic() - self._listed_at >= LIST_EVERY
        ):
            session.list_folders()
            self._note_folders(session)
            names, missing = self._watched(session)
        if not names:
            return missing
        self._read_sent(session)
        reported = self._idle.changed
        self._idle.changed = set()
        everywhere = (woken or acted) and not self._actions.has_more
        changed = self._sync_folders(session, names, reported, everywhere=everywhere)
        self._throttle(changed or acted, reported=bool(reported or session.connection.unsolicited))
        self._others = names[1:]
        return missing or self._problem()

    def wait(self) -> None:
        session = self._connected()
        if self._actions.has_more:
            return
        if not self._looked.keys() >= set(self._suggested):
            self._polled_at = float("-inf")
            return
        self._watch_others(session)
        wait_for_changes(session, self._idle, self.account.poll_seconds)

    def close(self) -> None:
        self._idle.close()
        if self._session is not None:
            self._session.close()
            self._session = None

    def _note_folders(self, session: Session) -> None:
        self._listed_at = time.monotonic()
        account = self.account.name
        is_gmail = session.can("X-GM-EXT-1")
        listed = session.folders.usable(account, all_is_archive=is_gmail)
        ids = {
            each.name.folder: each.mailbox_id
            for each in listed
            if each.name.folder in session.folders
        }
        renamed = self._renamed(session, ids)
        self._backend.list_folders(account, listed, renamed)
        for name in renamed:
            self._syncs.pop(name, None)

    def _renamed(self, session: Session, listed: Mapping[str, str]) -> dict[str, str]:
        """Return the new names of folders that are no longer listed, by MAILBOXID and, if unknown,
        by UIDVALIDITY.

        `listed`: MAILBOXID of each folder. UIDVALIDITY may change with the name, and different
        folders may share one.
        """
        known = self._backend.known_folders(self.account.name)
        lost = {name: each for name, each in known.items() if name not in listed}
        new = {name: mailbox_id for name, mailbox_id in listed.items() if name not in known}
        same = _matched({name: each.mailbox_id for name, each in lost.items()}, new)
        stored = {
            name: each.validity for name, each in lost.items() if each.validity and name not in same
        }
        left = [name for name in new if name not in same.values()][:MOST_RENAMED] if stored else []
        counts = {name: session.counts(name, "UIDVALIDITY").get(b"UIDVALIDITY", 0) for name in left}
        found = _matched(stored, counts)
        return same | {
            old: name for old, name in found.items() if not (lost[old].mailbox_id and new[name])
        }

    def _connect_idle(self, name: str) -> Session:
        return self._connected().watch(name, min(self._timeout, IDLE_CONNECT_TIMEOUT))

    def _watch_others(self, session: Session) -> None:
        """Idle in the other folders: those named by the user, then the spam folder."""
        trained = {*self._suggested, *self.training.folders()} - set(self.account.folders)
        self._idle.watch(
            [name for name in self._others if name not in trained] if session.can("IDLE") else []
        )

    def _run_actions(self, session: Session) -> bool:
        """Run pending actions and update the stored locations. True if any were completed."""
        try:
            return self._actions.run(session)
        finally:
            # Completed ones count also if the connection broke after them.
            for action, outcome, detail, new_location in self._actions.ended:
                name = action.folder.folder
                if outcome is Outcome.REFUSED and action.kind is ActionKind.SORT:
                    self._refusal = detail
                elif detail == NO_FLAGS and action.kind is ActionKind.KEYWORDS:
                    self._without_keywords = name
                flags = (
                    self._syncs[name].apply_outcome(action, outcome)
                    if name in self._syncs
                    else None
                )
                if new_location is not None and new_location.folder in self._syncs:
                    self._syncs[new_location.folder].add_location(new_location, flags)

    def _read_sent(self, session: Session) -> None:
        """Read the recipients of new messages in the folder of sent mail, before mail from them
        arrives.
        """
        folder = session.folders.sent
        counts = session.counts(folder.name, "UIDVALIDITY", "UIDNEXT") if folder is not None else {}
        if folder is None or (counts and counts == self._sent):
            return
        try:
            validity = session.select(folder.name).validity
            first = (
                self._backend.sent_upto(FolderName(self.account.name, folder.name), validity) + 1
            )
            uids = sorted(uid for uid in session.search(b"UID %d:*" % first) if uid >= first)[
                -MOST_SENT:
            ]
            self._store_sent(folder.name, validity, sent_heads(session, uids), len(uids))
        except KnownError as error:
            # A server that refuses this must not stop the mail.
            if error.error_code not in (ErrorCode.FOLDER_MISSING, ErrorCode.SERVER_REFUSED):
                raise
        self._sent = counts

    def _sync_folders(
        self, session: Session, names: list[str], reported: set[str], *, everywhere: bool
    ) -> bool:
        """Synchronize the first folder, the reported ones, all others when due, and open the first
        one again.
        """
        first, *others = names
        everywhere = everywhere or time.monotonic() - self._polled_at >= self.account.poll_seconds
        # If only others changed, the first folder is synchronized once, when it is opened again.
        first_now = everywhere or not reported or bool(session.connection.unsolicited)
        changed = first_now and self._sync_first(session, first)
        if everywhere:
            self._polled_at = time.monotonic()
        due = self._in_turn(others) if everywhere else [name for name in others if name in reported]
        changed = (
            any([self._sync_if_changed(session, name, reported=name in reported) for name in due])
            or changed
        )
        if session.selected is None or session.selected.name != first:
            changed = self._sync_first(session, first) or changed
        return changed

    def _in_turn(self, names: list[str]) -> list[str]:
        """Return the folders to look at now: of the suggested ones those that waited longest."""
        waiting = sorted(self._suggested, key=lambda name: self._looked.get(name, 0))[:LOOKED_AT]
        self._looked |= dict.fromkeys(waiting, max(self._looked.values(), default=0) + 1)
        later = set(self._suggested).difference(waiting)
        return [name for name in names if name not in later]

    def _sync_first(self, session: Session, first: str) -> bool:
        self._first_at = time.monotonic()
        return self._sync_folder(session, first)

    def _connected(self) -> Session:
        if self._session is None:
            raise KnownError(ErrorCode.SERVER_GONE)
        return self._session

    def _watched(self, session: Session) -> tuple[list[str], KnownError | None]:
        """Return the watched folders on the server, and an error if one is missing."""
        wanted = dict.fromkeys((*self.account.folders, *self.training.folders()))
        spam = session.folders.spam
        # What sorting moved is put back from there, by any client.
        if (
            self.account.watch_spam or self.account.sorting is not Sorting.SHOW
        ) and spam is not None:
            wanted[spam.name] = None
        wanted = {name: None for name in wanted if not self.training.is_paused(name)}
        missing = [name for name in wanted if name not in session.folders]
        self._suggested = []
        if self.account.suggested_folders and not self.training.paused:
            folders = session.folders
            listed = (
                (each.name, folders.special(each.name)) for each in folders.all if each.selectable
            )
            own = own_folders(listed, self.account.suggested_folders)
            self._suggested = [
                name for name in own if name not in wanted and not self.training.label(name)
            ]
        found = [name for name in wanted if name in session.folders] + self._suggested
        return found, KnownError(ErrorCode.FOLDER_MISSING, missing[0]) if missing else None

    def _problem(self) -> KnownError | None:
        """Return a problem to show that stops nothing."""
        if self._actions.lacks_spam_folder:
            return KnownError(ErrorCode.FOLDER_MISSING, JUNK)
        if self._unopenable:
            return KnownError(ErrorCode.FOLDER_MISSING, min(self._unopenable))
        if self._empty:
            name, count = min(self._empty.items())
            return KnownError(ErrorCode.SERVER_BROKEN, f"{name}: {count} messages came empty")
        if self._refusal:
            refusal = self._refusal
            self._refusal = ""
            return KnownError(ErrorCode.SERVER_REFUSED, refusal)
        return (
            KnownError(ErrorCode.NO_KEYWORDS, self._without_keywords)
            if self._without_keywords
            else None
        )

    def _sync_if_changed(self, session: Session, name: str, *, reported: bool) -> bool:
        """Synchronize a folder that isn't open, if STATUS differs or a change was reported. True if
        it changed.
        """
        counts = session.counts(name)
        polling = self._polling.setdefault(name, FlagPolling())
        if (
            counts
            and counts == polling.counts
            and polling.listed
            and (not reported or b"HIGHESTMODSEQ" in counts)
        ):
            # Without CONDSTORE the server doesn't report flags, and equal numbers prove nothing
            # about them.
            can_wait = polling.can_wait(self._syncs[name].message_count)
            if session.can("CONDSTORE") or can_wait:
                return False
        polling.counts = {}
        changed = self._sync_folder(session, name)
        if polling.listed:
            polling.counts = counts
        return changed

    def _sync_folder(self, session: Session, name: str) -> bool:
        sync = self._folder_sync(name, session.folders.special(name))
        share = max(LEAST_FILED, MOST_FILED // max(1, len(self._suggested)))
        sync.newest = min(NEWEST_FILED, share) if name in self._suggested else 0
        polling = self._polling.setdefault(name, FlagPolling())
        folder = ImapFolder(session, name, polling)
        try:
            changed = sync.sync(folder)
        except Interrupted:
            return True
        except KnownError as error:
            if error.error_code is not ErrorCode.FOLDER_MISSING:
                raise
            self._unopenable.add(name)
            return False
        self._unopenable.discard(name)
        self._empty.pop(name, None)
        if folder.empty:
            self._empty[name] = len(folder.empty)
        polling.listed = True
        return changed

    def _yield_turn(self, name: str) -> None:
        """Run actions and synchronize the first folder in the middle of a fetch. Raises
        `Interrupted` to end it.
        """
        session = self._connected()
        self.wake_signal.check()
        # The wake-up is left to the next synchronization.
        if self.wake_signal.wait_for_wake(0.0):
            self._run_actions(session)
        names = self._watched(session)[0]
        if name not in names:
            raise Interrupted
        if name != names[0] and time.monotonic() - self._first_at >= self.account.poll_seconds:
            self._sync_first(session, names[0])

    def _throttle(self, changed: bool, *, reported: bool) -> None:
        """Wait longer and longer while changes are reported and none are found."""
        if changed or not reported:
            self._delay = 0.0
            return
        self._delay = min(LONGEST_DELAY, max(FIRST_DELAY, self._delay * 2))
        self.wake_signal.wait_for_wake(self._delay)


def _matched(old: Mapping[str, int | str], new: Mapping[str, int | str]) -> dict[str, str]:
    """Return the old and the new name of each key that both have once."""
    names = {key: name for name, key in old.items() if key}
    times = Counter((*old.values(), *new.values()))
    return {names[key]: name for name, key in new.items() if key in names and times[key] == 2}
