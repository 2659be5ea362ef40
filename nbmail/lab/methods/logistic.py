"""Logistic regression, learned online."""

from typing import ClassVar

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.growing_table import with_room
from nbmail.core.counting.sample import Sample
from nbmail.lab.methods.linear import LinearMethod, Weights

UNIT = float(1 << 40)
"""Value of one in the integers that represent weights."""
_LEARNING_RATE = 8.0


def chances(scores: FloatArray) -> FloatArray:
    """Return the softmax of the scores of classes: chances that add up to 1."""
    heights = np.exp(scores - scores.max())
    return np.asarray(heights / heights.sum())


class Logistic(LinearMethod):
    """A weight for each word and class, changed after each message by the error of its prediction.

    Each message is scaled to length one (1 / sqrt(n) for each word). The weights of all its words
    change by the same integer, which is enough to undo the step exactly.
    """

    counts_suffice: ClassVar[bool] = False
    is_learned: ClassVar[bool] = True

    def __init__(self) -> None:
        self._moved: LongArray = np.zeros((0, 0), np.int64)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        self._moved = with_room(self._moved, len(counts.classes), counts.width)
        moved = self._moved[: len(counts.classes)]
        nothing = np.zeros(len(moved))
        if words is None:
            return Weights(nothing, moved[:, : counts.width] / UNIT)
        return Weights(nothing, moved.take(words, axis=1, mode="clip") / UNIT)

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Change the weights of the message's words, in each class by the error of its chance."""
        right = counts.row_to_be(label)
        # The last column always stays empty.
        width = int(sample.words.max(initial=0)) + 2
        self._moved = with_room(self._moved, max(right + 1, len(counts.classes)), width)

        scale = 1.0 / max(1.0, float(np.sqrt(len(sample.words))))
        scores = self._moved[:, sample.words].sum(axis=1) * (scale / UNIT)
        met = np.zeros(len(scores), np.bool_)
        met[: len(counts.classes)] = np.array(counts.messages) > 0
        met[right] = True
        errors = -chances(np.where(met, scores, -np.inf))
        errors[right] += 1.0

        moves = np.rint(errors * (_LEARNING_RATE * scale * UNIT)).astype(np.int64)
        self._moved[:, sample.words] += moves[:, None]
        return tuple(moves.tolist())

    def unlearn(
        self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None
    ) -> bool:
        if undo_data is None:
            return False
        moves = np.array(undo_data, np.int64)
        self._moved[: len(moves), sample.words] -= moves[:, None]
        return True

    def state(self) -> LongArray:
        return self._moved.copy()

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        self._moved = np.pad(kept, ((0, 0), (0, 1)))
        return True
