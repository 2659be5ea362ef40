"""Changes that would flip a verdict: words left out, and marks on such messages."""

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
    """Return the sample without the words at these indexes."""
    words = np.delete(sample.words, places)
    occurrences = np.delete(sample.occurrences, places)
    return Sample(words, occurrences, sample.measures)


def smallest_flip(
    sample: Sample, contributions: FloatArray, changes_verdict: VerdictChanges
) -> IntArray:
    """Return the indexes of the fewest words without which the verdict changes.

    Empty if there are none. The k strongest words of one side change the score most, so bisection
    finds the smallest k. The result is exact for linear methods. If words depend on each other, the
    verdict still changes, but fewer words may suffice.
    """
    to_spam = _flip_of_one_side(sample, contributions, changes_verdict)
    to_ham = _flip_of_one_side(sample, -contributions, changes_verdict)
    found = [flip for flip in (to_spam, to_ham) if len(flip)]
    return min(found, key=len, default=np.empty(0, np.int32))


def _flip_of_one_side(
    sample: Sample, contributions: FloatArray, changes_verdict: VerdictChanges
) -> IntArray:
    """Return the strongest words of positive contribution that suffice, none if all don't."""
    positive = int(np.count_nonzero(contributions > 0))
    strongest = np.argsort(-contributions, kind="stable").astype(np.int32)[:positive]
    if not positive or not changes_verdict(without(sample, strongest)):
        return strongest[:0]
    too_few = 0
    enough = positive
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if changes_verdict(without(sample, strongest[:middle])):
            enough = middle
        else:
            too_few = middle
    return strongest[:enough]
