"""`sync.account_backend.AccountBackend` for the account threads: each call runs on the engine's thread."""

from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Concatenate, ParamSpec, TypeVar, overload

from nbmail.store.mail.derived_mail import pack
from nbmail.sync.account_backend import BackendClosed
from nbmail.values import AccountState, Delivery, FolderName, StoredFolder
from nbmail.worker.engine.announcer import Emit
from nbmail.worker.engine.job_queue import Job, JobCallbacks, JobQueue, JobSteps, Priority, steps_of
from nbmail.worker.mailbox.intake import Intake
from nbmail.worker.protocol.events import AccountChanged

P = ParamSpec("P")
Result = TypeVar("Result")


class FutureCallbacks(JobCallbacks):
    """Passes failure or cancellation of a job to the thread that waits for its result."""

    def __init__(self, future: Future[Result], report_error: Callable[[Exception], None]) -> None:
        super().__init__(report_error)
        self._fail = future.set_exception

    def failed(self, error: Exception) -> None:
        super().failed(error)
        self._fail(error)

    def cancelled(self) -> None:
        self._fail(BackendClosed())


class EngineCalls:
    """Queues calls with the priority of newly arrived mail. `intake` returns the intake, or raises an error."""

    def __init__(self, jobs: JobQueue, intake: Callable[[], Intake], report_error: Callable[[Exception], None]) -> None:
        self._jobs, self.intake, self._report_error = jobs, intake, report_error

    def queue(self, work: Callable[[], JobSteps[Result] | Result]) -> Future[Result]:
        """Run `work` on the engine's thread. The future fails with `BackendClosed` if the engine stops first."""
        future: Future[Result] = Future()
        callbacks = FutureCallbacks(future, self._report_error)
        if not self._jobs.add(Job(steps_of(work, future.set_result), Priority.MAIL, callbacks)):
            callbacks.cancelled()
        return future


@overload
def _on_engine(
    method: Callable[Concatenate[Intake, P], JobSteps[Result]],
) -> Callable[Concatenate["BackendProxy", P], Result]: ...


@overload
def _on_engine(
    method: Callable[Concatenate[Intake, P], Result],
) -> Callable[Concatenate["BackendProxy", P], Result]: ...


def _on_engine(
    method: Callable[Concatenate[Intake, P], JobSteps[Result] | Result],
) -> Callable[Concatenate["BackendProxy", P], Result]:
    """Make a method of the proxy from one of the intake. It waits until the engine has run it."""

    def call(self: "BackendProxy", /, *arguments: P.args, **named: P.kwargs) -> Result:
        calls = self.calls
        return calls.queue(lambda: method(calls.intake(), *arguments, **named)).result()

    return call


class BackendProxy:
    """Waits in every method except `report` until the engine is done. All raise `BackendClosed` once it stops."""

    def __init__(self, calls: EngineCalls, emit: Emit) -> None:
        self.calls, self._emit = calls, emit
        # The latest delivery of each account; used by its own thread alone.
        self._submitted: dict[str, Future[None]] = {}

    pending_actions = _on_engine(Intake.pending_actions)
    store_progress = _on_engine(Intake.store_progress)
    complete = _on_engine(Intake.complete)
    complete_fetch = _on_engine(Intake.complete_fetch)
    trust = _on_engine(Intake.trust)
    list_folders = _on_engine(Intake.list_folders)
    sent_upto = _on_engine(Intake.sent_upto)
    take_sent = _on_engine(Intake.take_sent)
    _retain = _on_engine(Intake.retain)
    _stored_folder = _on_engine(Intake.stored_folder)

    def retain(self, account: str, folders: Collection[str], *, junk: bool) -> None:
        self._finish_delivery(account)
        self._retain(account, folders, junk=junk)

    def stored_folder(self, folder: FolderName) -> StoredFolder:
        self._finish_delivery(folder.account)
        return self._stored_folder(folder)

    def deliver(self, delivery: Delivery) -> None:
        self.submit(delivery)
        self._finish_delivery(delivery.folder.account)

    def submit(self, delivery: Delivery) -> None:
        # Compressed on the account's thread: on the engine's it would take a fifth of its time.
        packed = [pack(arrival.raw) for arrival in delivery.arrivals]
        self._finish_delivery(delivery.folder.account)
        calls = self.calls
        self._submitted[delivery.folder.account] = calls.queue(lambda: calls.intake().deliver(delivery, packed))

    def report(self, state: AccountState) -> None:
        self._emit(AccountChanged(state))

    def _finish_delivery(self, account: str) -> None:
        """Wait until the account's latest delivery is stored. Raises its error."""
        if (submitted := self._submitted.pop(account, None)) is not None:
            submitted.result()
