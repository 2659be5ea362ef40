"""Readiness of a model to sort automatically."""

from bisect import bisect_left
from typing import NamedTuple

from nbmail.core.evaluation.proportion import wilson

LARGEST_LOSS = 0.02
"""Default limit of the upper end of the interval of lost good mail."""
_MOST_MARKS = 100_000


class Readiness(NamedTuple):
    """Test of the model: of `tested` unlearned ham messages, `lost` were classified as spam.

    `low` and `high`: 95 % Wilson interval of the share of lost good mail. `marks_missing`:
    approximate number of further tests without a loss until `high` is at most the limit; 0 if the
    model is ready.
    """

    lost: int
    tested: int
    low: float
    high: float
    marks_missing: int

    @property
    def is_ready(self) -> bool:
        """True if sorting may begin without asking the user."""
        return self.marks_missing == 0


def readiness(lost: int, tested: int, limit: float = LARGEST_LOSS) -> Readiness:
    """Return whether a model with this test result may sort. `limit`: that of lost good mail."""

    def is_enough(more: int) -> bool:
        _, highest = wilson(lost, tested + more)
        return highest <= limit

    missing = bisect_left(range(_MOST_MARKS), True, key=is_enough)
    low, high = wilson(lost, tested)
    return Readiness(lost, tested, low, high, missing)
