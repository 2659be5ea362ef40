"""Readiness of a model to sort automatically."""

from bisect import bisect_left
from typing import NamedTuple

from nbmail.core.evaluation.proportion import wilson

LARGEST_LOSS = 0.02
"""Default limit of the upper end of the interval of lost good mail."""
_MOST_MARKS = 100_000


class Readiness(NamedTuple):
    """Test result of the model: of `tested` ham messages it had not learned, `lost` were
    classified as spam.

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
    missing = bisect_left(
        range(_MOST_MARKS), True, key=lambda more: wilson(lost, tested + more)[1] <= limit
    )
    return Readiness(lost, tested, *wilson(lost, tested), missing)
