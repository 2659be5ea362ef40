"""Learned corrections: one integer for each word and class, changed by the error of each message's
score.

Online logistic regression with AdaGrad (Duchi, Hazan and Singer 2011; for spam mail: Goodman and
Yih 2006). Only corrections enter the error, so that the errors of counts and corrections are
independent.

The opposite classes spam and good mail share one boundary. Each row has the corrections by messages
of its class, and the correction of a word is the difference. Learning all spam first and all good
mail later loses nothing. Other classes are learned against the rest. Measurements:
`tests/bench/MEASUREMENTS.md`, "Balanced evidence".

The table has a row for each class and a column for each word. The upper 32 bits of a cell are the
correction in units of 1 / `UNIT`. The lower 32 bits are its energy: the sum of squared errors in
units of 1 / `ERROR_UNIT`. Steps get shorter as the energy grows. The energy overflows after 65,536
completely wrong messages, a correction after a million.

Results are identical on any machine: sums of integers, and only operations that IEEE 754 rounds
exactly. No library function such as `exp` is used.
"""

import math
from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import IntArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.growing_table import with_room
from nbmail.core.counting.sample import Sample
from nbmail.core.methods.method import Method
from nbmail.values import HAM, SPAM

OPPOSITE = {SPAM: HAM, HAM: SPAM}

UNIT = 1 << 17
ERROR_UNIT = 1 << 16
# A message classified correctly by more than this margin is not learned ("thick threshold", Siefkes
# et al. 2004): half as many steps.
MARGIN_OF_OPPOSITES = 5.0
MARGIN_OF_MANY = 3.0
# The first step of a word.
STEP_OF_OPPOSITES = 14.0
STEP_OF_MANY = 7.0
# Bounds the first step. Without it, an error of 1 would change a word no more than one of 0.001.
FIRST_ENERGY = 0.01

_ENERGY_BITS = 32
_ENERGY = (1 << _ENERGY_BITS) - 1
# First number of the undo data.
_MANY = 0
_OPPOSITES = 1
_DOUBLINGS = 12
_FARTHEST = 30.0


def scale_of(words: int) -> float:
    """Return the factor for the sum of a message's corrections.

    Long messages are no surer than short ones. A message without words counts like one of one word.
    """
    return 1.0 / math.sqrt(max(words, 1))


def error_of(margin: float, enough: float) -> int:
    """Return the error of a score with this margin, in units of 1 / `ERROR_UNIT`.

    It is 1 / (1 + e ** margin), zero from the margin `enough` on. e ** x is (1 + x / 4096) ** 4096
    by squaring, within 1 % here, because libraries round `exp` differently.
    """
    if margin >= enough:
        return 0
    power = 1.0 + max(margin, -_FARTHEST) / (1 << _DOUBLINGS)
    for _ in range(_DOUBLINGS):
        power *= power
    return round(ERROR_UNIT / (1.0 + power))


