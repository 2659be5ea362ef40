"""What mistakes teach: one whole number a word and class, moved after each message against the error of its score.

Logistic regression with a step of its own for each word (AdaGrad: Duchi, Hazan and Singer 2011; online regression for
junk mail: Goodman and Yih 2006). Every class is learned against the rest, from the corrections alone: what counts say
has no part in it, so that the two kinds of evidence err independently.

A row a class, a column a word; both halves of a word's state share one 64-bit number, so that one table is all there
is to keep. The upper half is the correction itself in units of 1 / `UNIT`. The lower half is its energy, the sum of
the squares of all errors it had a part in, in units of 1 / `ERROR_UNIT`: the more energy, the shorter the step. 65,536
messages judged as wrongly as can be would be needed to fill a word's lower half.

All is deterministic on any machine: sums of whole numbers, and only operations that IEEE 754 rounds exactly (so no
`exp` of a library). A step is undone by what it did: the errors, one a class, and how many classes there were.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nbmail.core.counts import Counts
from nbmail.core.sample import FloatArray, IntArray, LongArray

UNIT = 1 << 20
ERROR_UNIT = 1 << 16
# A message judged rightly by more than this teaches nothing ("thick threshold", Siefkes et al. 2004): half as many
# steps and the same figures; 3 and 8 are as good to the third digit.
MARGIN = 5.0
# The first step of a word, for two classes and for more. 10 to 20 and 5 to 10 differ by less than one standard error.
STEP_OF_TWO = 14.0
STEP_OF_MANY = 7.0
# What bounds the first step: with none, one error of 1 would move a word no more than one of 0.001.
FIRST_ENERGY = 0.01

_ENERGY_BITS = 32
_ENERGY = (1 << _ENERGY_BITS) - 1
_DOUBLINGS = 12
_FARTHEST = 30.0


def scale_of(words: int) -> float:
    """By what the sum of a message's corrections is multiplied: long messages are no surer than short ones."""
    return 1.0 / math.sqrt(words) if words else 0.0


def error_of(margin: float) -> int:
    """How wrong a score is whose right side it is on by `margin`: 1 / (1 + e ** margin), in units of 1 / `ERROR_UNIT`.

    e ** x is (1 + x / 4096) ** 4096 by squaring, within 1 % here, because libraries round `exp` differently.
    """
    if margin >= MARGIN:
        return 0
    power = 1.0 + max(margin, -_FARTHEST) / (1 << _DOUBLINGS)
    for _ in range(_DOUBLINGS):
        power *= power
    return round(ERROR_UNIT / (1.0 + power))


class Corrections:
    """The table of corrections. Its last column is always empty: words never learned are looked up there."""

    def __init__(self) -> None:
        self._table: LongArray = np.zeros((0, 1), np.int64)

    def of(self, row: int, words: IntArray | None) -> LongArray:
        """The corrections of these words for a class, of all words where None, in units of 1 / `UNIT`."""
        if row >= len(self._table):
            return np.zeros(self._table.shape[1] if words is None else len(words), np.int64)
        mine = self._table[row]
        return np.asarray((mine if words is None else mine.take(words, mode="clip")) >> _ENERGY_BITS)

    def learn(self, counts: Counts, words: IntArray, label: str) -> tuple[int, ...]:
        """Learn a message, before `counts` do; the details take it back."""
        known = counts.row(label)
        right = len(counts.classes) if known is None else known
        rows = [row for row, messages in enumerate(counts.messages) if messages or row == right]
        if known is None:
            rows.append(right)
        if len(rows) < 2 or not len(words):
            return (len(rows),)
        self._make_room(rows[-1] + 1, int(words.max()) + 2)
        errors = [0] * (rows[-1] + 1)
        for row in rows:
            errors[row] = self._learn_row(row, words, row == right, len(rows))
        return (len(rows), *errors)

    def unlearn(self, words: IntArray, details: Sequence[int]) -> None:
        """Take the latest `learn` back."""
        for row, error in enumerate(details[1:]):
            if error:
                self._table[row, words] -= self._move(self._table[row, words], error, details[0])

    def keep(self) -> LongArray:
        """A copy of the table without its empty column."""
        return self._table[:, :-1].copy()

    def restore(self, kept: LongArray) -> None:
        """Take up a kept table."""
        self._table = np.pad(np.asarray(kept, np.int64), ((0, 0), (0, 1)))

    def _learn_row(self, row: int, words: IntArray, right: bool, classes: int) -> int:
        before = self._table[row, words]
        score = float((before >> _ENERGY_BITS).sum()) / UNIT * scale_of(len(words))
        error = error_of(score if right else -score)
        if not error:
            return 0
        signed = error if right else -error
        # The step is measured by the energy it leaves behind: that is what taking it back finds.
        after = before + _energy_of(signed)
        self._table[row, words] = after + (self._move(after, signed, classes) - _energy_of(signed))
        return signed

    def _move(self, after: LongArray, error: int, classes: int) -> LongArray:
        """By how much the words' numbers changed, told from the energy they were left with."""
        step = STEP_OF_TWO if classes == 2 else STEP_OF_MANY
        energy: FloatArray = (after & _ENERGY) / ERROR_UNIT
        reach = step * UNIT * (error / ERROR_UNIT) * scale_of(len(after))
        moved = np.rint(reach / np.sqrt(FIRST_ENERGY + energy)).astype(np.int64)
        return (moved << _ENERGY_BITS) + _energy_of(error)

    def _make_room(self, classes: int, width: int) -> None:
        rows = max(0, classes - self._table.shape[0])
        columns = max(width, 2 * self._table.shape[1]) - self._table.shape[1] if width > self._table.shape[1] else 0
        if rows or columns:
            self._table = np.pad(self._table, ((0, rows), (0, columns)))


def _energy_of(error: int) -> int:
    return error * error // ERROR_UNIT
