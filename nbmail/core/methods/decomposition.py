"""Log-odds of one message in parts."""

from typing import NamedTuple

from nbmail.core.counting.arrays import FloatArray

ABSENT = "absent:words"
"""Name of the part of a score that all absent words contribute together."""


class MeasureFigures(NamedTuple):
    """A measure of one message, with mean and standard deviation in both classes."""

    value: int
    spam_mean: float
    spam_deviation: float
    ham_mean: float
    ham_deviation: float


class Part(NamedTuple):
    """Part of a score that is no word of the message.

    It is a measure, a pair of words, or all absent words together.
    `counts`: its messages in both classes. `pair`: numbers of two words, which follow the name.
    """

    name: str
    value: float
    counts: tuple[int, int] = (0, 0)
    pair: tuple[int, int] | None = None
    measure: MeasureFigures | None = None


class DecomposedOdds(NamedTuple):
    """Log-odds of one message in parts: prior + sum(contributions) + sum(others).

    Each word of the sample has a log-ratio from counts (`ratios`) and an amount that it adds
    (`contributions`). `corrections`: part of that amount that was learned from mistakes.
    `removals`: amount by which the log-odds decrease without each word, None if equal to
    `contributions`. `total` is the sum if the method knows it more exactly than the rounded parts.
    """

    prior: float
    ratios: FloatArray
    corrections: FloatArray
    contributions: FloatArray
    others: tuple[Part, ...] = ()
    total: float | None = None
    removals: FloatArray | None = None

    @property
    def log_odds(self) -> float:
        if self.total is not None:
            return self.total
        words = float(self.contributions.sum())
        return self.prior + words + sum(part.value for part in self.others)
