"""The fewest words without which a verdict would turn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nbmail.core.counting.sample import FloatArray, IntArray, Sample

Turned = Callable[[Sample], bool]
"""Whether a sample gets another verdict than the message it was cut from."""


def without(sample: Sample, places: IntArray) -> Sample:
    """The sample less the words at these places."""
    return Sample(np.delete(sample.words, places), np.delete(sample.occurrences, places), sample.measures)


def smallest_flip(sample: Sample, contributions: FloatArray, turned: Turned) -> IntArray:
    """Places of the fewest words without which the verdict turns, empty where none do.

    Leaving out the strongest words on one side moves the score most, so the k strongest are the best choice of k,
    and the fewest are found by halving: exact for every linear method. Both sides are tried, the shorter list wins.
    Where words depend on each other the list still turns the verdict, but now and then isn't the shortest.
    """
    tries = [_flip_on_side(sample, side * contributions, turned) for side in (1.0, -1.0)]
    found = [places for places in tries if len(places)]
    return min(found, key=len, default=np.empty(0, np.int32))


def _flip_on_side(sample: Sample, shares: FloatArray, turned: Turned) -> IntArray:
    order = np.argsort(-shares, kind="stable").astype(np.int32)[: int(np.count_nonzero(shares > 0))]
    if not len(order) or not turned(without(sample, order)):
        return np.empty(0, np.int32)
    kept, gone = 0, len(order)
    while gone - kept > 1:
        middle = (kept + gone) // 2
        if turned(without(sample, order[:middle])):
            gone = middle
        else:
            kept = middle
    return order[:gone]
