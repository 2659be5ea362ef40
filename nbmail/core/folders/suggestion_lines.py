"""Calibration of suggested folders.

Each filed message is scored before it is learned. Two logistic lines are fitted online to whether
the first folder was right, and whether any of the first three was. Older suggestions count less, so
that the lines follow the model while it learns.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from nbmail.core.folders.suggestions import Suggestion

# Standard deviations of the prior of intercept and slope, and the decay of a suggestion's weight
# with each later one.
_SPREADS = (1.0, 0.5)
_FADING = 0.99
_SURE = 1e-4
_FARTHEST = 30.0
_SMALLEST = 1e-9
_LEAST_WEIGHT = 1e-3


class SuggestionLine(NamedTuple):
    """Logistic line: log-odds = intercept + slope * x. `precision`: inverse covariance (xx, x1, 11
    in this order).
    """

    intercept: float = 0.0
    slope: float = 1.0
    precision: tuple[float, float, float] = (_SPREADS[1] ** -2, 0.0, _SPREADS[0] ** -2)

    def probability(self, x: float) -> float:
        return 1 / (1 + math.exp(-max(-_FARTHEST, min(_FARTHEST, self.intercept + self.slope * x))))

    def learn(self, x: float, right: bool) -> "SuggestionLine":
        """Return the line after one Newton step for one more suggestion."""
        line = self._faded()
        chance = line.probability(x)
        weight = max(chance * (1 - chance), _LEAST_WEIGHT)
        square, both, ones = line.precision
        precision = square + weight * x * x, both + weight * x, ones + weight
        gradient = (right - chance) * x, right - chance
        return line._moved(precision, gradient)

    def _faded(self) -> "SuggestionLine":
        """Return the line closer to the prior."""
        prior = SuggestionLine()
        square, both, ones = (_FADING * one for one in self.precision)
        pulls = ((1 - _FADING) * prior.precision[0], (1 - _FADING) * prior.precision[2])
        precision = square + pulls[0], both, ones + pulls[1]
        gradient = (
            pulls[0] * (prior.slope - self.slope),
            pulls[1] * (prior.intercept - self.intercept),
        )
        return self._moved(precision, gradient)

    def _moved(
        self, precision: tuple[float, float, float], gradient: tuple[float, float]
    ) -> "SuggestionLine":
        square, both, ones = precision
        area = square * ones - both * both
        slope = (ones * gradient[0] - both * gradient[1]) / area
        intercept = (square * gradient[1] - both * gradient[0]) / area
        return SuggestionLine(self.intercept + intercept, self.slope + slope, precision)


class SuggestionLines(NamedTuple):
    """The line of the first folder, and that of the three together."""

    first: SuggestionLine = SuggestionLine()
    three: SuggestionLine = SuggestionLine()

    def suggestion(self, folders: Sequence[str], chances: Sequence[float]) -> Suggestion:
        """Return a calibrated suggestion. `chances`: uncalibrated probabilities of `folders`,
        highest first.
        """
        probability = self.first.probability(_log_odds(chances[0]))
        together = max(probability, self.three.probability(_log_odds(sum(chances))))
        rest = (together - probability) / max(sum(chances[1:]), _SMALLEST)
        others = (max(_SMALLEST, min(probability, rest * chance)) for chance in chances[1:])
        return Suggestion(tuple(folders), (probability, *others), together)

    def learn(self, chances: Sequence[float], place: int) -> "SuggestionLines":
        """Return the lines after a message that belonged into the folder at `place` of the
        suggested ones.
        """
        return SuggestionLines(
            self.first.learn(_log_odds(chances[0]), place == 0),
            self.three.learn(_log_odds(sum(chances)), place >= 0),
        )


def _log_odds(chance: float) -> float:
    chance = min(max(chance, _SURE), 1 - _SURE)
    return math.log(chance / (1 - chance))
