"""Says what happened: closing events at once, changes of the list merged so that a flood doesn't drown the window."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from nbmail.values import Rows, Scores
from nbmail.worker.engine.job_queue import JobCallbacks
from nbmail.worker.protocol import Changed, Event, Learned
from nbmail.worker.protocol.ticket import Ticket

# Two merged events are at least this far apart while there is work to do; an idle engine says everything at once.
CALM = 0.05
# In a long flood the distance doubles up to this: each event costs the window a frame, whatever is in it.
CALMEST = 0.4

Emit = Callable[[Event], None]


class Announcer:
    """Collects changes between two flushes. Rows are read when they are announced, so that none is stale."""

    def __init__(
        self,
        emit: Emit,
        clock: Callable[[], float],
        read_rows: Callable[[list[int]], Rows],
        take_scores: Callable[[], Scores | None],
        sum_up: Callable[[], Learned],
    ) -> None:
        self.emit = emit
        self._clock = clock
        self._read_rows, self._take_scores, self._sum_up = read_rows, take_scores, sum_up
        # Whether each message is there and looks different (True) or gone (False).
        self._noted: dict[int, bool] = {}
        self._repeated: dict[object, dict[int, bool]] = {}
        self._rescored = False
        self._learned = False
        self._last, self._calm = -CALM, CALM

    def rows_changed(self, messages: Iterable[int]) -> None:
        self._note(dict.fromkeys(messages, True))

    def gone(self, messages: Iterable[int]) -> None:
        self._note(dict.fromkeys(messages, False))

    def _note(self, there: dict[int, bool]) -> None:
        for noted in (self._noted, *self._repeated.values()):
            noted.update(there)

    @contextmanager
    def telling_twice(self) -> Iterator[None]:
        """What is announced inside is announced once more at the end: to someone who is being told everything."""
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
        return bool(self._noted or self._rescored or self._learned)

    def flush_if_due(self, idle: bool) -> None:
        """Say what is pending if enough time has passed or nothing else is to be done."""
        if idle:
            self._calm = CALM
        if self.pending and (idle or self._clock() - self._last >= self._calm):
            self._calm = min(2 * self._calm, CALMEST)
            self.flush()

    def flush(self) -> None:
        """Say what is pending."""
        self._last = self._clock()
        noted, rescored = self._noted, self._rescored
        self._noted, self._rescored = {}, False
        altered = [one for one, there in noted.items() if there]
        gone = tuple(one for one, there in noted.items() if not there)
        rows = self._read_rows(altered) if altered else None
        scores = self._take_scores() if rescored else None
        if rows is not None or scores is not None or gone:
            self.emit(Changed(rows=rows, scores=scores, gone=gone))
        if self._learned:
            self._learned = False
            self.emit(self._sum_up())


class TicketCallbacks(JobCallbacks):
    """Report progress and the end of a job through its ticket. Progress reports are at least `CALM` apart."""

    def __init__(self, ticket: Ticket[Any], clock: Callable[[], float], complain: Callable[[Exception], None]) -> None:
        super().__init__(complain)
        self._ticket, self._clock = ticket, clock
        self._reported = -CALM
        self._unreported: tuple[int, int] | None = None

    def progress(self, done: int, total: int, so_far: Any = None) -> None:
        """Report progress: partial results immediately, anything else only periodically."""
        self._unreported = (done, total)
        if so_far or self._clock() - self._reported >= CALM:
            self._reported, self._unreported = self._clock(), None
            self._ticket.report(done, total, so_far)

    def done(self, result: Any) -> None:
        self._ticket.finish(result)

    def failed(self, error: Exception) -> None:
        super().failed(error)
        self._ticket.fail(error)

    def cancelled(self) -> None:
        """End as cancelled, after the latest progress."""
        if self._unreported is not None:
            self._ticket.report(*self._unreported)
        self._ticket.end_cancelled()
