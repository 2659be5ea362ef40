"""Logarithms of counts and shares that may be zero."""

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import FloatArray

_ZERO = 1e-100
"""Count in place of 0 in a logarithm: a probability of zero stays finite, and the class with fewer
zeros wins.
"""


def logarithms(counts: npt.NDArray[np.number]) -> FloatArray:
    return np.asarray(np.log(np.maximum(counts, _ZERO)))


def log_ratios(upper: FloatArray, lower: FloatArray) -> FloatArray:
    """Return the logarithm of each ratio, 0 where `upper` is 0: 0 log 0 is 0."""
    is_positive = upper > 0
    upper_logs = np.log(np.where(is_positive, upper, 1.0))
    lower_logs = np.log(np.where(is_positive, lower, 1.0))
    return upper_logs - lower_logs
