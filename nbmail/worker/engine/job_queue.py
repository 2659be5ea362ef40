"""Priority queue of the engine. Jobs are generators that run in time slices."""

import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeVar

from nbmail.worker.protocol.events import Event
from nbmail.worker.protocol.ticket import Ticket

# Seconds between two events of one kind while there is work to do.
SHORTEST = 0.05
# One in so many time slices goes to the lower priorities, so that they don't starve.
TURN = 8


class Priority(IntEnum):
    """Job priorities, highest first. Jobs of equal priority run one at a time, in FIFO order."""

    URGENT = 0
    """Cancellations."""
    USER = 1
    """Results of one click that a person waits for."""
    WORK = 2
    """Long work that a person started and whose progress is visible."""
    MAIL = 3
    """Newly arrived mail."""
    SCORES = 4
    """Rescoring after the model changed."""
    IDLE = 5


class Pause(NamedTuple):
    """End of a time slice: progress (`total` 0: unknown) and the priority from now on; None keeps
    it.
    """

    done: int = 0
    total: int = 0
    priority: Priority | None = None


Result = TypeVar("Result")
JobSteps = Generator[Pause, None, Result]
AddJob = Callable[[JobSteps[None], Priority], None]
"""Queues a background job."""
Emit = Callable[[Event], None]


class Surroundings(NamedTuple):
    """Access of the engine's parts to its surroundings. Nothing here waits.

    `clock` returns the time that is stored with marks. `wake` is called with each account that has
    new server actions.
    """

    clock: Callable[[], float]
    emit: Emit
    wake: Callable[[str], None]
    add_job: AddJob


def paused(chunks: Generator[object, None, Result]) -> JobSteps[Result]:
    """Run a cooperative generator with one time slice for each of its chunks."""
    while True:
        try:
            next(chunks)
        except StopIteration as end:
            result: Result = end.value
            return result
        yield Pause()


@dataclass(eq=False, slots=True)
class Job:
    """A generator with its priority. It ends by itself, or one of `failed` and `cancelled` is
    called.
    """

    steps: JobSteps[None]
    priority: Priority
    failed: Callable[[Exception], None]
    cancelled: Callable[[], None] = lambda: None
    needs_model: bool = True
    """The job waits until the model is loaded."""

    def run_slice(self) -> Pause | None:
        return next(self.steps, None)

    def drop(self) -> None:
        """Stop between two time slices. The generator can clean up."""
        try:
            self.steps.close()
        finally:
            self.cancelled()


def steps_of(
    work: Callable[[Callable[[Result], None]], JobSteps[Result] | Result], ticket: Ticket[Result]
) -> JobSteps[None]:
    """Run the work and finish its ticket. Progress is reported at most every `SHORTEST` seconds.

    `work` returns the result, or a generator that does. Its argument takes partial results.
    """
    partial = list[Result]()
    reported = -SHORTEST
    unreported = Pause()
    steps = work(partial.append)
    if not isinstance(steps, Generator):
        ticket.finish(steps)
        return
    try:
        while True:
            pause = next(steps)
            if pause.total:
                unreported = pause
            if partial or (pause.total and time.monotonic() - reported >= SHORTEST):
                reported = time.monotonic()
                unreported = Pause()
                ticket.report(pause.done, pause.total, partial[-1] if partial else None)
                partial.clear()
            yield pause
    except StopIteration as end:
        ticket.finish(end.value)
    except GeneratorExit:
        steps.close()
        if unreported.total:
            ticket.report(unreported.done, unreported.total)
        raise


class JobQueue:
    """Jobs by priority. Any thread may add jobs; all other methods are for the engine's thread."""

    def __init__(self) -> None:
        self._jobs = list[Job]()
        self._filled = threading.Condition()
        self._closed = False
        self._turn = 0

    def __len__(self) -> int:
        with self._filled:
            return len(self._jobs)

    def add(self, job: Job) -> bool:
        """Queue the job. False if the queue is closed."""
        with self._filled:
            if not self._closed:
                self._jobs.append(job)
                self._filled.notify()
            return not self._closed

    def first(self, timeout: float | None) -> Job | None:
        """Return the next job without removing it. None after `timeout` seconds without a job, or
        if closed.
        """
        with self._filled:
            self._filled.wait_for(lambda: self._closed or self._jobs, timeout)
            if self._closed or not self._jobs:
                return None
            waiting = sorted({job.priority for job in self._jobs})
            chosen = waiting[0]
            if len(waiting) > 1 and chosen > Priority.USER:
                self._turn += 1
                rounds, rest = divmod(self._turn, TURN)
                chosen = waiting[0] if rest else waiting[1 + rounds % (len(waiting) - 1)]
            return next(job for job in self._jobs if job.priority == chosen)

    def first_without_model(self) -> Job | None:
        """Return the first job that doesn't need the model. Never waits."""
        with self._filled:
            ready = (job for job in self._jobs if not job.needs_model)
            return min(ready, key=lambda job: job.priority, default=None)

    def remove(self, job: Job) -> bool:
        """Remove the job. False if it has ended already."""
        with self._filled:
            is_queued = job in self._jobs
            if is_queued:
                self._jobs.remove(job)
            return is_queued

    def move(self, job: Job, priority: Priority) -> None:
        """Continue the job with another priority, after all jobs that have it already."""
        with self._filled:
            self._jobs.remove(job)
            job.priority = priority
            self._jobs.append(job)

    def close(self) -> None:
        with self._filled:
            self._closed = True
            self._filled.notify()

    @property
    def closed(self) -> bool:
        with self._filled:
            return self._closed

    def empty(self) -> list[Job]:
        """Remove and return all jobs."""
        with self._filled:
            left = self._jobs
            self._jobs = []
            return sorted(left, key=lambda job: job.priority)
