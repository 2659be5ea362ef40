"""What is waiting to be done, and in which order: lanes of jobs, each a generator worked off slice by slice."""

import threading
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

# A lane that is never empty must not starve the ones behind it: every so many slices one goes to them.
TURN = 8


class Priority(IntEnum):
    """Who goes first. A job of a lane starts when all earlier ones of its lane are over."""

    URGENT = 0
    """An end to something."""
    USER = 1
    """A person waits for the answer to one click."""
    WORK = 2
    """A person started it and sees its progress."""
    MAIL = 3
    """Newly arrived mail."""
    SCORES = 4
    """Scores that a mark has made old."""
    REST = 5


@dataclass(frozen=True, slots=True)
class Pause:
    """How far a job is between two slices, in which lane it wants to go on, and what can be shown of it already."""

    done: int = 0
    total: int = 0
    lane: Priority | None = None
    so_far: Any = None


JobSteps = Generator[Pause, None, Any]

Result = TypeVar("Result")


def paused(chunks: Generator[object, None, Result]) -> Generator[Pause, None, Result]:
    """Pieces of work as slices."""
    while True:
        try:
            next(chunks)
        except StopIteration as end:
            result: Result = end.value
            return result
        yield Pause()


class JobCallbacks:
    """Hears how a job goes and, exactly once, how it ends. This one only passes on what went wrong."""

    def __init__(self, complain: Callable[[Exception], None]) -> None:
        self._complain = complain

    def progress(self, done: int, total: int, so_far: Any = None) -> None:
        """It is so far, and has found so much."""

    def done(self, result: Any) -> None:
        """It is finished."""

    def failed(self, error: Exception) -> None:
        """It could not be done."""
        self._complain(error)

    def cancelled(self) -> None:
        """It was stopped."""


class Job:
    """Something to do: `begin` returns the result or the slices that lead to it; `early` ones don't need the model."""

    def __init__(self, begin: Callable[[], Any], lane: Priority, ending: JobCallbacks, *, early: bool = False) -> None:
        self.lane = lane
        self.early = early
        self.ending = ending
        self._begin: Callable[[], Any] | None = begin
        self._slices: JobSteps | None = None

    def work(self) -> Pause | None:
        """Do one slice; None when that was the last. What goes wrong in it is raised."""
        try:
            if self._begin is not None:
                begin, self._begin = self._begin, None
                outcome = begin()
                if not isinstance(outcome, Generator):
                    self.ending.done(outcome)
                    return None
                self._slices = outcome
            assert self._slices is not None
            return next(self._slices)
        except StopIteration as end:
            self.ending.done(end.value)
            return None

    def drop(self) -> None:
        """Stop it between two slices, letting it clean up."""
        try:
            if self._slices is not None:
                self._slices.close()
        finally:
            self.ending.cancelled()


class JobQueue:
    """The lanes. Jobs are added from any thread; everything else is the engine's."""

    def __init__(self) -> None:
        self._lanes: dict[Priority, deque[Job]] = {lane: deque() for lane in Priority}
        self._filled = threading.Condition()
        self._closed = False
        self._turn = 0

    def add(self, job: Job) -> bool:
        """Queue the job; False once the queue is closed."""
        with self._filled:
            if self._closed:
                return False
            self._lanes[job.lane].append(job)
            self._filled.notify()
            return True

    def first(self, patience: float | None) -> Job | None:
        """The job whose turn it is, left in its place; None if none comes within so many seconds or it is closed."""
        with self._filled:
            self._filled.wait_for(lambda: self._closed or any(self._lanes.values()), patience)
            return None if self._closed else self._choose()

    def first_early(self) -> Job | None:
        """The first job that doesn't need the model; never waits."""
        with self._filled:
            return next((job for jobs in self._lanes.values() for job in jobs if job.early), None)

    def _choose(self) -> Job | None:
        waiting = [lane for lane, jobs in self._lanes.items() if jobs]
        if not waiting:
            return None
        chosen = waiting[0]
        if len(waiting) > 1 and chosen > Priority.USER:
            self._turn += 1
            rounds, rest = divmod(self._turn, TURN)
            chosen = waiting[0] if rest else waiting[1 + rounds % (len(waiting) - 1)]
        return self._lanes[chosen][0]

    def remove(self, job: Job) -> bool:
        """Remove the job; False if it is over already."""
        with self._filled:
            if job not in self._lanes[job.lane]:
                return False
            self._lanes[job.lane].remove(job)
            return True

    def move(self, job: Job, lane: Priority) -> None:
        """The job goes on in another lane, behind those that are there."""
        with self._filled:
            self._lanes[job.lane].remove(job)
            job.lane = lane
            self._lanes[lane].append(job)

    def close(self) -> None:
        with self._filled:
            self._closed = True
            self._filled.notify()

    @property
    def closed(self) -> bool:
        with self._filled:
            return self._closed

    @property
    def idle(self) -> bool:
        with self._filled:
            return not any(self._lanes.values())

    def empty(self) -> list[Job]:
        """Take out all jobs that are left."""
        with self._filled:
            left = [job for jobs in self._lanes.values() for job in jobs]
            for jobs in self._lanes.values():
                jobs.clear()
            return left
