"""Typicality of the words of a message, whatever method scores it: log p(x) per word.

p(x) is the sum of p(class) p(x | class) over all classes, with Laplace smoothing of the numbers of messages that
contain each word. A learned message is left out of the counts of its own class.
"""

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, WordRows, count_words, sum_taken
from nbmail.core.methods.method import log_priors

NEVER_LEARNED = -1


def log_likelihoods(counts: Counts, rows: WordRows, learned: IntArray) -> FloatArray:
    """Return log p(x) per different word of each message; -inf without words or counts.

    `learned`: row of the class that each message was learned as, or `NEVER_LEARNED`.
    """
    lengths, documents = count_words(rows), counts.documents_of(rows.words)
    totals, found = counts.documents.sum(axis=1, dtype=np.int64), np.full(len(rows), -np.inf)
    for row, prior in enumerate(log_priors(counts)):
        own = (learned == row).astype(np.int64)
        times = np.maximum(documents[row] - np.repeat(own, lengths), 0)
        all_times = np.maximum(totals[row] - own * lengths, 0)
        scores = sum_taken(np.log(times + 1.0), rows) - lengths * np.log(all_times + max(1.0, counts.words))
        found = np.logaddexp(found, prior + scores)
    return np.where(lengths > 0, found / np.maximum(lengths, 1), -np.inf)
