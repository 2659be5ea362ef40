"""Complement naive Bayes (Rennie, Shih, Teevan and Karger 2003)."""

from typing import ClassVar

import numpy as np

from nbmail.core.counting.arrays import IntArray
from nbmail.core.counting.counts import Counts
from nbmail.lab.methods.linear import Weights
from nbmail.lab.methods.multinomial import Multinomial, log_shares


class Complement(Multinomial):
    """Weight of a word from its rarity in all other classes, times occurrences, without a prior."""

    has_prior: ClassVar[bool] = False

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        occurrences = counts.occurrences_of(words)
        totals = np.array(counts.occurrence_totals, np.float64)
        other_occurrences = occurrences.sum(axis=0) - occurrences
        other_totals = totals.sum() - totals
        shares = log_shares(other_occurrences, other_totals, counts.words, self.alpha)
        is_known = counts.documents_with(words) > 0
        return Weights(np.zeros(len(totals)), np.where(is_known, -shares, 0.0))
