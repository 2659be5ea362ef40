"""Proportions with their confidence intervals."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proportion:
    """`found` of `count`. `lowest`, `highest`: ends of the 95 % confidence interval of the
    share.
    """

    found: int
    count: int

    @property
    def share(self) -> float:
        return self.found / self.count if self.count else 0.0

    @property
    def lowest(self) -> float:
        return wilson(self.found, self.count)[0]

    @property
    def highest(self) -> float:
        return wilson(self.found, self.count)[1]


# 95 % of a normal distribution are nearer to its mean.
_DEVIATIONS = 1.96


def wilson(found: float, count: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval (1927) of the share `found` / `count`."""
    if count == 0:
        return 0.0, 1.0
    share = found / count
    extra = _DEVIATIONS**2 / count
    middle = (share + extra / 2) / (1 + extra)
    reach = _DEVIATIONS / (1 + extra) * math.sqrt(share * (1 - share) / count + extra / (4 * count))
    return max(0.0, middle - reach), min(1.0, middle + reach)
