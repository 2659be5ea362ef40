"""Opening a home: the store and the first rows at once, then the model, the word ids and the scores.

In the background then, cached mail is read anew where another version of the tokenizer found its words.
"""

from collections.abc import Callable

import numpy as np

from nbmail.core.counting.sample import sample_of
from nbmail.core.reading.mail import parse
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.scoring.model import Model
from nbmail.store.model.word_ids import WordIds
from nbmail.store.store import Store
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause, Priority, paused
from nbmail.worker.protocol import Changed, Opened
from nbmail.worker.reading.reading_commands import forget_opened

# As many rows as a large screen shows twice over.
FIRST_ROWS = 200
# The last messages of the word ids are compared with the database's: an older database put back shows there.
COMPARED = 16
# Messages read between two looks at the queue: as many as of newly arrived mail.
PIECE = 8
# Messages whose words are copied between two looks: about 5 ms.
COPIED = 500


def show_first_rows(state: EngineState) -> None:
    """Say what is there, and show the newest of it; no score is known yet."""
    state.emit(Opened(state.store.notes))
    first = state.store.listing.newest(FIRST_ROWS)
    if len(first.messages):
        state.emit(Changed(rows=state.rows(first)))


def load_model(state: EngineState, method: str) -> JobSteps:
    """Load the vocabulary, the model and the word ids, then score everything."""
    store = state.store
    yield from paused(store.words.loading())
    yield from paused(store.model.opening(Model(store.words.vocabulary, method)))
    yield from load_word_ids(store)
    state.scores.grow()
    state.model_changed()
    yield from state.rescore()
    forget_opened(store.paths.cache)
    state.add_job(lambda: reread(store, state.model_changed), Priority.REST)


def load_word_ids(store: Store) -> JobSteps:
    """Take up the copy of all word ids, or make it anew where it isn't one of this database."""
    yield from paused(store.word_ids.load())
    if not _is_copy(store):
        store.word_ids.clear()
    yield from append_missing(store, store.word_ids)
    if len(store.word_ids) != len(store.messages):
        store.word_ids.clear()
        yield from append_missing(store, store.word_ids)
    yield Pause()


def _is_copy(store: Store) -> bool:
    latest = store.word_ids.messages[-COMPARED:]
    samples = store.messages.samples(latest.tolist())
    rows = [store.word_ids.pick(store.word_ids.places([message])).words for message in latest]
    return all(
        message in samples and np.array_equal(samples[message].words, row)
        for message, row in zip(latest.tolist(), rows, strict=True)
    )


def reread(store: Store, replaced: Callable[[], None]) -> JobSteps:
    """Give messages the words that this version finds in them; `replaced` is called if there were any."""
    after, before = 0, store.samples_revision
    while outdated := store.messages.outdated(TOKENIZER_VERSION, after, PIECE):
        after = max(outdated)
        raws = {message: store.raw_mail.get(identity) for message, identity in outdated.items()}
        samples = {message: sample_of(parse(raw), store.words.vocabulary) for message, raw in raws.items() if raw}
        if samples:
            store.replace_samples(samples, TOKENIZER_VERSION)
        yield Pause()
    if store.samples_revision != before:
        anew = WordIds(store.word_ids.path, store.samples_revision)
        yield from append_missing(store, anew)
        store.word_ids.become(anew)
        replaced()


def append_missing(store: Store, word_ids: WordIds) -> JobSteps:
    """Put the messages behind the last of the word ids there."""
    while (first := int(word_ids.messages[-1]) + 1 if len(word_ids) else 1) <= store.messages.last():
        samples = store.messages.samples(range(first, first + COPIED))
        numbers = sorted(samples)
        word_ids.append(numbers, [samples[number] for number in numbers])
        if not numbers:
            return
        yield Pause()
