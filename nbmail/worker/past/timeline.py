"""The journal as columns: which labels there were, in which order, after any of its lines."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import Pause

# Lines read between two looks at the queue: about 4 ms.
PIECE = 2000


@dataclass(frozen=True, slots=True, eq=False)
class LabelSequence:
    """Labels of one moment in the order in which they are learned: messages and the numbers of their classes."""

    positions: LongArray
    messages: LongArray
    classes: LongArray

    def __len__(self) -> int:
        return len(self.positions)

    def shared(self, other: LabelSequence) -> int:
        """With how many labels both begin."""
        shortest = min(len(self), len(other))
        pairs = zip(self._columns(), other._columns(), strict=True)
        same = np.logical_and.reduce([mine[:shortest] == theirs[:shortest] for mine, theirs in pairs])
        different = np.flatnonzero(~same)
        return int(different[0]) if len(different) else shortest

    def _columns(self) -> tuple[LongArray, ...]:
        return self.positions, self.messages, self.classes


NOTHING = LabelSequence(*(np.zeros(0, np.int64) for _ in range(3)))
"""No label at all."""


class Timeline:
    """Every line up to when it was read."""

    def __init__(self, table: LongArray, moments: LongArray) -> None:
        self._numbers, self._steps, self._messages, self._classes, self._positions = table.T
        self._moments = moments

    @classmethod
    def read(cls, store: Store) -> Generator[Pause, None, Timeline]:
        """Read the journal in pieces."""
        chunks, moments, line = [np.zeros((0, 5), np.int64)], [np.zeros(0)], 0
        while rows := store.journal.changes(line, PIECE):
            line = rows[-1][0]
            moments.append(np.array([row[1] for row in rows]))
            chunks.append(np.array([(row[0], *row[2:]) for row in rows], np.int64))
            yield Pause()
        return cls(np.concatenate(chunks), np.concatenate(moments))

    def __len__(self) -> int:
        return len(self._moments)

    def moment(self, place: int) -> float:
        return float(self._moments[place])

    def lines_until(self, moment: float, now: float) -> int:
        """How many lines there were when the clock first passed that moment.

        The order of the lines counts: one that was set back doesn't move what had been done by then, and what was
        done while it stood later than `now` tells of no moment.
        """
        later = np.flatnonzero((self._moments > moment) & (self._moments <= now))
        return int(later[0]) if len(later) else len(self)

    def line(self, lines: int) -> int:
        return int(self._numbers[lines - 1]) if lines else 0

    def ends(self) -> LongArray:
        """The places of the lines that end something: all labels of a step, or of one moment, came together."""
        if not len(self):
            return np.zeros(0, np.int64)
        same_step = (self._steps[1:] == self._steps[:-1]) & (self._steps[1:] != 0)
        goes_on = same_step | (self._moments[1:] == self._moments[:-1])
        return np.flatnonzero(np.append(~goes_on, True))

    def order(self, lines: int) -> LabelSequence:
        """The labels after so many lines: the last line of each message says its label."""
        _, latest = np.unique(self._messages[:lines][::-1], return_index=True)
        places = lines - 1 - latest
        places = places[self._classes[places] > 0]
        places = places[np.argsort(self._positions[places], kind="stable")]
        return LabelSequence(self._positions[places], self._messages[places], self._classes[places])
