"""Log-odds and probabilities."""

import math

import numpy as np

from nbmail.core.counting.arrays import FloatArray


def to_probabilities(log_odds: FloatArray) -> FloatArray:
    """Convert log-odds to probabilities.

    They are clipped at 700, where the exponential would overflow.
    """
    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))


def sigmoid(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(log_odds, -700.0)))
