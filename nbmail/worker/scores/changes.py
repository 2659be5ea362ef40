"""Changes that the window must show: collected, and announced in few events."""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from nbmail.store.store import Store
from nbmail.values import JUNK_FOLDER
from nbmail.worker.engine.jobs import SHORTEST, Emit
from nbmail.worker.protocol.events import Changed
from nbmail.worker.scores.arrived_rows import ArrivedMessage, rows_of_arrived
from nbmail.worker.scores.scores import Scoring

# In a long flood the interval doubles up to this: each event costs the window a frame, whatever its
# size.
LONGEST = 0.4
# Seconds for the window to show an event while other work waits: both threads share the
# interpreter.
SHOWING = 0.016


class Changes:
    """Changes that are not announced yet. Used by the engine's thread alone."""

    def __init__(self, emit: Emit, scoring: Scoring, store: Store) -> None:
        self._emit = emit
        self._scoring = scoring
        self._store = store
        self._last = -SHORTEST
        self._interval = SHORTEST
        self._messages: dict[int, bool] = {}
        """True: the message is listed and looks different. False: it has no location any more."""
        self._arrived: dict[int, ArrivedMessage] = {}
        """Those of the listed messages that are new, and unchanged since."""
        self._repeated: dict[object, dict[int, bool]] = {}
        self._rescored = False
        self._learned = False
        self.untidy = True
        """True if anything was written or scored since the last idle tasks."""

    def arrived(self, messages: Mapping[int, ArrivedMessage]) -> None:
        """Announce new messages. Their rows need not be read from the database."""
        self._note(dict.fromkeys(messages, True))
        self._arrived.update(messages)

    def rows_changed(self, messages: Iterable[int]) -> None:
        """Announce messages that look different."""
        self._note(dict.fromkeys(messages, True))

    def gone(self, messages: Iterable[int]) -> None:
        """Announce messages that have no location any more."""
        self._note(dict.fromkeys(messages, False))

    @contextmanager
    def repeated(self) -> Iterator[None]:
        """Announce all changes inside the block again after it.

        For a requester that lists all messages meanwhile.
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
        is_due = idle or time.monotonic() - self._last >= self._interval
        if self.pending and is_due:
            self._interval = min(2 * self._interval, LONGEST)
            self.flush()
            if not idle:
                time.sleep(SHOWING)

    def flush(self) -> None:
        """Emit the changes now."""
        self._last = time.monotonic()
        if self._arrived:
            self._emit_arrived()
        if self._messages or self._rescored:
            self._emit_changed()
        if self._learned:
            self._learned = False
            self._emit(self._scoring.summary())

    def _emit_arrived(self) -> None:
        arrived = self._arrived
        self._arrived = {}
        for message in arrived:
            del self._messages[message]
        rows = rows_of_arrived(arrived, self._store.folders.names(JUNK_FOLDER))
        self._emit(Changed(rows=self._scoring.scored(rows)))

    def _emit_changed(self) -> None:
        altered = [message for message, is_listed in self._messages.items() if is_listed]
        gone = [message for message, is_listed in self._messages.items() if not is_listed]
        self._messages = {}
        rows = None
        if altered:
            rows = self._scoring.scored(self._store.listing.some(altered))
            gone += set(altered).difference(rows.messages.tolist())

        scores = None
        if self._rescored:
            self._rescored = False
            scores = self._scoring.take_altered()
        if rows is not None or scores is not None or gone:
            self._emit(Changed(rows=rows, scores=scores, gone=tuple(gone)))

    def _note(self, listed: Mapping[int, bool]) -> None:
        for message in listed:
            self._arrived.pop(message, None)
        self._messages.update(listed)
        for repeated in self._repeated.values():
            repeated.update(listed)
