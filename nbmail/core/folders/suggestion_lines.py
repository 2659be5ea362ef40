"""Calibration of suggested folders.

Each filed message is scored before it is learned. Two logistic lines are fitted online to whether
the first folder was right, and whether any of the first three was. Older suggestions count less, so
that the lines follow the model while it learns.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from nbmail.core.folders.suggestions import Suggestion

# Standard deviations of the prior.
_INTERCEPT_SPREAD = 1.0
_SLOPE_SPREAD = 0.5
# Decay of a suggestion's weight with each later one.
_FADING = 0.99
_SURE = 1e-4
_FARTHEST = 30.0
_SMALLEST = 1e-9
_LEAST_WEIGHT = 1e-3


Precision = tuple[float, float, float]
"""Inverse covariance of slope and intercept: xx, x1 and 11."""


class SuggestionLine(NamedTuple):
    """Logistic line: log-odds = intercept + slope * x."""

    intercept: float = 0.0
    slope: float = 1.0
    precision: Precision = (_SLOPE_SPREAD**-2, 0.0, _INTERCEPT_SPREAD**-2)

    def probability(self, x: float) -> float:
        log_odds = self.intercept + self.slope * x
        bounded = max(-_FARTHEST, min(_FARTHEST, log_odds))
        return 1 / (1 + math.exp(-bounded))

    def learn(self, x: float, right: bool) -> "SuggestionLine":
        """Return the line after one Newton step for one more suggestion."""
        line = self._faded()
        chance = line.probability(x)
        weight = max(chance * (1 - chance), _LEAST_WEIGHT)
        square, both, ones = line.precision
        precision = (square + weight * x * x, both + weight * x, ones + weight)
        error = right - chance
        return line._moved(precision, by_slope=error * x, by_intercept=error)

    def _faded(self) -> "SuggestionLine":
        """Return the line closer to the prior."""
        prior = SuggestionLine()
        prior_square, _, prior_ones = prior.precision
        slope_pull = (1 - _FADING) * prior_square
        intercept_pull = (1 - _FADING) * prior_ones
        square, both, ones = self.precision
        precision = (
            _FADING * square + slope_pull,
            _FADING * both,
            _FADING * ones + intercept_pull,
        )
        by_slope = slope_pull * (prior.slope - self.slope)
        by_intercept = intercept_pull * (prior.intercept - self.intercept)
        return self._moved(precision, by_slope, by_intercept)

    def _moved(
        self, precision: Precision, by_slope: float, by_intercept: float
    ) -> "SuggestionLine":
        """Return the line after a Newton step along this gradient."""
        square, both, ones = precision
        area = square * ones - both * both
        slope = (ones * by_slope - both * by_intercept) / area
        intercept = (square * by_intercept - both * by_slope) / area
        return SuggestionLine(self.intercept + intercept, self.slope + slope, precision)


class SuggestionLines(NamedTuple):
    """The line of the first folder, and that of the three together."""

    first: SuggestionLine = SuggestionLine()
    three: SuggestionLine = SuggestionLine()

    def suggestion(self, folders: Sequence[str], chances: Sequence[float]) -> Suggestion:
        """Return a calibrated suggestion.

        `chances`: uncalibrated probabilities of `folders`, highest first.
        """
        first, *others = chances
        probability = self.first.probability(_log_odds(first))
        together = max(probability, self.three.probability(_log_odds(sum(chances))))
        # The others share the rest.
        scale = (together - probability) / max(sum(others), _SMALLEST)
        probabilities = [probability]
        for chance in others:
            probabilities.append(max(_SMALLEST, min(probability, scale * chance)))
        return Suggestion(tuple(folders), tuple(probabilities), together)

    def learn(self, chances: Sequence[float], place: int) -> "SuggestionLines":
        """Return the lines after a message that belonged into the folder at `place`.

        -1: into none of the suggested ones.
        """
        return SuggestionLines(
            self.first.learn(_log_odds(chances[0]), place == 0),
            self.three.learn(_log_odds(sum(chances)), place >= 0),
        )


def _log_odds(chance: float) -> float:
    chance = min(max(chance, _SURE), 1 - _SURE)
    return math.log(chance / (1 - chance))
