"""The engine's thread: takes commands and deliveries in, works them off slice by slice, says what happened."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.sync.desk import Desk
from nbmail.worker.engine.announcer import Emit, TicketEnding
from nbmail.worker.engine.commands import plan_of
from nbmail.worker.engine.desk_proxy import Counter, FutureEnding, Work
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Agenda, Job, Lane
from nbmail.worker.engine.opening import load_model, open_office
from nbmail.worker.intake.intake import Mailroom
from nbmail.worker.intake.reading_process import ReadingProcess
from nbmail.worker.protocol import NO_COMMAND, Broken, Cancel, Command, Failed

_log = logging.getLogger(__name__)

# After so many idle seconds there is time for what nobody waits for.
REST = 1.5


class Engine:
    """Owns the store and the model, alone, on one thread. Every command ends in exactly one closing event.

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
        self._agenda = Agenda()
        self._tickets = itertools.count(1)
        self._office: Office | None = None
        self._mailroom: Mailroom | None = None
        self._failure: Exception | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engine")
        self.reading = ReadingProcess()
        """What takes mail apart where much of it comes at once."""
        self.desk: Desk = Counter(self._queue, emit, self.reading)
        """Where accounts hand in mail."""

    def start(self) -> None:
        """Open the home and begin to work."""
        self._thread.start()

    def wait_until_ready(self, patience: float | None = None) -> bool:
        """Wait until the model is loaded, for programs without a window. Raises what kept the home from opening."""
        ready = self._ready.wait(patience)
        if self._failure is not None:
            raise self._failure
        return ready

    def submit(self, command: Command) -> int:
        """Queue the command and return its ticket. Never waits; safe from any thread."""
        ticket = next(self._tickets)
        ending = TicketEnding(ticket, self._emit, time.monotonic, self._complain)
        if isinstance(command, Cancel):
            wanted = command.ticket
            job = Job(lambda: self._cancel(wanted), Lane.URGENT, ending, ticket, early=True)
        else:
            plan = plan_of(command)
            job = Job(lambda: plan.begin(self._opened(), command), plan.lane, ending, ticket, early=plan.early)
        if not self._agenda.add(job):
            ending.cancelled()
        return ticket

    def stop(self) -> None:
        """Cancel what runs and what waits, close the store. Returns when the thread is gone."""
        self._agenda.close()
        self.reading.close()
        if self._thread.ident is not None:
            self._thread.join()
        for job in self._agenda.empty():
            job.drop()

    def _queue(self, work: Work) -> Future[Any]:
        future: Future[Any] = Future()
        ending = FutureEnding(future, self._complain)
        if not self._agenda.add(Job(lambda: work(self._opened_mailroom()), Lane.MAIL, ending)):
            ending.cancelled()
        return future

    # ------------------------------------------------------------------------------ on the engine's own thread

    def _run(self) -> None:
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._refuse(error)
        self._ready.set()
        while not self._agenda.closed:
            self._guard(self._turn)
        for job in self._agenda.empty():
            self._guard(job.drop)
        if self._office is not None:
            self._guard(self._office.close)

    def _open(self) -> None:
        self._office = open_office(
            self._paths,
            self._settings,
            agenda=self._agenda,
            clock=self._clock,
            emit=self._emit,
            wake=self._wake,
            complain=self._report,
        )
        self._mailroom = Mailroom(self._office)
        for _ in load_model(self._office, self._settings.method):
            if self._agenda.closed:
                return
            if job := self._agenda.first_early():
                self._work(job)

    def _refuse(self, error: Exception) -> None:
        """The home can't be opened: say so, and to every command from now on."""
        self._complain(error)
        self._failure = error
        trouble = error.trouble if isinstance(error, KnownError) else None
        self._emit(Failed(0, trouble, error.detail if isinstance(error, KnownError) else repr(error)))

    def _opened(self) -> Office:
        if self._failure is not None:
            raise self._failure
        assert self._office is not None
        return self._office

    def _opened_mailroom(self) -> Mailroom:
        self._opened()
        assert self._mailroom is not None
        return self._mailroom

    def _turn(self) -> None:
        office = self._office
        job = self._agenda.first(REST if office is not None and office.untidy else None)
        if job is not None:
            self._work(job)
        elif office is not None and not self._agenda.closed:
            office.tidy()
        if office is not None:
            office.announcer.flush_if_due(self._agenda.idle)

    def _work(self, job: Job) -> None:
        try:
            pause = job.work()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._agenda.remove(job)
            job.ending.failed(error)
            return
        if pause is None:
            self._agenda.remove(job)
            return
        if pause.total or pause.so_far:
            job.ending.progress(pause.done, pause.total, pause.so_far)
        if pause.lane is not None and pause.lane != job.lane:
            self._agenda.move(job, pause.lane)

    def _cancel(self, ticket: int) -> None:
        job = self._agenda.find(ticket)
        # A cancel, this one included, can't be cancelled.
        if job is not None and job.lane is not Lane.URGENT:
            self._agenda.remove(job)
            job.drop()

    def _guard(self, work: Callable[[], object]) -> None:
        """Outlive a fault outside any command."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._report(error)

    def _report(self, error: Exception) -> None:
        """Say what went wrong where no command waits for an answer."""
        self._complain(error)
        if isinstance(error, KnownError):
            self._emit(Failed(NO_COMMAND, error.trouble, error.detail))
        else:
            self._emit(Broken(f"{type(error).__name__}: {error}"))

    def _complain(self, error: Exception) -> None:
        if not isinstance(error, KnownError):
            _log.error("a fault of ours", exc_info=error)
