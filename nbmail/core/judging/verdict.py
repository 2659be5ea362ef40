"""From a probability and what mistakes cost to a verdict."""

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
    """What mistakes cost: a lost good message is as bad as `false_junk` junk messages seen, being asked as `ask`.

    With these it is good below 0.5, junk above 0.995, unsure between. Asking at a fifth of that price left half as many
    again unsure and lost no fewer good ones.
    """

    false_junk: float = 100.0
    missed_junk: float = 1.0
    ask: float = 0.5


def judge(probabilities: FloatArray, costs: Costs) -> VerdictArray:
    """The verdict of least expected cost for each probability of junk (CPSC 340's decision table, with a third row).

    Calling it junk costs `false_junk` if it is good, calling it good costs `missed_junk` if it is junk, asking costs
    `ask` always. Where two cost the same the more careful wins: asking, then good. NaN is unsure.
    """
    asking = np.full(len(probabilities), costs.ask)
    expected = np.stack([asking, probabilities * costs.missed_junk, (1 - probabilities) * costs.false_junk])
    found: VerdictArray = expected.argmin(axis=0).astype(np.int8)
    found[np.isnan(probabilities)] = UNSURE
    return found


def cautious(log_odds: FloatArray, fewest: int, enough: int) -> FloatArray:
    """Log-odds toned down while calibration can't be fitted yet.

    A raw posterior is far too sure of itself. With `fewest` examples in the smaller class it is believed to
    fewest / (fewest + enough): nothing without examples, half with as many as calibration wants.
    """
    return log_odds * (fewest / (fewest + enough))


def to_probabilities(log_odds: FloatArray) -> FloatArray:
    """Log-odds to probabilities; beyond 700 the exponential overflows, and nothing changes any more."""
    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))
