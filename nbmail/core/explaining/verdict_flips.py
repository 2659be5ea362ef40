"""Changes that would flip a verdict."""

from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.counting.sample import Sample
from nbmail.core.scoring.model import simulating
from nbmail.core.scoring.predictor import Predictor

MOST_MARKS = 50

VerdictChanges = Callable[[Sample], bool]
"""Returns whether a sample gets another verdict than the message it was cut from."""


def marks_to_flip(
    model: Predictor, sample: Sample, toward: str, changes_verdict: VerdictChanges
) -> int | None:
    """Return the number of marks that change the verdict; None if `MOST_MARKS` don't suffice."""
    with ExitStack() as simulated:
        for marks in range(1, MOST_MARKS + 1):
            simulated.enter_context(simulating(model, sample, toward))
            if changes_verdict(sample):
                return marks
    return None


def without(sample: Sample, places: IntArray | LongArray) -> Sample:
    return Sample(
        np.delete(sample.words, places), np.delete(sample.occurrences, places), sample.measures
    )


def smallest_flip(
    sample: Sample, contributions: FloatArray, changes_verdict: VerdictChanges
) -> IntArray:
    """Return the indexes of the fewest words without which the verdict changes, empty if there are
    none.

    The k strongest words of one side change the score most, so bisection finds the smallest k. The
    result is exact for linear methods. If words depend on each other, the verdict still changes,
    but fewer words may suffice.
    """
    found = list[IntArray]()
    for shares in (contributions, -contributions):
        order = np.argsort(-shares, kind="stable").astype(np.int32)[
            : int(np.count_nonzero(shares > 0))
        ]
        if len(order) and changes_verdict(without(sample, order)):
            kept = 0
            gone = len(order)
            while gone - kept > 1:
                middle = (kept + gone) // 2
                kept, gone = (
                    (kept, middle)
                    if changes_verdict(without(sample, order[:middle]))
                    else (middle, gone)
                )
            found.append(order[:gone])
    return min(found, key=len, default=np.empty(0, np.int32))
