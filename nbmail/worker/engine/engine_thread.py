"""Thread of the engine: runs queued jobs in time slices and emits events."""

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.store.files.file_errors import unreadable_values
from nbmail.store.opening import open_home
from nbmail.worker.engine.engine_parts import Parts
from nbmail.worker.engine.idle_tasks import run_idle_tasks
from nbmail.worker.engine.job_queue import JobQueue
from nbmail.worker.engine.jobs import Emit, Job, JobSteps, Priority, Surroundings, steps_of
from nbmail.worker.engine.opening import load_model, show_first_rows
from nbmail.worker.protocol.events import EngineFailed, HomeRefused, TicketChanged
from nbmail.worker.protocol.ticket import Failed, Ticket, failure_of

_log = logging.getLogger(__name__)
Result = TypeVar("Result")

REST = 1.5
"""Idle seconds before idle tasks run."""
LOOK = 5.0
"""Seconds between two checks that the files with the labels still exist."""


class EngineThread:
    """Owner of the store and the model, on one thread.

    `emit` is called on the engine's thread and on the threads that make requests and report. `wake`
    is called on the engine's thread with each account that has new server actions. Neither may
    wait. `clock` returns the time stored with marks.
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
        self._jobs = JobQueue()
        self._paths = paths
        self._settings = settings or Settings()
        self._emit = emit
        self._around = Surroundings(clock, emit, wake or (lambda account: None), self._add_job)
        self._opened: Parts | None = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="engine")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Cancel all jobs and close the store. Returns when the thread has ended."""
        self._jobs.close()
        if self._thread.ident is not None:
            self._thread.join()
        for job in self._jobs.empty():
            job.drop()

    def is_idle(self) -> Ticket[bool]:
        """Return whether the engine has nothing else to do and has emitted all changes."""

        def check(parts: Parts, show: Callable[[bool], None]) -> bool:
            # This job itself is one.
            has_jobs = len(self._jobs) > 1
            return not (has_jobs or parts.changes.pending or parts.updates.trainings)

        return self.start_job(check, Priority.IDLE)

    def start_job(
        self,
        work: Callable[[Parts, Callable[[Result], None]], JobSteps[Result] | Result],
        priority: Priority,
        *,
        needs_model: bool = True,
    ) -> Ticket[Result]:
        """Queue a job. `work` runs on the engine's thread.

        It returns the result, or a generator that does. Its second argument takes partial results:
        the next progress report delivers them, immediately.
        """

        def changed(ticket: Ticket[Result]) -> None:
            # Account threads wait for the result, not for an event.
            if priority is not Priority.MAIL:
                self._emit(TicketChanged(ticket))

        def fail(error: Exception) -> None:
            self._log_bug(error)
            ticket.fail(error)

        def cancel() -> None:
            self._cancel(job)

        ticket: Ticket[Result] = Ticket(changed, cancel)
        steps = steps_of(lambda show: work(self.parts, show), ticket)
        job = Job(steps, priority, fail, ticket.end_cancelled, needs_model)
        if not self._jobs.add(job):
            ticket.end_cancelled()
        return ticket

    def _cancel(self, job: Job) -> None:
        """Queue the cancellation: only the engine's thread may drop a job."""

        def drop() -> JobSteps[None]:
            if self._jobs.remove(job):
                job.drop()
            yield from ()

        self._jobs.add(Job(drop(), Priority.URGENT, self._log_bug, needs_model=False))

    @property
    def parts(self) -> Parts:
        """Parts of the engine, for its own thread.

        Raises the error that kept the data folder from opening.
        """
        if self._failure is not None:
            raise self._failure
        assert self._opened is not None
        return self._opened

    def _add_job(self, steps: JobSteps[None], priority: Priority) -> None:
        self._jobs.add(Job(steps, priority, self._report))

    def _run(self) -> None:
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._log_bug(error)
            self._failure = error
            self._emit(HomeRefused(failure_of(error)))

        while not self._jobs.closed:
            self._guard(self._turn)

        for left in self._jobs.empty():
            self._guard(left.drop)
        if self._opened is not None:
            self._guard(self._opened.close)

    def _open(self) -> None:
        """Open the data folder and load the model. Jobs that don't need the model run meanwhile."""
        store = open_home(self._paths, self._around.clock(), self._report_deletion)
        self._opened = Parts(store, self._settings, self._around)
        with unreadable_values(self._paths.database):
            show_first_rows(self._opened)
            for _ in load_model(self._opened, self._settings.method):
                if self._jobs.closed:
                    break
                job = self._jobs.first_without_model()
                if job is not None:
                    self._run_slice(job)

    def _turn(self) -> None:
        """Run one time slice, or the idle tasks if no job came for a while."""
        parts = self._opened
        job = self._jobs.first(self._patience())
        if job is not None:
            self._run_slice(job)
        elif parts is not None and not self._jobs.closed:
            run_idle_tasks(parts)

        if parts is not None:
            # A training pauses between two deliveries: the engine is not idle then.
            is_busy = len(self._jobs) or parts.updates.trainings
            parts.changes.flush_if_due(not is_busy)

    def _patience(self) -> float | None:
        """Return the seconds to wait for a job; None waits forever."""
        if self._opened is None:
            return None
        return REST if self._opened.changes.untidy else LOOK

    def _run_slice(self, job: Job) -> None:
        try:
            pause = job.run_slice()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._jobs.remove(job)
            job.failed(error)
            return

        if pause is None:
            self._jobs.remove(job)
        elif pause.priority is not None and pause.priority != job.priority:
            self._jobs.move(job, pause.priority)

    def _guard(self, work: Callable[[], object]) -> None:
        """Survive an error outside any request."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._report(error)

    def _report(self, error: Exception) -> None:
        self._log_bug(error)
        self._emit(EngineFailed(failure_of(error)))

    def _report_deletion(self) -> None:
        """Report that the database was deleted and written again, with `labels.log` if needed."""
        if self._opened is not None:
            self._opened.changes.untidy = True
        self._emit(EngineFailed(Failed(ErrorCode.HOME_DELETED, str(self._paths.database))))

    def _log_bug(self, error: Exception) -> None:
        if not isinstance(error, KnownError):
            _log.error("internal error", exc_info=error)
