"""Changes that the window must show: collected, and announced in few events."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from nbmail.worker.engine.jobs import SHORTEST, Emit
from nbmail.worker.protocol.events import Changed
from nbmail.worker.scores.scores import Scoring

# In a long flood the interval doubles up to this: each event costs the window a frame, whatever its
# size.
LONGEST = 0.4
# Seconds for the window to show an event while other work waits: both threads share the
# interpreter.
SHOWING = 0.016


class Changes:
    """Changes that are not announced yet, and their announcement in few events. Used by the
    engine's thread alone.
    """

    def __init__(self, emit: Emit, scoring: Scoring) -> None:
        self._emit = emit
        self._scoring = scoring
        self._last = -SHORTEST
        self._interval = SHORTEST
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
        """Announce all changes inside the block again after it: for a requester that lists all
        messages meanwhile.
        """
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

    def flush_if_due(self, idle: bool) -> None:
        """Emit the changes if the interval is over or nothing else is to be done."""
        if idle:
            self._interval = SHORTEST
        if self.pending and (idle or time.monotonic() - self._last >= self._interval):
            self._interval = min(2 * self._interval, LONGEST)
            self.flush()
            if not idle:
                time.sleep(SHOWING)

    def flush(self) -> None:
        self._last = time.monotonic()
        messages = self._messages
        rescored = self._rescored
        learned = self._learned
        self._messages = {}
        self._rescored = False
        self._learned = False
        altered = [message for message, listed in messages.items() if listed]
        gone = tuple(message for message, listed in messages.items() if not listed)
        rows = self._scoring.read_rows(altered) if altered else None
        if rows is not None:
            gone += tuple(set(altered).difference(rows.messages.tolist()))
        scores = self._scoring.take_altered() if rescored else None
        if rows is not None or scores is not None or gone:
            self._emit(Changed(rows=rows, scores=scores, gone=gone))
        if learned:
            self._emit(self._scoring.summary())
