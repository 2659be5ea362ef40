"""The engine's thread: takes commands and deliveries in, works them off slice by slice, says what happened."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.store.files.disk_errors import unreadable_values
from nbmail.store.store import Store
from nbmail.sync.account_backend import AccountBackend
from nbmail.worker.engine.announcer import Emit, TicketCallbacks
from nbmail.worker.engine.backend_proxy import BackendProxy, FutureCallbacks, Work
from nbmail.worker.engine.commands import PLANS
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Job, JobCallbacks, JobQueue, Priority
from nbmail.worker.engine.opening import load_model, show_first_rows
from nbmail.worker.engine.requests import EngineJobs
from nbmail.worker.intake.intake import Intake
from nbmail.worker.protocol import Broken, Command, EngineFailed, HomeRefused, TicketChanged
from nbmail.worker.protocol.ticket import Ticket, failure_of

_log = logging.getLogger(__name__)

# After so many idle seconds there is time for what nobody waits for; then, so often, for a look whether the files with
# the labels are still there.
REST, LOOK = 1.5, 5.0


class Engine(EngineJobs):
    """Owns the store and the model, alone, on one thread. Every ticket ends exactly once.

    `emit` is called on the engine's thread and on those that submit and report; `wake`, with the name of an account
    that has new errands, on the engine's. Neither may wait. `clock` tells the moment that marks are journaled with.
    """

    def __init__(
        self,
        paths: Paths,
        clock: Callable[[], float],
        emit: Emit,
        *,
        settings: Settings | None = None,
        wake: Callable[[str], None] | None = None,
    ) -> None:
        self._paths, self._clock, self._emit = paths, clock, emit
        self._settings = settings or Settings()
        self._wake = wake or (lambda account: None)
        self._jobs = JobQueue()
        self._state: EngineState | None = None
        self._intake: Intake | None = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="engine")
        self.backend: AccountBackend = BackendProxy(self._queue, emit)
        """Where accounts hand in mail."""

    def start(self) -> None:
        self._thread.start()

    def run(self, command: Command) -> Ticket[Any]:
        plan = PLANS[type(command)]
        ticket: Ticket[Any] = Ticket(self._ticket_changed, lambda: self._cancel(job))
        ending = TicketCallbacks(ticket, time.monotonic, self._complain)
        job = Job(lambda: plan.begin(self._opened(), command), plan.lane, ending, early=plan.early)
        if not self._jobs.add(job):
            ending.cancelled()
        return ticket

    def _ticket_changed(self, ticket: Ticket[Any]) -> None:
        self._emit(TicketChanged(ticket))

    def _cancel(self, job: Job) -> None:
        """Queue the cancellation: only the engine's thread may drop a job."""

        def drop() -> None:
            if self._jobs.remove(job):
                job.drop()

        self._jobs.add(Job(drop, Priority.URGENT, JobCallbacks(self._complain), early=True))

    def stop(self) -> None:
        """Cancel what runs and what waits, close the store. Returns when the thread is gone."""
        self._jobs.close()
        if self._thread.ident is not None:
            self._thread.join()
        for job in self._jobs.empty():
            job.drop()

    def _queue(self, work: Work) -> Future[Any]:
        future: Future[Any] = Future()
        ending = FutureCallbacks(future, self._complain)
        if not self._jobs.add(Job(lambda: work(self._opened_intake()), Priority.MAIL, ending)):
            ending.cancelled()
        return future

    # ------------------------------------------------------------------------------ on the engine's own thread

    def _run(self) -> None:
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._refuse(error)
        while not self._jobs.closed:
            self._guard(self._turn)
        for job in self._jobs.empty():
            self._guard(job.drop)
        if self._state is not None:
            self._guard(self._state.close)

    def _open(self) -> None:
        self._state = EngineState(
            Store(self._paths, self._clock()),
            self._settings,
            jobs=self._jobs,
            clock=self._clock,
            emit=self._emit,
            wake=self._wake,
            complain=self._report,
        )
        with unreadable_values(self._paths.database):
            show_first_rows(self._state)
            self._intake = Intake(self._state)
            for _ in load_model(self._state, self._settings.method):
                if self._jobs.closed:
                    return
                if job := self._jobs.first_early():
                    self._work(job)

    def _refuse(self, error: Exception) -> None:
        """The home can't be opened: say so, and to every command from now on."""
        self._complain(error)
        self._failure = error
        self._emit(HomeRefused(failure_of(error)))

    def _opened(self) -> EngineState:
        if self._failure is not None:
            raise self._failure
        assert self._state is not None
        return self._state

    def _opened_intake(self) -> Intake:
        self._opened()
        assert self._intake is not None
        return self._intake

    def _turn(self) -> None:
        state = self._state
        job = self._jobs.first(None if state is None else REST if state.untidy else LOOK)
        if job is not None:
            self._work(job)
        elif state is not None and not self._jobs.closed:
            state.rest()
        if state is not None:
            # Between two deliveries of a training nothing is to be done for a moment: that is no rest.
            state.announcer.flush_if_due(self._jobs.idle and not state.refolding.training)

    def _work(self, job: Job) -> None:
        try:
            pause = job.work()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._jobs.remove(job)
            job.ending.failed(error)
            return
        if pause is None:
            self._jobs.remove(job)
            return
        if pause.total or pause.so_far:
            job.ending.progress(pause.done, pause.total, pause.so_far)
        if pause.lane is not None and pause.lane != job.lane:
            self._jobs.move(job, pause.lane)

    def _guard(self, work: Callable[[], object]) -> None:
        """Outlive a fault outside any command."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._report(error)

    def _report(self, error: Exception) -> None:
        """Say what went wrong where no command waits for an answer."""
        self._complain(error)
        failed = failure_of(error)
        self._emit(EngineFailed(failed) if failed.error_code else Broken(failed.detail))

    def _complain(self, error: Exception) -> None:
        if not isinstance(error, KnownError):
            _log.error("a fault of ours", exc_info=error)
