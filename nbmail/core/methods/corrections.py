"""Learned corrections: one integer for each word and class, changed by the error of each message's score.

Online logistic regression with AdaGrad (Duchi, Hazan and Singer 2011; for junk mail: Goodman and Yih 2006). Only
corrections enter the error, so that the errors of counts and corrections are independent.

The opposite classes junk and good mail share one boundary. Each row contains what the messages of its class taught, and
the correction of a word is the difference. Learning all junk first and all good mail later loses nothing. Other classes
are learned against the rest. Measurements: `tests/bench/MEASUREMENTS.md`, "Balanced evidence".

The table has a row for each class and a column for each word. The upper 32 bits of a cell are the correction in units
of 1 / `UNIT`. The lower 32 bits are its energy: the sum of squared errors in units of 1 / `ERROR_UNIT`. Steps get
shorter as the energy grows. The energy overflows after 65,536 completely wrong messages, a correction after a million.

Results are identical on any machine: sums of integers, and only operations that IEEE 754 rounds exactly. No library
function such as `exp` is used.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nbmail.core.compiled import compiled
from nbmail.core.counting.counts import Counts, with_room
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample
from nbmail.core.methods.method import Run

UNIT = 1 << 17
ERROR_UNIT = 1 << 16
# A message judged rightly by more than this teaches nothing ("thick threshold", Siefkes et al. 2004): half as many
# steps.
MARGIN_OF_OPPOSITES = 5.0
MARGIN_OF_MANY = 3.0
# The first step of a word.
STEP_OF_OPPOSITES = 14.0
STEP_OF_MANY = 7.0
# What bounds the first step: with none, one error of 1 would move a word no more than one of 0.001.
FIRST_ENERGY = 0.01

_ENERGY_BITS = 32
_ENERGY = (1 << _ENERGY_BITS) - 1
# What the undo_data of a step begin with.
_MANY, _OPPOSITES = 0, 1
_DOUBLINGS = 12
_FARTHEST = 30.0


def average(one: LongArray, other: LongArray, weights: tuple[int, int]) -> LongArray:
    """Two kept tables of equal shape as one: the weighted means of their corrections and of their energies.

    The halves apart: a fraction of a correction would otherwise run over into the energy, and weights beyond 2**13
    would not fit beside both. Exact while the weights together are below 2**31.
    """
    corrections = (one >> _ENERGY_BITS) * weights[0] + (other >> _ENERGY_BITS) * weights[1]
    energy = (one & _ENERGY) * weights[0] + (other & _ENERGY) * weights[1]
    total = sum(weights)
    return np.asarray((corrections // total << _ENERGY_BITS) + energy // total)


def scale_of(words: int) -> float:
    """By what the sum of a message's corrections is multiplied: long messages are no surer than short ones."""
    return 1.0 / math.sqrt(words) if words else 0.0


def error_of(margin: float, enough: float) -> int:
    """Return the error of a score with this margin, 1 / (1 + e ** margin), in units of 1 / `ERROR_UNIT`.

    Zero from the margin `enough` on. e ** x is (1 + x / 4096) ** 4096 by squaring, within 1 % here, because libraries
    round `exp` differently.
    """
    if margin >= enough:
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
        """Return the corrections of these words for a class, of all words where None, in units of 1 / `UNIT`."""
        if row >= len(self._table):
            return np.zeros(self._table.shape[1] if words is None else len(words), np.int64)
        mine = self._table[row]
        return np.asarray((mine if words is None else mine.take(words, mode="clip")) >> _ENERGY_BITS)

    def learn_opposites(self, own: int, other: int | None, words: IntArray) -> tuple[int, ...]:
        """Learn a message of the class in row `own`, whose opposite is in row `other` if it was met."""
        mate = -1 if other is None else other
        if not len(words):
            return ()
        # Looking up by this kind of number takes a third of the time.
        places = words.astype(np.intp)
        self._table = with_room(self._table, max(own, mate) + 1, int(places[-1]) + 2)
        mine = self._table[own]
        before, opposed = mine[places], self._opposed(mate, places)
        error = error_of(_score_of(before) - _score_of(opposed), MARGIN_OF_OPPOSITES)
        if error:
            energy = (before & _ENERGY) + (opposed & _ENERGY) + _energy_of(error)
            mine[places] = before + _moved(energy, error, STEP_OF_OPPOSITES)
        return undo_data_of(own, mate, error)

    def learn_one_of_many(self, right: int, others: Sequence[int], words: IntArray) -> tuple[int, ...]:
        """Learn a message of the class in row `right`, which is none of the others."""
        rows = sorted({right, *others})
        if len(rows) < 2 or not len(words):
            return ()
        self._table = with_room(self._table, rows[-1] + 1, int(words.max()) + 2)
        errors = [0] * (rows[-1] + 1)
        for row in rows:
            errors[row] = self._learn_row(row, words, row == right)
        return (_MANY, *errors)

    def table(self, classes: int, width: int) -> LongArray:
        """The table itself with room for so many classes and words, for learning many messages at once in place."""
        self._table = with_room(self._table, classes, width + 1)
        return self._table

    def unlearn(self, words: IntArray, undo_data: Sequence[int]) -> None:
        """Take the latest step back."""
        if not undo_data:
            return
        if undo_data[0] == _OPPOSITES:
            _, own, mate, error = undo_data
            after = self._table[own, words]
            energy = (after & _ENERGY) + (self._opposed(mate, words) & _ENERGY)
            self._table[own, words] = after - _moved(energy, error, STEP_OF_OPPOSITES)
            return
        for row, error in enumerate(undo_data[1:]):
            after = self._table[row, words]
            self._table[row, words] = after - _moved(after & _ENERGY, error, STEP_OF_MANY)

    def state(self) -> LongArray:
        return self._table[:, :-1].copy()

    def restore(self, kept: LongArray) -> None:
        self._table = np.pad(np.asarray(kept, np.int64), ((0, 0), (0, 1)))

    def _learn_row(self, row: int, words: IntArray, right: bool) -> int:
        before = self._table[row, words]
        score = _score_of(before)
        error = error_of(score, MARGIN_OF_MANY) if right else -error_of(-score, MARGIN_OF_MANY)
        energy = (before & _ENERGY) + _energy_of(error)
        self._table[row, words] = before + _moved(energy, error, STEP_OF_MANY)
        return error

    def _opposed(self, mate: int, words: IntArray | npt.NDArray[np.intp]) -> LongArray:
        return self._table[mate][words] if mate >= 0 else np.zeros(len(words), np.int64)


