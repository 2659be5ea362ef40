"""How sure a counted share is."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counted:
    """So many of so many; with 95 % confidence the true share lies between `lowest` and `highest`."""

    found: int
    count: int

    @property
    def share(self) -> float:
        """The share, 0 of nothing."""
        return self.found / self.count if self.count else 0.0

    @property
    def lowest(self) -> float:
        return wilson(self.found, self.count)[0]

    @property
    def highest(self) -> float:
        return wilson(self.found, self.count)[1]


def wilson(found: float, count: int, deviations: float = 1.96) -> tuple[float, float]:
    """Between which shares the true one lies with 95 % confidence where `found` of `count` were (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    share, extra = found / count, deviations * deviations / count
    middle = (share + extra / 2) / (1 + extra)
    reach = deviations / (1 + extra) * math.sqrt(share * (1 - share) / count + extra / (4 * count))
    return max(0.0, middle - reach), min(1.0, middle + reach)
