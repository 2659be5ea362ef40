"""Comparison of the words of a message with those of other mail."""

import math
from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.typicality import NEVER_LEARNED, Typicality, log_likelihoods
from nbmail.store.store import Store

# Latest messages that the words of a message are compared with, and the fewest of them.
COMPARED = 1000
FEWEST_OTHERS = 100


def typicality_of(store: Store, model: Model, message: int) -> Typicality | None:
    """Compare log p(x) per word of a message with the latest others.

    None if there are fewer than `FEWEST_OTHERS`.
    """
    word_ids = store.word_ids
    (place,) = word_ids.places([message])
    count = len(word_ids)
    first = max(0, count - COMPARED)
    messages = word_ids.messages[first:count]
    if place < 0 or len(messages) <= FEWEST_OTHERS or not model.calibrated:
        return None

    labels = store.labels.of([message, *messages.tolist()])
    own_words = word_ids.pick(np.array([place]))
    own = float(_log_likelihoods(model, own_words, [message], labels)[0])
    if not math.isfinite(own):
        return None

    rows = word_ids.rows(first, count)
    likelihoods = _log_likelihoods(model, rows, messages.tolist(), labels)
    others = likelihoods[messages != message]
    return Typicality(own, int(np.count_nonzero(others > own)), len(others))


def _log_likelihoods(
    model: Model, rows: WordRows, messages: Sequence[int], labels: dict[int, str]
) -> FloatArray:
    """Return log p(x) per word of messages, without what the model learned from them."""
    learned = np.full(len(messages), NEVER_LEARNED, np.int32)
    for place, message in enumerate(messages):
        row = model.counts.row(labels[message]) if message in labels else None
        if row is not None:
            learned[place] = row
    return log_likelihoods(model.counts, rows, learned)
