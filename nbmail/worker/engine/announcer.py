"""Events about changes of the list and the model, merged so that a flood doesn't block the window."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from nbmail.values import Rows, Scores
from nbmail.worker.protocol.events import Changed, Event, Learned

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
