"""Opening a home: the store and the first rows at once, then the model, the word ids and the scores."""

import numpy as np

from nbmail.core.judging.model import Model
from nbmail.store.store import Store
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Lane, Pause, Slices, paused
from nbmail.worker.intake.rereading import append_missing, reread
from nbmail.worker.protocol import Changed, Opened
from nbmail.worker.reading.attachments import forget_opened

# As many rows as a large screen shows twice over.
FIRST_ROWS = 200
# The last messages of the word ids are compared with the database's: an older database put back shows there.
COMPARED = 16


def show_first_rows(state: EngineState) -> None:
    """Say what is there, and show the newest of it; no score is known yet."""
    state.emit(Opened(state.store.notes))
    first = state.store.listing.newest(FIRST_ROWS)
    if len(first.messages):
        state.emit(Changed(rows=state.rows(first)))


def load_model(state: EngineState, method: str) -> Slices:
    """Load the vocabulary, the model and the word ids, then score everything."""
    store = state.store
    yield from paused(store.words.loading())
    yield from paused(store.model.opening(Model(store.words.vocabulary, method)))
    yield from load_word_ids(store)
    state.scores.grow()
    state.model_changed()
    yield from state.rescore()
    forget_opened(store.paths.cache)
    state.add_job(lambda: reread(store, state.model_changed), Lane.REST)


def load_word_ids(store: Store) -> Slices:
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
