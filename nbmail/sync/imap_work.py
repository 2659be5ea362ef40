"""Keeping the folders of an IMAP account in step: which of them, in which order, how thoroughly, and when again."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account
from nbmail.sync.bell import Bell
from nbmail.sync.desk import Desk, FolderName
from nbmail.sync.errands import Errands
from nbmail.sync.folders import JUNK
from nbmail.sync.idling import RENEWAL, rest
from nbmail.sync.imap_folder import ImapFolder
from nbmail.sync.session import Session
from nbmail.sync.states import Reporter
from nbmail.sync.step import FIRST_SLICE, Interrupted, Keeper
from nbmail.sync.training import Training

# On a server without CONDSTORE, flags that another client changed while we looked elsewhere show only when all are
# listed again: a small folder each time (40 bytes a message), a large one now and then.
THOROUGH_EVERY = 300.0
SMALL_FOLDER = 1000
# A server that always has news and never anything new is not asked faster and faster.
FIRST_LULL, LONGEST_LULL = 0.1, 30.0


class ImapWork:
    """The work of one IMAP account."""

    def __init__(
        self,
        account: Account,
        desk: Desk,
        bell: Bell,
        *,
        password: Callable[[], str | None],
        report: Reporter,
        training: Training,
        patience: float,
    ) -> None:
        self._account = account
        self._desk = desk
        self._password = password
        self._bell = bell
        self._report = report
        self._training = training
        self._patience = patience
        self._errands = Errands(account.name, desk)
        self._keepers: dict[str, Keeper] = {}
        self._session: Session | None = None
        self._listed_at: dict[str, float] = {}
        self._numbers: dict[str, tuple[int, ...]] = {}
        self._polled_at = self._first_at = self._named_at = self._lull = 0.0
        # Whether IDLE tells of all there is to know: one folder, nothing to ask for now and then.
        self._pushed = False

    def open(self) -> None:
        """Connect and log in."""
        password = self._password()
        if password is None:
            raise KnownError(Trouble.WRONG_PASSWORD, "")
        self._session = Session.open(self._account, password, self._bell, self._patience)
        self._listed_at.clear()
        self._numbers.clear()
        self._named_at = time.monotonic()
        self._polled_at = float("-inf")
        self._lull = 0.0

    def round(self) -> KnownError | None:
        """Errands first: the user waits for them. Then all folders that may have changed, the one to rest in last."""
        session = self._connected()
        rung = self._bell.quiet()
        errands = self._errands.run(session)
        names, missing = self._watched(session)
        if missing or self._errands.homeless or time.monotonic() - self._named_at >= THOROUGH_EVERY:
            session.list_folders()
            self._named_at = time.monotonic()
            names, missing = self._watched(session)
        self._pushed = False
        if not names:
            return missing
        first, *others = names
        moved = self._look_at(session, first)
        self._first_at = time.monotonic()
        if rung or errands or time.monotonic() - self._polled_at >= self._account.poll_seconds:
            moved = any([self._look_at_other(session, name) for name in others]) or moved
            self._polled_at = time.monotonic()
        if session.selected is None or session.selected.name != first:
            moved = self._look_at(session, first) or moved
        self._calm_down(session, moved or errands)
        self._pushed = not (others or missing or self._errands.waiting)
        return missing or self._homeless()

    def rest(self) -> None:
        """Wait for news of the first folder, a ring, or the time to look at the others."""
        session = self._connected()
        told = self._pushed and session.can("IDLE")
        rest(session, self._bell, RENEWAL if told else self._account.poll_seconds)

    def close(self) -> None:
        """Hang up."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _connected(self) -> Session:
        if self._session is None:
            raise KnownError(Trouble.SERVER_GONE)
        return self._session

    def _watched(self, session: Session) -> tuple[list[str], KnownError | None]:
        """The folders to keep in step that the server has, and the trouble about those that it hasn't."""
        wanted = dict.fromkeys((*self._account.folders, *self._training.folders()))
        junk = session.folders.junk
        if self._account.watch_junk and junk is not None:
            wanted[junk.name] = None
        missing = [name for name in wanted if name not in session.folders]
        there = [name for name in wanted if name in session.folders]
        return there, KnownError(Trouble.FOLDER_MISSING, missing[0]) if missing else None

    def _homeless(self) -> KnownError | None:
        return KnownError(Trouble.FOLDER_MISSING, JUNK) if self._errands.homeless else None

    def _look_at_other(self, session: Session, name: str) -> bool:
        """Look at a folder that is not the open one, if its numbers say that something happened."""
        numbers = session.status(name)
        if numbers and numbers == self._numbers.get(name) and not self._is_stale(session, name):
            return False
        self._numbers.pop(name, None)
        changed = self._look_at(session, name)
        if name in self._listed_at:
            self._numbers[name] = numbers
        return changed

    def _is_stale(self, session: Session, name: str) -> bool:
        """Whether counting isn't enough: not wholly listed yet on this connection, or long ago."""
        listed = self._listed_at.get(name)
        if listed is None or session.can("CONDSTORE"):
            return listed is None
        return self._keepers[name].known <= SMALL_FOLDER or time.monotonic() - listed >= THOROUGH_EVERY

    def _look_at(self, session: Session, name: str) -> bool:
        """Bring one folder in step: whether anything had changed."""
        keeper = self._keeper(session, name)
        same = session.selected is not None and session.selected.name == name
        thorough = (
            self._is_stale(session, name) or name not in self._listed_at or (same and "FETCH" in session.talk.news)
        )
        try:
            changed = keeper.step(ImapFolder(session, name), thorough=thorough)
        except Interrupted:
            self._listed_at.pop(name, None)
            return True
        except KnownError as error:
            if error.trouble is not Trouble.FOLDER_MISSING:
                raise
            self._listed_at.pop(name, None)
            return False
        if thorough:
            self._listed_at[name] = time.monotonic()
        return changed

    def _keeper(self, session: Session, name: str) -> Keeper:
        keeper = self._keepers.get(name)
        if keeper is None:
            keeper = self._keepers[name] = Keeper(self._desk, FolderName(self._account.name, name))
        keeper.role = self._training.label(name)
        keeper.special = session.folders.special(name)
        keeper.progress = partial(self._progress, name)
        keeper.between = partial(self._between, session, name)
        return keeper

    def _progress(self, name: str, done: int, total: int) -> None:
        if total > FIRST_SLICE:
            self._report.progress(name, done, total)

    def _between(self, session: Session, name: str) -> None:
        """In the middle of fetching a folder: errands and new mail have their turn, and a training may be over."""
        self._bell.check()
        if self._bell.quiet():
            self._errands.run(session)
        names = self._watched(session)[0]
        if name not in names:
            raise Interrupted
        if name != names[0] and time.monotonic() - self._first_at >= self._account.poll_seconds:
            self._look_at(session, names[0])
            self._first_at = time.monotonic()

    def _calm_down(self, session: Session, moved: bool) -> None:
        if moved or not session.talk.news:
            self._lull = 0.0
            return
        self._lull = min(LONGEST_LULL, max(FIRST_LULL, self._lull * 2))
        self._bell.listen(self._lull)