def undo_data_of(own: int, mate: int, error: int) -> tuple[int, ...]:
    """Return the data to undo a message of row `own` with its opposite `mate`, -1 without examples."""
    return (_OPPOSITES, own, mate, error) if error else ()


def _score_of(state: LongArray) -> float:
    return float((state >> _ENERGY_BITS).sum()) / UNIT * scale_of(len(state))


def _energy_of(error: int) -> int:
    return error * error // ERROR_UNIT


def _moved(energy: LongArray, error: int, step: float) -> LongArray:
    """Return the change of each cell for an error, given the energy after it, which `unlearn` knows as well."""
    reach = step * UNIT * (error / ERROR_UNIT) * scale_of(len(energy))
    moves = np.rint(reach / np.sqrt(FIRST_ENERGY + energy / ERROR_UNIT)).astype(np.int64)
    return np.asarray((moves << _ENERGY_BITS) + _energy_of(error))


VERSION = 2
compiled_learning = compiled("learning", VERSION)

Rows = tuple[int | None, int | None]
Logarithms = Callable[[int], tuple[FloatArray, FloatArray]]
"""Those of document counts and those of numbers of messages, each smoothed, up to so many messages."""


def learn_compiled(
    counts: Counts,
    corrections: Corrections,
    logarithms: Logarithms,
    rows: Rows,
    *,
    samples: Sequence[Sample],
    is_junk: Sequence[bool],
) -> Run | None:
    """Learn samples of the classes in `rows`, junk and good mail, in compiled code; None where it isn't compiled."""
    if compiled_learning is None:
        return None
    words, starts = _joined([sample.words for sample in samples])
    occurrences, _ = _joined([sample.occurrences for sample in samples])
    highest = int(words.max(initial=0))
    counts.make_room(highest)
    table = corrections.table(max(row for row in rows if row is not None) + 1, highest + 1)
    scores, errors = np.empty(len(samples)), np.empty(len(samples), np.int64)
    junk, good = (_side(counts, table, row) for row in rows)
    most = max(counts.messages[row] for row in rows if row is not None) + len(samples)
    labels = np.array(is_junk, np.bool_)
    fresh, *occurrences_got = compiled_learning.learn(
        words, occurrences, starts, labels, junk, good, counts.holders, *logarithms(most), scores, errors
    )
    own, opposite = _sides(rows, is_junk)
    gains = {row: gain for row, gain in zip(rows, occurrences_got, strict=True) if row in own}
    counts.note_run(own, samples, gains, fresh)
    return Run(scores, list(map(undo_data_of, own, opposite, errors.tolist())))


def _joined(parts: Sequence[IntArray]) -> tuple[IntArray, LongArray]:
    """Arrays end to end, and where each begins."""
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    # A copy also where there is only one: what was read from a file need not be aligned.
    return np.concatenate(parts).astype(np.int32, copy=False), starts


def _side(counts: Counts, table: Any, row: int | None) -> Any:
    return None if row is None else (counts.documents[row], counts.occurrences[row], table[row], counts.messages[row])


def _sides(rows: Rows, is_junk: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Each message's own row and that of its opposite, -1 where that was never met."""
    junk, good = (-1 if row is None else row for row in rows)
    return [junk if one else good for one in is_junk], [good if one else junk for one in is_junk]
