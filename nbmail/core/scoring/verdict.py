"""Verdicts from probabilities and the costs of errors."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import FloatArray
from nbmail.values import VERDICTS

VerdictArray = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of errors, in units of checking one message.

    `false_spam`: a ham message classified as spam. `ask`: an unsure message. `unsure_spam`: spam
    that is unsure, in addition. `missed_spam`: spam classified as ham. By default a message is
    spam above odds of 49.5, ham below 1/7.
    """

    false_spam: float = 100.0
    missed_spam: float = 9.0
    ask: float = 1.0
    unsure_spam: float = 1.0

    @property
    def spam_from(self) -> float:
        """Probability from which spam is the verdict of least cost."""
        against_unsure = (self.false_spam - self.ask) / (self.false_spam + self.unsure_spam)
        against_ham = self.false_spam / (self.false_spam + self.vouched_spam)
        return max(against_unsure, against_ham)

    @property
    def ham_below(self) -> float:
        """Probability below which ham is the verdict of least cost."""
        spared = self.vouched_spam - self.unsure_spam
        against_unsure = self.ask / spared if spared > 0 else math.inf
        against_spam = self.false_spam / (self.false_spam + self.vouched_spam)
        return min(against_unsure, against_spam)

    @property
    def values(self) -> tuple[float, float, float, float]:
        return self.false_spam, self.missed_spam, self.ask, self.unsure_spam

    @property
    def vouched_spam(self) -> float:
        """Cost of spam classified as ham: at most that of a ham message classified as spam."""
        return min(self.missed_spam, self.false_spam)


def judge(probabilities: FloatArray, costs: Costs) -> VerdictArray:
    """Return the verdict of least cost for each probability of spam.

    Of equals it is the more careful one. NaN is unsure.
    """
    # In the order of `VERDICTS`.
    unsure = costs.ask + probabilities * costs.unsure_spam
    ham = probabilities * costs.vouched_spam
    spam = (1 - probabilities) * costs.false_spam
    expected = np.stack([unsure, ham, spam])
    found: VerdictArray = expected.argmin(axis=0).astype(np.int8)
    found[np.isnan(probabilities)] = VERDICTS.index("unsure")
    return found
