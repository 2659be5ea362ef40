"""Jobs of the engine: generators that run in time slices."""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeVar

from nbmail.worker.protocol.events import Event
from nbmail.worker.protocol.ticket import Ticket

SHORTEST = 0.05
"""Seconds between two events of one kind while there is work to do."""


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
    """End of a time slice: progress, and the priority from now on.

    `total`: 0 if it is unknown. `priority`: None keeps it.
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
    """A generator with its priority. It ends, or one of `failed` and `cancelled` is called."""

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
    steps = work(partial.append)
    if not isinstance(steps, Generator):
        ticket.finish(steps)
        return

    reported = -SHORTEST
    unreported = Pause()
    try:
        while True:
            pause = next(steps)
            if pause.total:
                unreported = pause
            is_due = time.monotonic() - reported >= SHORTEST
            if partial or (pause.total and is_due):
                reported = time.monotonic()
                unreported = Pause()
                latest = partial[-1] if partial else None
                ticket.report(pause.done, pause.total, latest)
                partial.clear()
            yield pause
    except StopIteration as end:
        ticket.finish(end.value)
    except GeneratorExit:
        steps.close()
        if unreported.total:
            ticket.report(unreported.done, unreported.total)
        raise
