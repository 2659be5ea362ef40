"""What keeping an account in step is made of, be its mail on a server or on the disk: states, training, folders."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

from nbmail.errors import KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.connection.wake_signal import WakeSignal
from nbmail.sync.folder_sync import FIRST_SLICE, FolderSync
from nbmail.values import AccountState, FolderName, Phase

# Progress more often than this is noise.
PROGRESS_EVERY = 0.1
GOOD, JUNK = "good", "junk"


class FolderTraining:
    """The folders of one account that teach. Paused and resumed from any thread; the account looks between slices.

    What was delivered stays. What is missing is fetched later, also after a restart: a training is resumed simply
    because the desk knows what it has.
    """

    def __init__(self, account: Account) -> None:
        self._labels = {**dict.fromkeys(account.good_folders, GOOD), **dict.fromkeys(account.junk_folders, JUNK)}
        self._paused = account.training_paused

    def pause(self) -> None:
        """Fetch no more for training until `resume`; everything else goes on."""
        self._paused = True

    def resume(self) -> None:
        self._paused = False

    def label(self, folder: str) -> str:
        """What this folder teaches; empty for nothing."""
        return self._labels.get(folder, "")

    def rests(self, folder: str) -> bool:
        """Whether this folder teaches and is to wait. What came of it meanwhile would never be learned."""
        return self._paused and folder in self._labels

    def folders(self) -> tuple[str, ...]:
        return () if self._paused else tuple(self._labels)


class AccountSync(ABC):
    """Opened, then rounds and rests in turn, then closed; after trouble all over again."""

    def __init__(self, account: Account, backend: AccountBackend, clock: Callable[[], float]) -> None:
        self._account, self._backend, self._clock = account, backend, clock
        self.wake_signal, self.training = WakeSignal(), FolderTraining(account)
        self._syncs: dict[str, FolderSync] = {}
        self._progress_at = 0.0

    def report(self, phase: Phase, error: KnownError | None = None, *, page: str = "", wait: float = 0.0) -> None:
        """A new phase begins. `page` is where a password for programs is had, `wait` how long until the next try."""
        now, kind, detail = self._clock(), error.error_code if error else "", error.detail if error else ""
        retry_at = now + wait if wait else 0.0
        self._backend.report(
            AccountState(self._account.name, phase, now, retry_at=retry_at, error_code=kind, detail=detail, page=page)
        )

    @abstractmethod
    def open(self) -> None:
        """Connect."""

    @abstractmethod
    def round(self) -> KnownError | None:
        """Run errands and bring all watched folders in step; trouble that is to be shown but stops nothing."""

    @abstractmethod
    def rest(self) -> None:
        """Wait until there is reason for another round."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything. May be called at any time, and twice."""

    @property
    def brought(self) -> int:
        return sum(sync.brought for sync in self._syncs.values())

    @abstractmethod
    def _between(self, name: str) -> None:
        """Give other things their turn while the folder is fetched. Raises `Interrupted` where that is to end."""

    def _folder_sync(self, name: str, special: str) -> FolderSync:
        sync = self._syncs.setdefault(name, FolderSync(self._backend, FolderName(self._account.name, name)))
        sync.role, sync.special = self.training.label(name), special
        sync.progress, sync.between = partial(self._progress, name), partial(self._between, name)
        return sync

    def _progress(self, name: str, done: int, total: int) -> None:
        now, teaches = time.monotonic(), self.training.label(name)
        if total <= FIRST_SLICE or (0 < done < total and now - self._progress_at < PROGRESS_EVERY):
            return
        self._progress_at = now
        state = AccountState(self._account.name, Phase.WORKING, self._clock(), name, done, total, teaches=teaches)
        self._backend.report(state)
