"""Array of word ids: copying stored messages into it, and searching it."""

import numpy as np

from nbmail.core.counting.arrays import LongArray
from nbmail.core.scoring.model import Model
from nbmail.store.model.word_ids import WordIds
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause

CHUNK = 8192
"""Messages searched in one time slice."""
# Messages whose words are copied in one time slice: about 5 ms.
COPIED = 500


def places_of(word_ids: WordIds, number: int) -> JobSteps[LongArray]:
    """Return the indexes of all messages that contain a word: one pass over the array."""
    found = [np.zeros(0, np.int64)]
    count = len(word_ids)
    for first in range(0, count, CHUNK):
        rows = word_ids.rows(first, min(first + CHUNK, count))
        hits = np.flatnonzero(rows.words == number)
        found.append(first + np.searchsorted(rows.starts, hits, side="right") - 1)
        yield Pause(first, count)
    return np.concatenate(found)


def renew_word_ids(store: Store) -> JobSteps[None]:
    """Copy the words of all messages again, after words of some changed."""
    word_ids = WordIds(store.word_ids.path, store.samples_revision)
    yield from append_missing(store, word_ids)
    store.word_ids.become(word_ids)


def append_missing(store: Store, word_ids: WordIds) -> JobSteps[None]:
    """Append the messages that the array doesn't contain yet."""
    while True:
        first = int(word_ids.messages[-1]) + 1 if len(word_ids) else 1
        if first > store.messages.last():
            return
        samples = store.samples.of(range(first, first + COPIED))
        messages = sorted(samples)
        word_ids.append(messages, [samples[message] for message in messages])
        if not messages:
            return
        yield Pause()


def needs_occurrences(model: Model) -> bool:
    """True if the model's method uses more of a message than the set of its words."""
    return model.rows([]).occurrences is not None
