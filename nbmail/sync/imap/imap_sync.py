"""Keeping the folders of an IMAP account in step: which of them, in which order, how thoroughly, and when again."""

import time
from collections.abc import Callable

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.account_sync import AccountSync
from nbmail.sync.connection.imap_connection import TurnedAway
from nbmail.sync.folder_sync import Interrupted
from nbmail.sync.imap.action_runner import ActionRunner
from nbmail.sync.imap.folder_names import JUNK
from nbmail.sync.imap.idle import IdleConnections, ServerLoad, rest
from nbmail.sync.imap.imap_folder import SMALL_FOLDER, FlagPolling, ImapFolder
from nbmail.sync.imap.session import Session

# Folders come and go seldom.
LIST_EVERY = 300.0
# The account's own connection waits while another is opened, and so does the user.
PATIENCE_BESIDE = 10.0
# A server that always has news and never anything new is not asked faster and faster.
FIRST_LULL, LONGEST_LULL = 0.1, 30.0


class ImapSync(AccountSync):
    """Keeps one IMAP account in step."""

    def __init__(
        self,
        account: Account,
        backend: AccountBackend,
        clock: Callable[[], float],
        *,
        password: Callable[[], str | None],
        patience: float,
        load: ServerLoad,
    ) -> None:
        super().__init__(account, backend, clock)
        self._password, self._patience, self._load = password, patience, load
        self._server = self._account.host, self._account.port
        self._pending_actions = ActionRunner(self._account.name, self._backend)
        self._session: Session | None = None
        self._secret = ""
        self._idle = IdleConnections(self._connect_beside, self._server, load)
        self._polling: dict[str, FlagPolling] = {}
        # Folders that are listed and can't be opened.
        self._shut: set[str] = set()
        # Folders of which messages came empty, with how many.
        self._withheld: dict[str, int] = {}
        self._polled_at = self._first_at = self._named_at = self._lull = 0.0
        self._beside: list[str] = []

    def open(self) -> None:
        """Connect and log in."""
        password = self._password()
        if password is None:
            raise KnownError(ErrorCode.NO_PASSWORD)
        try:
            self._session = Session.open(self._account, password, self.wake_signal, self._patience)
        except TurnedAway:
            # What is refused later, at the login, is this account's own matter.
            self._load.turned_away(self._server)
            raise
        self._secret = password
        self._polling.clear()
        self._shut.clear()
        self._named_at = time.monotonic()
        self._polled_at = float("-inf")
        self._lull = 0.0

    def round(self) -> KnownError | None:
        """Run pending actions, then sync all folders that may have changed. The folder to idle in comes last."""
        session = self._connected()
        woken = self.wake_signal.woken()
        pending_actions = self._run_actions(session)
        names, missing = self._watched(session)
        if missing or self._pending_actions.homeless or time.monotonic() - self._named_at >= LIST_EVERY:
            session.list_folders()
            self._named_at = time.monotonic()
            names, missing = self._watched(session)
        if not names:
            return missing
        told, self._idle.told = self._idle.told, set()
        moved = self._look_at_all(
            session, names, told, everywhere=(woken or pending_actions) and not self._pending_actions.more
        )
        self._calm_down(moved or pending_actions, news=bool(told or session.connection.news))
        self._beside = names[1:]
        return missing or self._lack()

    def rest(self) -> None:
        """Wait for news, to be woken, or for the time to look at the folders of which nobody tells."""
        session = self._connected()
        if self._pending_actions.more:
            return
        self._listen_beside(session)
        rest(session, self._idle, self._account.poll_seconds)

    def close(self) -> None:
        """Hang up."""
        self._idle.close()
        if self._session is not None:
            self._session.close()
            self._session = None

    def _connect_beside(self) -> Session:
        patience = min(self._patience, PATIENCE_BESIDE)
        session = Session.open(self._account, self._secret, self.wake_signal, patience, prepare=False)
        session.folders = self._connected().folders
        return session

    def _listen_beside(self, session: Session) -> None:
        """Listen to the folders beside the first: those the user named, then the junk folder."""
        listening = session.can("IDLE")
        taught = set(self.training.folders()) - set(self._account.folders)
        others = [name for name in self._beside if name not in taught] if listening else []
        self._idle.watch(others)

    def _run_actions(self, session: Session) -> bool:
        """Tell the server what waits, and know where messages lie by that: whether anything was told."""
        told = self._pending_actions.run(session)
        for action, outcome, new_location in self._pending_actions.completed:
            name = action.folder.folder
            flags = self._syncs[name].follow(action, outcome) if name in self._syncs else frozenset[str]()
            if new_location is not None and new_location.folder in self._syncs:
                self._syncs[new_location.folder].add_place(new_location, flags)
        return told

    def _look_at_all(self, session: Session, names: list[str], told: set[str], *, everywhere: bool) -> bool:
        """The first folder, those of which something was told, the others when it is time, and the first again."""
        first, *others = names
        everywhere = everywhere or time.monotonic() - self._polled_at >= self._account.poll_seconds
        # Where others have news and it has none, it is looked at once, when it is opened again.
        moved = (everywhere or not told or bool(session.connection.news)) and self._look_at_first(session, first)
        if everywhere:
            self._polled_at = time.monotonic()
            moved = any([self._look_at_other(session, name, told=name in told) for name in others]) or moved
        else:
            moved = any([self._look_at_other(session, name, told=True) for name in others if name in told]) or moved
        if session.selected is None or session.selected.name != first:
            moved = self._look_at_first(session, first) or moved
        return moved

    def _look_at_first(self, session: Session, first: str) -> bool:
        self._first_at = time.monotonic()
        return self._look_at(session, first)

    def _connected(self) -> Session:
        if self._session is None:
            raise KnownError(ErrorCode.SERVER_GONE)
        return self._session

    def _watched(self, session: Session) -> tuple[list[str], KnownError | None]:
        """The folders to keep in step that the server has, and the trouble about those that it hasn't."""
        wanted = dict.fromkeys((*self._account.folders, *self.training.folders()))
        junk = session.folders.junk
        if self._account.watch_junk and junk is not None:
            wanted[junk.name] = None
        wanted = {name: None for name in wanted if not self.training.rests(name)}
        missing = [name for name in wanted if name not in session.folders]
        there = [name for name in wanted if name in session.folders]
        return there, KnownError(ErrorCode.FOLDER_MISSING, missing[0]) if missing else None

    def _lack(self) -> KnownError | None:
        if self._pending_actions.homeless:
            return KnownError(ErrorCode.FOLDER_MISSING, JUNK)
        if self._shut:
            return KnownError(ErrorCode.FOLDER_MISSING, min(self._shut))
        if self._withheld:
            name, count = min(self._withheld.items())
            return KnownError(ErrorCode.SERVER_BROKEN, f"{name}: {count} messages came empty")
        refused, self._pending_actions.refused = self._pending_actions.refused, ""
        if refused:
            return KnownError(ErrorCode.SERVER_REFUSED, refused)
        return (
            KnownError(ErrorCode.NO_KEYWORDS, self._pending_actions.wordless)
            if self._pending_actions.wordless
            else None
        )

    def _look_at_other(self, session: Session, name: str, *, told: bool) -> bool:
        """Look at a folder that is not the open one, if its numbers say so or something was told of it.

        What we did ourselves is told too: where changed flags change the numbers, what they don't show is no news.
        """
        numbers = session.counts(name)
        polling = self._polling.setdefault(name, FlagPolling())
        trusted = not told or b"HIGHESTMODSEQ" in numbers
        if trusted and numbers and numbers == polling.numbers and not self._is_due(session, name, polling):
            return False
        polling.numbers = {}
        changed = self._look_at(session, name)
        if polling.listed:
            polling.numbers = numbers
        return changed

    def _is_due(self, session: Session, name: str, polling: FlagPolling) -> bool:
        """Whether numbers that stay the same prove nothing: not wholly listed yet, or flags that nobody tells of."""
        if not polling.listed or session.can("CONDSTORE"):
            return not polling.listed
        return self._syncs[name].known <= SMALL_FOLDER or polling.due

    def _look_at(self, session: Session, name: str) -> bool:
        """Bring one folder in step: whether anything had changed."""
        sync = self._folder_sync(name, session.folders.special(name))
        polling = self._polling.setdefault(name, FlagPolling())
        thorough = not polling.listed or sync.known <= SMALL_FOLDER
        polling.listed = False
        folder = ImapFolder(session, name, polling)
        try:
            changed = sync.step(folder, thorough=thorough)
        except Interrupted:
            return True
        except KnownError as error:
            if error.error_code is not ErrorCode.FOLDER_MISSING:
                raise
            self._shut.add(name)
            return False
        self._shut.discard(name)
        self._withheld.pop(name, None)
        if folder.withheld:
            self._withheld[name] = len(folder.withheld)
        polling.listed = True
        return changed

    def _between(self, name: str) -> None:
        """In the middle of fetching a folder: errands and new mail have their turn, and a training may be over."""
        session = self._connected()
        self.wake_signal.check()
        if self.wake_signal.woken():
            self._run_actions(session)
        names = self._watched(session)[0]
        if name not in names:
            raise Interrupted
        if name != names[0] and time.monotonic() - self._first_at >= self._account.poll_seconds:
            self._look_at_first(session, names[0])

    def _calm_down(self, moved: bool, *, news: bool) -> None:
        if moved or not news:
            self._lull = 0.0
            return
        self._lull = min(LONGEST_LULL, max(FIRST_LULL, self._lull * 2))
        self.wake_signal.listen(self._lull)
