"""The mathematics of tree-augmented Bayes: which words, which of them depends on which, and what each then says.

Sources: UBC CPSC 340 ("less naive"); Chow and Liu 1968 for the tree; Friedman, Geiger and Goldszmidt 1997.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.sample import FloatArray, LongArray

Presence = npt.NDArray[np.bool_]
"""Which message (row) holds which chosen word (column)."""

NO_PARENT = -1


@dataclass(frozen=True, slots=True, eq=False)
class PairWeights:
    """What each class (row) makes of chosen words (columns), alone and together with the word they depend on.

    The score of a class is base + its words present + its pairs present (a word and its parent both).
    """

    base: FloatArray
    words: FloatArray
    pairs: FloatArray


def information(documents: npt.NDArray[np.integer], messages: npt.NDArray[np.integer]) -> FloatArray:
    """The mutual information of each word's presence and the class, in nats."""
    everything = max(1.0, float(messages.sum()))
    present = documents / everything
    absent = (messages[:, None] - documents) / everything
    shares = messages[:, None] / everything
    found = np.zeros(documents.shape[1])
    for part in (present, absent):
        found += (part * _log_ratio(part, shares * part.sum(axis=0))).sum(axis=0)
    return found


def conditional_information(classes: Iterable[Presence]) -> FloatArray:
    """The information that two words hold of each other once the class is known, times the number of messages."""
    found: FloatArray = np.zeros((0, 0))
    for presence in classes:
        both = np.zeros((presence.shape[1], presence.shape[1]))
        for held in presence:
            # A message holds few of the words: counting its pairs takes less time than multiplying tables.
            words = np.flatnonzero(held)
            both[np.ix_(words, words)] += 1.0
        one = _terms(both, np.diag(both).copy(), len(presence))
        found = one if not found.size else found + one
    return found


def _terms(both: FloatArray, ones: FloatArray, messages: int) -> FloatArray:
    zeros = messages - ones
    found = both * _log_ratio(both * messages, np.outer(ones, ones))
    only = ones[:, None] - both
    crossed = only * _log_ratio(only * messages, np.outer(ones, zeros))
    neither = zeros[None, :] - only
    found += crossed + crossed.T
    found += neither * _log_ratio(neither * messages, np.outer(zeros, zeros))
    return found


def _log_ratio(upper: FloatArray, lower: FloatArray) -> FloatArray:
    """The logarithm of the ratio, 0 where the upper is 0: 0 log 0 is 0."""
    return np.log(np.where(upper > 0, upper, 1.0)) - np.log(np.where(upper > 0, lower, 1.0))


def widest_tree(strengths: FloatArray) -> LongArray:
    """The spanning tree of the greatest total strength (Prim), as the parent of each; the first has `NO_PARENT`."""
    size = len(strengths)
    parents = np.full(size, NO_PARENT, np.int64)
    outside = np.ones(size, np.bool_)
    best = np.full(size, -np.inf)
    newest = 0
    for _ in range(size - 1):
        outside[newest] = False
        better = outside & (strengths[newest] > best)
        best[better] = strengths[newest, better]
        parents[better] = newest
        newest = int(np.where(outside, best, -np.inf).argmax())
    return parents


def pair_weights(messages: LongArray, ones: LongArray, both: LongArray, parents: LongArray) -> PairWeights:
    """What words say given their parents, each chance smoothed by Laplace.

    `ones` counts the messages with the word, `both` those with its parent too. A word without parent is treated as
    one whose parent is never there.
    """
    child = parents != NO_PARENT
    given = np.where(child, ones[:, parents], 0)
    on_with, off_with = _log_chances(both, given)
    on_without, off_without = _log_chances(ones - both, messages[:, None] - given)
    words = on_without - off_without
    # A parent that is present changes what the absence of its children says: that is part of its own weight.
    shifts = (off_with - off_without)[:, child]
    np.add.at(words.T, parents[child], shifts.T)
    pairs = np.where(child, on_with - off_with - on_without + off_without, 0.0)
    return PairWeights(off_without.sum(axis=1), words, pairs)


def _log_chances(heads: LongArray, tosses: LongArray) -> tuple[FloatArray, FloatArray]:
    whole = np.log(tosses + 2.0)
    return np.log(heads + 1.0) - whole, np.log(tosses - heads + 1.0) - whole
