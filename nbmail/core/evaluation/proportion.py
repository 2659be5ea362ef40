"""Proportions with their confidence intervals."""

import math
from dataclasses import dataclass

DEVIATIONS = 1.96
"""Standard deviations around the mean that contain 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """`found` of `count`. `lowest`, `highest`: ends of the 95 % confidence interval."""

    found: int
    count: int

    @property
    def share(self) -> float:
        return self.found / self.count if self.count else 0.0

    @property
    def lowest(self) -> float:
        lowest, _ = wilson(self.found, self.count)
        return lowest

    @property
    def highest(self) -> float:
        _, highest = wilson(self.found, self.count)
        return highest


def wilson(found: float, count: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval (1927) of the share `found` / `count`."""
    if count == 0:
        return 0.0, 1.0
    share = found / count
    extra = DEVIATIONS**2 / count
    middle = (share + extra / 2) / (1 + extra)
    variance = share * (1 - share) / count + extra / (4 * count)
    reach = DEVIATIONS / (1 + extra) * math.sqrt(variance)
    return max(0.0, middle - reach), min(1.0, middle + reach)