class CorrectingMethod(Method):
    """Method that learns corrections.

    The last column of their table stays empty, for words never learned.
    """

    def __init__(self) -> None:
        self._table: LongArray = np.zeros((0, 1), np.int64)

    def corrections(self, counts: Counts, row: int, words: IntArray | None) -> LongArray:
        """Return the corrections of words for a class, in units of 1 / `UNIT`.

        None: those of all columns of `counts`.
        """
        is_learned = row < len(self._table)
        if words is not None and is_learned:
            return np.asarray(self._table[row].take(words, mode="clip") >> _ENERGY_BITS)
        found = np.zeros(counts.width if words is None else len(words), np.int64)
        if is_learned:
            used = min(self._table.shape[1], len(found) - 1)
            np.right_shift(self._table[row, :used], _ENERGY_BITS, out=found[:used])
        return found

    @abstractmethod
    def length_of(self, words: IntArray) -> int:
        """Return the number of words by which the sum of a message's corrections is scaled."""

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Correct the words by the error of the score of their corrections."""
        own = counts.row_to_be(label)
        if label in OPPOSITE:
            return self._learn_opposites(own, counts.row(OPPOSITE[label]), sample.words)
        return self._learn_many(own, _rivals(counts, own), sample.words)

    def unlearn(
        self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None
    ) -> bool:
        if undo_data:
            kind, *details = undo_data
            if kind == _OPPOSITES:
                self._unlearn_opposites(sample.words, *details)
            else:
                self._unlearn_many(sample.words, details)
        return undo_data is not None

    def state(self) -> LongArray:
        return self._table[:, :-1].copy()

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        self._table = np.pad(np.asarray(kept, np.int64), ((0, 0), (0, 1)))
        return True

    def average(self, one: LongArray, other: LongArray, weights: tuple[int, int]) -> LongArray:
        """Return the weighted means of corrections and of energies.

        Exact while the weights together are below 2**31. The two halves of a cell are averaged
        separately: a fraction of a correction would change the energy, and weights beyond 2**13
        would overflow.
        """
        mine, theirs = weights
        total = mine + theirs
        corrections = (one >> _ENERGY_BITS) * mine + (other >> _ENERGY_BITS) * theirs
        energy = (one & _ENERGY) * mine + (other & _ENERGY) * theirs
        return np.asarray((corrections // total << _ENERGY_BITS) + energy // total)

    def _learn_many(self, own: int, rivals: list[int], words: IntArray) -> tuple[int, ...]:
        """Learn a message of the class in row `own` against all others together."""
        rows = sorted({own, *rivals})
        if len(rows) < 2 or not len(words):
            return ()
        last = rows[-1]
        self._table = with_room(self._table, last + 1, int(words.max()) + 2)
        errors = [0] * (last + 1)
        scale = scale_of(len(words))
        for row in rows:
            before = self._table[row, words]
            score = _score_of(before, scale)
            if row == own:
                error = error_of(score, MARGIN_OF_MANY)
            else:
                error = -error_of(-score, MARGIN_OF_MANY)
            energy = (before & _ENERGY) + _energy_of(error)
            self._table[row, words] += _change(energy, error, STEP_OF_MANY, scale)
            errors[row] = error
        return (_MANY, *errors)

    def _unlearn_many(self, words: IntArray, errors: list[int]) -> None:
        scale = scale_of(len(words))
        for row, error in enumerate(errors):
            energy = self._table[row, words] & _ENERGY
            self._table[row, words] -= _change(energy, error, STEP_OF_MANY, scale)

    def _learn_opposites(self, own: int, other: int | None, words: IntArray) -> tuple[int, ...]:
        """Learn a message of the class in row `own`.

        `other`: row of the opposite class, None if unknown.
        """
        if not len(words):
            return ()
        mate = -1 if other is None else other
        # Indexing with this type takes a third of the time.
        places = words.astype(np.intp)
        rows = max(own, mate) + 1
        self._table = with_room(self._table, rows, int(places[-1]) + 2)
        mine = self._table[own]
        before = mine[places]
        opposed = self._opposed(mate, places)
        scale = scale_of(self.length_of(words))
        margin = _score_of(before, scale) - _score_of(opposed, scale)
        error = error_of(margin, MARGIN_OF_OPPOSITES)
        if error:
            energy = (before & _ENERGY) + (opposed & _ENERGY) + _energy_of(error)
            mine[places] = before + _change(energy, error, STEP_OF_OPPOSITES, scale)
        return undo_data_of(own, mate, error)

    def _unlearn_opposites(self, words: IntArray, own: int, mate: int, error: int) -> None:
        mine = self._table[own, words] & _ENERGY
        opposed = self._opposed(mate, words) & _ENERGY
        scale = scale_of(self.length_of(words))
        self._table[own, words] -= _change(mine + opposed, error, STEP_OF_OPPOSITES, scale)

    def _opposed(self, mate: int, words: IntArray | npt.NDArray[np.intp]) -> LongArray:
        if mate < 0:
            return np.zeros(len(words), np.int64)
        found: LongArray = self._table[mate][words]
        return found


def is_mail(counts: Counts, row: int) -> bool:
    """True for spam and ham, False for a class of the user's own."""
    return counts.classes[row] in OPPOSITE


def undo_data_of(own: int, mate: int, error: int) -> tuple[int, ...]:
    """Return the data to undo a message of row `own`.

    `mate`: row of the opposite class, -1 if unknown.
    """
    return (_OPPOSITES, own, mate, error) if error else ()


def _rivals(counts: Counts, own: int) -> list[int]:
    """Return the rows of the user's other classes with messages."""
    return [
        row
        for row, messages in enumerate(counts.messages)
        if messages and row != own and not is_mail(counts, row)
    ]


def _score_of(state: LongArray, scale: float) -> float:
    return float((state >> _ENERGY_BITS).sum()) / UNIT * scale


def _energy_of(error: int) -> int:
    return error * error // ERROR_UNIT


def _change(energy: LongArray, error: int, step: float, scale: float) -> LongArray:
    """Return the change of each cell.

    `energy`: after the change, so that `unlearn` computes the same.
    """
    reach = step * UNIT * (error / ERROR_UNIT) * scale
    moves = np.rint(reach / np.sqrt(FIRST_ENERGY + energy / ERROR_UNIT)).astype(np.int64)
    return np.asarray((moves << _ENERGY_BITS) + _energy_of(error))
