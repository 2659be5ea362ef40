"""Gaussian naive Bayes of numeric facts: UTA CSE 6363, USC CSCI 567."""

from typing import ClassVar

import numpy as np

from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.word_rows import MISSING, WordRows
from nbmail.core.methods.class_chances import log_priors
from nbmail.core.methods.decomposition import DecomposedOdds, MeasureFigures, Part
from nbmail.core.methods.method import Method, Pair
from nbmail.core.words.measures import MEASURES

_SMOOTHING = 1e-9
"""Share of the widest measure's variance that is added to all, so that none is zero, as in
scikit-learn.
"""


class Gaussian(Method):
    """Numeric facts only. A measure that is unknown in a class or a message has no effect."""

    wants_measures: ClassVar[bool] = True
    has_prior: ClassVar[bool] = True

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        found = np.tile(log_priors(counts.messages), (len(rows), 1))
        if rows.measures is not None:
            means, variances = means_and_variances(counts, rows.measures.shape[1])
            found += _log_densities(rows.measures, means, variances).sum(axis=2)
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        wanted, other = pair
        priors = log_priors(counts.messages)
        means, variances = means_and_variances(counts, len(sample.measures))
        densities = _log_densities(np.array([sample.measures], np.int64), means, variances)
        parts: list[Part] = []
        for place, value in enumerate(sample.measures):
            figures = MeasureFigures(
                value,
                spam_mean=float(means[wanted, place]),
                spam_deviation=float(np.sqrt(variances[wanted, place])),
                ham_mean=float(means[other, place]),
                ham_deviation=float(np.sqrt(variances[other, place])),
            )
            known = (_known(counts, wanted, place), _known(counts, other, place))
            adds = float(densities[0, wanted, place] - densities[0, other, place])
            parts.append(Part(_name_of(place), adds, known, measure=figures))
        nothing = np.zeros(len(sample.words))
        prior = float(priors[wanted] - priors[other])
        return DecomposedOdds(prior, nothing, nothing, nothing, tuple(parts))


def _known(counts: Counts, row: int, place: int) -> int:
    """Return the number of messages of a class that have a measure."""
    measures = counts.measures[row]
    return measures[place][0] if place < len(measures) else 0


def _name_of(place: int) -> str:
    name = MEASURES[place] if place < len(MEASURES) else str(place)
    return f"measure:{name}"


def _log_densities(measures: LongArray, means: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the log density of each message (first), class (second) and measure (third)."""
    values = measures[:, None]
    distances = (values.astype(np.float64) - means) ** 2 / variances
    heights = -0.5 * (np.log(2.0 * np.pi * variances) + distances)
    is_unknown = (values == MISSING) | np.isnan(means)
    return np.where(is_unknown, 0.0, heights)


def mean_and_variance(number: int, total: int, squares: int) -> tuple[float, float]:
    """Return mean and variance from exact sums of integers: only the divisions round.

    NaN without values.
    """
    if number == 0:
        return np.nan, np.nan
    variance = (number * squares - total * total) / (number * number)
    return total / number, variance


def means_and_variances(counts: Counts, width: int) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the first `width` measures (columns) in each class (row).

    A class without values of a measure gets those of all classes together, NaN if none has any.
    """
    missing = [[0, 0, 0]] * width
    tables = [(sums + missing)[:width] for sums in counts.measures]
    together = [
        [sum(parts) for parts in zip(*column, strict=True)] for column in zip(*tables, strict=True)
    ]
    means = np.empty((len(tables), width))
    variances = np.empty((len(tables), width))
    for row, table in enumerate(tables):
        for place, (own, everything) in enumerate(zip(table, together, strict=True)):
            sums = own if own[0] else everything
            means[row, place], variances[row, place] = mean_and_variance(*sums)
    spreads = [mean_and_variance(*sums)[1] for sums in together]
    widest = np.nanmax([0.0, *spreads])
    smoothing = _SMOOTHING * widest if widest > 0 else _SMOOTHING
    return means, variances + smoothing
