"""The tree of words that depend on each other most (Chow and Liu 1968).

Friedman, Geiger and Goldszmidt 1997 use the information of two words given the class.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.lab.methods.logarithms import log_ratios

Presence = npt.NDArray[np.bool_]
"""True for the chosen words (columns) that a message (row) contains."""

NO_PARENT = -1


def information(
    documents: npt.NDArray[np.integer], messages: npt.NDArray[np.integer]
) -> FloatArray:
    """Return the mutual information of each word's presence and the class, in nats."""
    everything = max(1.0, float(messages.sum()))
    present = documents / everything
    absent = (messages[:, None] - documents) / everything
    shares = messages[:, None] / everything
    return _information_of(present, shares) + _information_of(absent, shares)


def _information_of(part: FloatArray, shares: FloatArray) -> FloatArray:
    ratios = log_ratios(part, shares * part.sum(axis=0))
    return np.asarray((part * ratios).sum(axis=0))


def conditional_information(classes: Iterable[Presence]) -> FloatArray:
    """Return the mutual information of two words given the class, times the number of messages."""
    found: FloatArray = np.zeros((0, 0))
    for presence in classes:
        own = _information_of_pairs(presence)
        found = own if not found.size else found + own
    return found


def _information_of_pairs(presence: Presence) -> FloatArray:
    messages = len(presence)
    both = _count_pairs(presence)
    ones = np.diag(both).copy()
    zeros = messages - ones
    only = ones[:, None] - both
    found = both * log_ratios(both * messages, np.outer(ones, ones))
    crossed = only * log_ratios(only * messages, np.outer(ones, zeros))
    neither = zeros[None, :] - only
    found += crossed + crossed.T
    found += neither * log_ratios(neither * messages, np.outer(zeros, zeros))
    return found


def _count_pairs(presence: Presence) -> FloatArray:
    """Return the number of messages with both words of each pair.

    A message holds few of the words: counting its pairs takes less time than multiplying tables.
    """
    words = presence.shape[1]
    found = np.zeros((words, words))
    for message in presence:
        held = np.flatnonzero(message)
        found[np.ix_(held, held)] += 1.0
    return found


def widest_tree(strengths: FloatArray) -> LongArray:
    """Return the maximum spanning tree (Prim) as the parent of each node.

    The first node has `NO_PARENT`.
    """
    size = len(strengths)
    parents = np.full(size, NO_PARENT, np.int64)
    is_outside = np.ones(size, np.bool_)
    best = np.full(size, -np.inf)
    newest = 0
    for _ in range(size - 1):
        is_outside[newest] = False
        is_better = is_outside & (strengths[newest] > best)
        best[is_better] = strengths[newest, is_better]
        parents[is_better] = newest
        newest = int(np.where(is_outside, best, -np.inf).argmax())
    return parents
