"""Priority queue of the engine. Jobs are generators that run in time slices; events of their changes are merged."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NamedTuple, Protocol, TypeVar

from nbmail.values import Rows, Scores
from nbmail.worker.protocol.events import Changed, Event, Learned

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
    """End of a time slice: progress (`total` 0: unknown) and the priority from now on; None keeps it."""

    done: int = 0
    total: int = 0
    priority: Priority | None = None


Result = TypeVar("Result")
JobSteps = Generator[Pause, None, Result]
AddJob = Callable[[JobSteps[None], Priority], None]
"""Queues a background job."""


def paused(chunks: Generator[object, None, Result]) -> JobSteps[Result]:
    """Run a cooperative generator with one time slice for each of its chunks."""
    while True:
        try:
            next(chunks)
        except StopIteration as end:
            result: Result = end.value
            return result
        yield Pause()


class JobCallbacks:
    """Callbacks of a job: `progress` any number of times, then at most one of `failed` and `cancelled`."""

    def __init__(self, report_error: Callable[[Exception], None]) -> None:
        self._report_error = report_error

    def progress(self, pause: Pause) -> None:
        """Called after each time slice except the last."""

    def failed(self, error: Exception) -> None:
        self._report_error(error)

    def cancelled(self) -> None:
        """Called if the job was dropped."""


class Job:
    """A generator with its priority. Jobs with `needs_model` wait until the model is loaded."""

    def __init__(
        self, steps: JobSteps[None], priority: Priority, callbacks: JobCallbacks, *, needs_model: bool = True
    ) -> None:
        self.priority, self.callbacks, self.needs_model = priority, callbacks, needs_model
        self._steps = steps

    def run_slice(self) -> Pause | None:
        """Run one time slice; None if it was the last. Errors of the job are raised."""
        return next(self._steps, None)

    def drop(self) -> None:
        """Stop between two time slices. The generator can clean up."""
        try:
            self._steps.close()
        finally:
            self.callbacks.cancelled()


def steps_of(work: Callable[[], JobSteps[Result] | Result], done: Callable[[Result], object]) -> JobSteps[None]:
    """Return a job's steps: call `work`, run the generator it may return, and pass the result to `done`."""
    outcome = work()
    if isinstance(outcome, Generator):
        outcome = yield from outcome
    done(outcome)


class JobQueue:
    """Jobs by priority. Any thread may add jobs; all other methods are for the engine's thread."""

    def __init__(self) -> None:
        self._jobs: dict[Priority, deque[Job]] = {priority: deque() for priority in Priority}
        self._filled = threading.Condition()
        self._closed = False
        self._turn = 0

    def __len__(self) -> int:
        with self._filled:
            return sum(map(len, self._jobs.values()))

    def add(self, job: Job) -> bool:
        """Queue the job. False if the queue is closed."""
        with self._filled:
            if self._closed:
                return False
            self._jobs[job.priority].append(job)
            self._filled.notify()
            return True

    def first(self, timeout: float | None) -> Job | None:
        """Return the next job without removing it. None after `timeout` seconds without a job, or if closed."""
        with self._filled:
            self._filled.wait_for(lambda: self._closed or any(self._jobs.values()), timeout)
            return None if self._closed else self._choose()

    def first_without_model(self) -> Job | None:
        """Return the first job that doesn't need the model. Never waits."""
        with self._filled:
            return next((job for jobs in self._jobs.values() for job in jobs if not job.needs_model), None)

    def _choose(self) -> Job | None:
        waiting = [priority for priority, jobs in self._jobs.items() if jobs]
        if not waiting:
            return None
        chosen = waiting[0]
        if len(waiting) > 1 and chosen > Priority.USER:
            self._turn += 1
            rounds, rest = divmod(self._turn, TURN)
            chosen = waiting[0] if rest else waiting[1 + rounds % (len(waiting) - 1)]
        return self._jobs[chosen][0]

    def remove(self, job: Job) -> bool:
        """Remove the job. False if it has ended already."""
        with self._filled:
            if job not in self._jobs[job.priority]:
                return False
            self._jobs[job.priority].remove(job)
            return True

    def move(self, job: Job, priority: Priority) -> None:
        """Continue the job with another priority, after all jobs that have it already."""
        with self._filled:
            self._jobs[job.priority].remove(job)
            job.priority = priority
            self._jobs[priority].append(job)

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
            left = [job for jobs in self._jobs.values() for job in jobs]
            for jobs in self._jobs.values():
                jobs.clear()
            return left


