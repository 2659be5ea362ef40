"""When the first labels are cross-validated, and by which folds."""

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.arrays import LongArray

MOST = 1024
"""Number of labels that are cross-validated. Models hardly change any more when they score later
ones.
"""
FOLDS = 10
EACH = 128
"""Below this number of labels, cross-validation is due at every number."""
DIGITS = 5
"""Above that, it is due at numbers whose binary form has only zeros after so many digits: 16 in
each doubling.
"""


def latest_due(labels: int) -> int:
    """Return the largest number of labels, up to this one, at which cross-validation is due."""
    labels = min(labels, MOST)
    cut = labels.bit_length() - DIGITS if labels >= EACH else 0
    return labels >> cut << cut


def deal(spam: Sequence[bool]) -> LongArray:
    """Return the fold of each label. Each class is dealt in turn."""
    kinds = np.array(spam, np.bool_)
    folds = np.empty(len(spam), np.int64)
    for flags in (kinds, ~kinds):
        folds[flags] = np.arange(np.count_nonzero(flags)) % FOLDS
    return folds
