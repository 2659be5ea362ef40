"""Probabilities of classes, before calibration."""

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.arrays import FloatArray

_MORE_CLASSES = 0.07
"""Exponent of the number of classes: `tests/bench/MEASUREMENTS.md`, "Many folders"."""


def class_log_chances(scores: FloatArray, messages: Sequence[int]) -> FloatArray:
    """Return the log probability of each class (column) for each message (row), before calibration.

    Each is the square root of the distance to the best score, scaled and normalized; -inf for
    classes without messages.
    """
    is_met = np.array(messages) > 0
    best = scores.max(axis=1, keepdims=True, initial=-np.inf, where=is_met)
    gaps = np.where(is_met, best - scores, np.inf)
    classes_met = max(1, int(is_met.sum()))
    scale = classes_met**_MORE_CLASSES
    chances = -scale * np.sqrt(gaps)
    total = np.logaddexp.reduce(chances, axis=1, keepdims=True)
    return np.asarray(chances - total)


def log_priors(messages: Sequence[float]) -> FloatArray:
    """Return the log share of each class in all messages.

    A class without examples counts as half a message.
    """
    counts = np.array(messages, np.float64)
    own = np.where(counts == 0, 0.5, counts)
    total = max(1.0, counts.sum())
    return np.asarray(np.log(own) - np.log(total))
