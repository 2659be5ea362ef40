"""How typical a message is of the learned mail."""

from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods.class_chances import log_priors

NEVER_LEARNED = -1


def log_likelihoods(counts: Counts, rows: WordRows, learned: IntArray) -> FloatArray:
    """Return log p(x) per different word of each message, whatever method scores it.

    p(x) is the sum of p(class) p(x | class) over all classes, with Laplace smoothing of the numbers
    of messages that contain each word. A learned message is left out of the counts of its class.
    The result is -inf without words or counts.

    `learned`: row of the class that each message was learned as, or `NEVER_LEARNED`.
    """
    lengths = rows.lengths()
    documents = counts.documents_of(rows.words)
    totals = counts.documents.sum(axis=1, dtype=np.int64)
    found = np.full(len(rows), -np.inf)
    for row, prior in enumerate(log_priors(counts.messages)):
        own = (learned == row).astype(np.int64)
        times = np.maximum(documents[row] - np.repeat(own, lengths), 0)
        all_times = np.maximum(totals[row] - own * lengths, 0)
        upper = rows.sum(np.log(times + 1.0), aligned=True)
        lower = lengths * np.log(all_times + max(1.0, counts.words))
        found = np.logaddexp(found, prior + (upper - lower))
    return np.where(lengths > 0, found / np.maximum(lengths, 1), -np.inf)


class Typicality(NamedTuple):
    """log p(x) per word of a message, and how many of the `others` have a higher one."""

    log_likelihood: float
    higher: int
    others: int
