"""`sync.backend.AccountBackend` for the accounts' threads: each call is handed to the engine's thread."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from typing import Any

from nbmail.store.mail.raw_mail import pack
from nbmail.sync.account_backend import BackendClosed
from nbmail.values import (
    AccountState,
    Arrival,
    Delivery,
    FolderName,
    Outcome,
    ServerAction,
    ServerLocation,
    StoredFolder,
)
from nbmail.worker.engine.announcer import Emit
from nbmail.worker.engine.job_queue import JobCallbacks
from nbmail.worker.intake.intake import Intake
from nbmail.worker.marking.marking import forget_places
from nbmail.worker.protocol import AccountChanged

Work = Callable[[Intake], Any]


class FutureCallbacks(JobCallbacks):
    """Hands the outcome of a job to the thread that waits for it."""

    def __init__(self, future: Future[Any], complain: Callable[[Exception], None]) -> None:
        super().__init__(complain)
        self._future = future

    def done(self, result: Any) -> None:
        self._future.set_result(result)

    def failed(self, error: Exception) -> None:
        super().failed(error)
        self._future.set_exception(error)

    def cancelled(self) -> None:
        self._future.set_exception(BackendClosed())


class BackendProxy:
    """Every call but `report` waits until the engine has done it; when the engine stops they raise `BackendClosed`."""

    def __init__(self, queue: Callable[[Work], Future[Any]], emit: Emit) -> None:
        self._queue, self._emit = queue, emit
        # What each account has handed in last; touched by its own thread alone.
        self._handed_in: dict[str, Future[Any]] = {}

    def retain(self, account: str, folders: Collection[str], *, junk: bool) -> None:
        self._wait_for(account)
        self._wait(lambda intake: forget_places(intake.state, account, folders, junk=junk))

    def stored_folder(self, folder: FolderName) -> StoredFolder:
        self._wait_for(folder.account)
        memory: StoredFolder = self._wait(lambda intake: intake.state.store.folders.memory(folder))
        return memory

    def deliver(self, delivery: Delivery) -> None:
        self.submit(delivery)
        self._wait_for(delivery.folder.account)

    def submit(self, delivery: Delivery) -> None:
        # Here and not on the engine's thread, which would take a fifth longer.
        packed = [pack(arrival.raw) for arrival in delivery.arrivals]
        self._wait_for(delivery.folder.account)
        self._handed_in[delivery.folder.account] = self._queue(lambda intake: intake.deliver(delivery, packed))

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        pending_actions: tuple[ServerAction, ...] = self._wait(lambda intake: intake.pending_actions(account))
        return pending_actions

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        self._wait(lambda intake: intake.state.store.outbox.store_progress(actions))

    def complete(
        self, action: ServerAction, outcome: Outcome, detail: str = "", new_location: ServerLocation | None = None
    ) -> None:
        self._wait(lambda intake: intake.complete(action, outcome, detail, new_location))

    def complete_fetch(self, action: ServerAction, arrival: Arrival) -> None:
        self._wait(lambda intake: intake.state.body_requests.take(action, arrival))

    def report(self, state: AccountState) -> None:
        self._emit(AccountChanged(state))

    def _wait_for(self, account: str) -> None:
        """Wait until what the account has handed in is stored; an error if it could not be."""
        if (waiting := self._handed_in.pop(account, None)) is not None:
            waiting.result()

    def _wait(self, work: Work) -> Any:
        return self._queue(work).result()
