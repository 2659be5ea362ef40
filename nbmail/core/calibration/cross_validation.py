"""Cross-validation of the first labels: when it is due, and by which folds.

Scores from before learning come from models of fewer labels, which are much weaker at the
beginning. The first `MOST` labels are therefore cross-validated. Each class is dealt into ten folds
in turn, and a model of the other folds scores each fold. The result depends only on the labels and
their order. Cross-validation is repeated after each of the first `EACH` labels, later when their
number has grown by a sixteenth (`latest_due`). Later labels keep their score from before learning.
"""

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.arrays import LongArray

MOST = 1024
"""Number of labels that are cross-validated.

Models hardly change any more when they score later ones.
"""
FOLDS = 10
EACH = 128
"""Below this number of labels, cross-validation is due at every number."""
DIGITS = 5
"""Above that, it is due at numbers whose binary form has only zeros after so many digits.

These are 16 in each doubling.
"""


def latest_due(labels: int) -> int:
    """Return the largest number of labels, up to this one, at which cross-validation is due."""
    labels = min(labels, MOST)
    if labels < EACH:
        return labels
    cut = labels.bit_length() - DIGITS
    return labels >> cut << cut


def deal(spam: Sequence[bool]) -> LongArray:
    """Return the fold of each label. Each class is dealt in turn."""
    is_spam = np.array(spam, np.bool_)
    folds = np.empty(len(spam), np.int64)
    for own in (is_spam, ~is_spam):
        folds[own] = np.arange(np.count_nonzero(own)) % FOLDS
    return folds