# Seconds between two merged events while there is work to do. An idle engine emits everything immediately.
SHORTEST = 0.05
# In a long flood the interval doubles up to this: each event costs the window a frame, whatever its size.
LONGEST = 0.4

Emit = Callable[[Event], None]


class ChangeSource(Protocol):
    """Reads changes when they are announced, so that no event contains stale values."""

    def read_rows(self, messages: list[int]) -> Rows: ...

    def take_scores(self) -> Scores | None: ...

    def summary(self) -> Learned: ...


class Changes:
    """Changes that are not announced yet. Used by the engine's thread alone."""

    def __init__(self) -> None:
        # True: the message is listed and looks different. False: it has no location any more.
        self._messages: dict[int, bool] = {}
        self._repeated: dict[object, dict[int, bool]] = {}
        self._rescored = self._learned = False
        self.untidy = True
        """True if anything was written or scored since the last idle tasks."""

    def rows_changed(self, messages: Iterable[int]) -> None:
        self._note(dict.fromkeys(messages, True))

    def gone(self, messages: Iterable[int]) -> None:
        self._note(dict.fromkeys(messages, False))

    def _note(self, listed: dict[int, bool]) -> None:
        for noted in (self._messages, *self._repeated.values()):
            noted.update(listed)

    @contextmanager
    def repeated(self) -> Iterator[None]:
        """Announce all changes inside the block again after it: for a requester that lists all messages meanwhile."""
        key = object()
        self._repeated[key] = {}
        try:
            yield
        finally:
            self._note(self._repeated.pop(key))

    def scores_changed(self) -> None:
        self._rescored = True

    def learned(self) -> None:
        self._learned = True

    @property
    def pending(self) -> bool:
        return bool(self._messages or self._rescored or self._learned)

    def take(self) -> tuple[dict[int, bool], bool, bool]:
        """Return and forget the changed messages, whether scores changed, and whether the model changed."""
        taken = self._messages, self._rescored, self._learned
        self._messages, self._rescored, self._learned = {}, False, False
        return taken


class Announcer:
    """Emits the collected changes."""

    def __init__(self, emit: Emit, clock: Callable[[], float], changes: Changes, source: ChangeSource) -> None:
        self._emit, self._clock = emit, clock
        self._changes, self._source = changes, source
        self._last, self._interval = -SHORTEST, SHORTEST

    def flush_if_due(self, idle: bool) -> None:
        """Emit the changes if the interval is over or nothing else is to be done."""
        if idle:
            self._interval = SHORTEST
        if self._changes.pending and (idle or self._clock() - self._last >= self._interval):
            self._interval = min(2 * self._interval, LONGEST)
            self.flush()

    def flush(self) -> None:
        """Emit the changes."""
        self._last = self._clock()
        messages, rescored, learned = self._changes.take()
        altered = [message for message, listed in messages.items() if listed]
        gone = tuple(message for message, listed in messages.items() if not listed)
        rows = self._source.read_rows(altered) if altered else None
        if rows is not None:
            gone += tuple(set(altered).difference(rows.messages.tolist()))
        scores = self._source.take_scores() if rescored else None
        if rows is not None or scores is not None or gone:
            self._emit(Changed(rows=rows, scores=scores, gone=gone))
        if learned:
            self._emit(self._source.summary())
