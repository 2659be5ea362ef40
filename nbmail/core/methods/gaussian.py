"""Gaussian Naive Bayes: in each class a measure is spread around its mean as a bell.

Sources: UTA CSE 6363; USC CSCI 567.
"""

from typing import ClassVar

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import MISSING, FloatArray, LongArray, Sample, WordRows
from nbmail.core.methods.method import Method, Pair, Shares, log_priors
from nbmail.core.reading.facts import MEASURES

_SMOOTHING = 1e-9
"""The share of the widest measure's variance that is added to all, so that none is zero (as scikit-learn does)."""


def mean_and_variance(number: int, total: int, squares: int) -> tuple[float, float]:
    """Of exact integers, so that nothing cancels: the divisions alone round. NaN of nothing."""
    if number == 0:
        return np.nan, np.nan
    return total / number, (number * squares - total * total) / (number * number)


def log_densities(values: FloatArray, means: FloatArray, variances: FloatArray) -> FloatArray:
    """The log of the bell's height at each value."""
    return np.asarray(-0.5 * (np.log(2.0 * np.pi * variances) + (values - means) ** 2 / variances))


class Gaussian(Method):
    """Only measures speak. A measure that a class never had, or that a message lacks, says nothing."""

    wants_measures: ClassVar[bool] = True

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Prior and densities of every message and class."""
        found = np.tile(log_priors(counts), (len(rows), 1))
        if rows.measures is not None:
            found += self._speak(counts, rows.measures).sum(axis=2)
        return found

    def shares(self, counts: Counts, pair: Pair, sample: Sample) -> Shares:
        """The log-odds of one message, a part for each measure."""
        priors = log_priors(counts)
        measures = np.array([sample.measures], np.int64)
        speaking = self._speak(counts, measures)[0]
        parts = (speaking[pair[0]] - speaking[pair[1]]).tolist()
        silent = np.zeros(len(sample.words))
        others = tuple((measure_name(place), part) for place, part in enumerate(parts))
        return Shares(float(priors[pair[0]] - priors[pair[1]]), silent, silent, silent, others)

    def _speak(self, counts: Counts, measures: LongArray) -> FloatArray:
        """The log density of each message (first), class (second) and measure (third)."""
        width = min(measures.shape[1], max((len(kept) for kept in counts.measures), default=0))
        found = np.zeros((len(measures), len(counts.classes), measures.shape[1]))
        if width:
            means, variances = means_and_variances(counts, width)
            values = measures[:, None, :width]
            heights = log_densities(values.astype(np.float64), means, variances)
            found[:, :, :width] = np.where((values == MISSING) | np.isnan(means), 0.0, heights)
        return found


def means_and_variances(counts: Counts, width: int) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of the first measures (columns) in each class (row); NaN where no class knows the measure.

    A class that knows no value of a measure takes the bell of all classes together.
    """
    tables = [kept + [[0, 0, 0]] * (width - len(kept)) for kept in counts.measures]
    together = [[sum(parts) for parts in zip(*column, strict=True)] for column in zip(*tables, strict=True)]
    found = np.array(
        [
            [mean_and_variance(*(one if one[0] else whole)) for one, whole in zip(table, together, strict=False)]
            for table in tables
        ]
    )
    widest = np.nanmax([0.0, *(mean_and_variance(*whole)[1] for whole in together)])
    smoothing = _SMOOTHING * widest if widest > 0 else _SMOOTHING
    return found[:, :, 0], found[:, :, 1] + smoothing


def measure_name(place: int) -> str:
    """What the part of a measure is called in an explanation."""
    return f"measure:{MEASURES[place]}" if place < len(MEASURES) else f"measure:{place}"
