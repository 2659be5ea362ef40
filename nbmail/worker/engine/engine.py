"""Engine thread: runs jobs in time slices and emits events."""

import logging
import threading
from collections.abc import Callable

from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.store.files.connection import unreadable_values
from nbmail.store.store import open_home
from nbmail.sync.account_backend import AccountBackend
from nbmail.worker.engine.job_queue import Emit, Job, JobQueue, JobSteps, Priority, Surroundings
from nbmail.worker.engine.opening import Parts, load_model, show_first_rows
from nbmail.worker.engine.requests import BackendProxy, EngineRequests
from nbmail.worker.protocol.events import EngineFailed, HomeRefused, InternalError
from nbmail.worker.protocol.ticket import Ticket, failure_of

_log = logging.getLogger(__name__)

# Idle seconds before idle tasks run; then the interval of the checks that the files with the labels still exist.
REST, LOOK = 1.5, 5.0


class Engine(EngineRequests):
    """Owner of the store and the model, on one thread. Implements `protocol.client.Engine`.

    `emit` is called on the engine's thread and on the threads that make requests and report. `wake` is called on the
    engine's thread with each account that has new server actions. Neither may wait. `clock` returns the time stored
    with marks.
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
        super().__init__(JobQueue(), lambda: self.parts, emit, self._log_bug)
        self._paths, self._clock, self._emit = paths, clock, emit
        self._settings = settings or Settings()
        self._wake = wake or (lambda account: None)
        self._opened: Parts | None = None
        self._failure: Exception | None = None

        self._thread = threading.Thread(target=self._run, name="engine")
        self.backend: AccountBackend = BackendProxy(self._jobs, lambda: self.parts, emit, self._log_bug)
        """Interface for the account threads."""

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
        return self.start_job(
            lambda parts, show: not (len(self._jobs) > 1 or parts.changes.pending or parts.updates.trainings),
            Priority.IDLE,
        )

    @property
    def parts(self) -> Parts:
        """The parts of the engine, for its own thread. Raises the error that kept the data folder from opening."""
        if self._failure is not None:
            raise self._failure
        assert self._opened is not None
        return self._opened

    def _run(self) -> None:
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._log_bug(error)
            self._failure = error
            self._emit(HomeRefused(failure_of(error)))
        while not self._jobs.closed:
            self._guard(self._turn)
        for job in self._jobs.empty():
            self._guard(job.drop)
        if self._opened is not None:
            self._guard(self._opened.close)

    def _open(self) -> None:
        around = Surroundings(self._clock, self._emit, self._wake, self._add_job)
        self._opened = Parts(open_home(self._paths, self._clock()), self._settings, around)
        with unreadable_values(self._paths.database):
            show_first_rows(self._opened)
            for _ in load_model(self._opened, self._settings.method):
                if self._jobs.closed:
                    return
                if job := self._jobs.first_without_model():
                    self._run_slice(job)

    def _add_job(self, steps: JobSteps[None], priority: Priority) -> None:
        self._jobs.add(Job(steps, priority, self._report))

    def _turn(self) -> None:
        parts = self._opened
        job = self._jobs.first(None if parts is None else REST if parts.changes.untidy else LOOK)
        if job is not None:
            self._run_slice(job)
        elif parts is not None and not self._jobs.closed:
            parts.rest()
        if parts is not None:
            # A training pauses between two deliveries: the engine is not idle then.
            parts.changes.flush_if_due(not (len(self._jobs) or parts.updates.trainings))

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
        failed = failure_of(error)
        self._emit(EngineFailed(failed) if failed.error_code else InternalError(failed.detail))

    def _log_bug(self, error: Exception) -> None:
        if not isinstance(error, KnownError):
            _log.error("internal error", exc_info=error)
