"""From a probability and what mistakes cost to a verdict."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.sample import FloatArray

Verdict = Literal["unsure", "good", "junk"]
VERDICTS: tuple[Verdict, ...] = ("unsure", "good", "junk")
UNSURE, GOOD, JUNK = range(3)
"""Places in `VERDICTS`, for lists."""

VerdictArray = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of errors, in units of checking one message.

    `false_junk`: a good message classified as junk. `ask`: an unsure message. `unsure_junk`: junk that is unsure, in
    addition. `missed_junk`: junk classified as good. By default a message is junk above odds of 49.5, good below 1/7.
    """

    false_junk: float = 100.0
    missed_junk: float = 9.0
    ask: float = 1.0
    unsure_junk: float = 1.0

    @property
    def junk_from(self) -> float:
        """The probability from which on calling it junk costs least."""
        against_unsure = (self.false_junk - self.ask) / (self.false_junk + self.unsure_junk)
        against_good = self.false_junk / (self.false_junk + self.vouched_junk)
        return max(against_unsure, against_good)

    @property
    def good_below(self) -> float:
        """The probability below which calling it good costs least."""
        spared = self.vouched_junk - self.unsure_junk
        against_unsure = self.ask / spared if spared > 0 else math.inf
        return min(against_unsure, self.false_junk / (self.false_junk + self.vouched_junk))

    @property
    def values(self) -> tuple[float, float, float, float]:
        return self.false_junk, self.missed_junk, self.ask, self.unsure_junk

    @property
    def vouched_junk(self) -> float:
        """Cost of junk classified as good: at most that of a good message classified as junk."""
        return min(self.missed_junk, self.false_junk)


def judge(probabilities: FloatArray, costs: Costs) -> VerdictArray:
    """The verdict of least expected cost for each probability of junk (CPSC 340's decision table, with a third row).

    Where two cost the same the more careful wins: unsure, then good. NaN is unsure.
    """
    expected = np.stack(
        [
            costs.ask + probabilities * costs.unsure_junk,
            probabilities * costs.vouched_junk,
            (1 - probabilities) * costs.false_junk,
        ]
    )
    found: VerdictArray = expected.argmin(axis=0).astype(np.int8)
    found[np.isnan(probabilities)] = UNSURE
    return found


def to_probabilities(log_odds: FloatArray) -> FloatArray:
    """Log-odds to probabilities; beyond 700 the exponential overflows, and nothing changes any more."""
    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))
