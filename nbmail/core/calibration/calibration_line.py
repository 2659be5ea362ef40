"""The calibration line: from raw scores to log-odds at even odds."""

from typing import NamedTuple

import numpy as np

from nbmail.core.calibration.score_scale import Scale
from nbmail.core.counting.arrays import FloatArray


class Variances(NamedTuple):
    """Variances of the log slope and of the centre of a line, and their covariance."""

    slope: float
    centre: float
    both: float


class Line(NamedTuple):
    """A fitted line."""

    slope: float
    centre: float
    variances: Variances
    scale: Scale = Scale()

    def log_odds(self, scores: FloatArray) -> FloatArray:
        """Return calibrated log-odds at even odds, in the order of the scores."""
        return np.asarray(self.slope * (self.scale.laid(scores) - self.centre))

    def deviations(self, scores: FloatArray) -> FloatArray:
        """Return the standard deviation of each of these log-odds."""
        along = self.log_odds(scores)
        by_slope = along**2 * self.variances.slope
        by_centre = self.slope**2 * self.variances.centre
        by_both = 2 * self.slope * along * self.variances.both
        return np.sqrt(by_slope + by_centre - by_both)
