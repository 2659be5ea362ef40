"""Why a message got its score: values that add up to it."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contribution:
    """Contribution of one word to the score of a message.

    Some methods also have contributions of a measure ("measure:size") or of a pair of words ("pair:free money"). These
    have no counts, and their `occurrences` are 0.

    `junk` and `good` are the numbers of messages that contain the word; between other classes, those of these classes.
    `log_ratio`: log p(word | junk) / p(word | good) as the method estimates it from counts.
    `correction`: part of `contribution` that was learned from mistakes.
    `contribution`: amount that the word adds to the log-odds of this message.
    `occurrences`: number of times that the message contains the word.
    """

    word: str
    place: str
    junk: int
    good: int
    log_ratio: float
    correction: float
    contribution: float
    occurrences: int = 1


@dataclass(frozen=True, slots=True)
class Reasons:
    """Log-odds taken apart: prior + contributions + weaker + calibration = log_odds, to 1e-9."""

    prior: float
    contributions: tuple[Contribution, ...]
    weaker_count: int
    weaker: float
    calibration: float
    log_odds: float


@dataclass(frozen=True, slots=True)
class Explanation(Reasons):
    """Explanation of the verdict of a message.

    `probability` is None while a class has no example; `log_odds` is then uncalibrated. `deviation`: standard deviation
    of the calibrated log-odds. `flip_without`: smallest set of words without which the verdict changes, empty if there
    is none. `marks_to_flip`: number of opposite marks on such messages that change the verdict, None if unknown.
    `nearest`: number of held-out messages with the nearest scores, and how many are junk. `junk_from`: junk threshold.
    """

    probability: float | None
    verdict: str
    flip_without: tuple[str, ...] = ()
    marks_to_flip: int | None = None
    nearest: tuple[int, int] = (0, 0)
    deviation: float | None = None
    junk_from: float | None = None

    @property
    def between(self) -> tuple[float, float] | None:
        """Between which probabilities the true one lies with 95 % confidence."""
        if self.deviation is None:
            return None
        ends = (self.log_odds - 1.96 * self.deviation, self.log_odds + 1.96 * self.deviation)
        return 1 / (1 + math.exp(-max(ends[0], -700.0))), 1 / (1 + math.exp(-max(ends[1], -700.0)))


@dataclass(frozen=True, slots=True)
class Proportion:
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
