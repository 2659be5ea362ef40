"""Opening of a data folder: the first rows at once, then the model and the scores."""

import numpy as np

from nbmail.chunks import drain
from nbmail.core.scoring.model import Model
from nbmail.store.labels.journal import Change
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.worker.engine.engine_parts import Parts
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority, paused
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.protocol.events import Changed, Opened
from nbmail.worker.reading.message_files import forget_opened
from nbmail.worker.scores.word_array import append_missing

FIRST_ROWS = 200
"""Twice the rows of a large screen."""
COMPARED = 16
"""Latest messages whose word ids are compared with the database. They differ from an older one."""


def show_first_rows(parts: Parts) -> None:
    parts.emit(Opened(parts.store.notes))
    first = parts.store.listing.newest(FIRST_ROWS)
    if len(first.messages):
        parts.emit(Changed(rows=parts.scoring.with_scores(first)))


def load_model(parts: Parts, method: str) -> JobSteps[None]:
    """Load the model and score all mail, then queue what can wait."""
    store = parts.store
    yield from paused(store.words.loading())
    model = Model(store.words.vocabulary, method_named(method))
    yield from paused(store.model.opening(model))
    yield from load_word_ids(store)

    parts.updates.model_changed()
    yield from parts.updates.rescore()

    parts.offers.resume()
    forget_opened(store.paths.cache)
    parts.add_job(adopt_cached_messages(parts), Priority.IDLE)
    parts.add_job(parts.rereading.learn_servers(), Priority.IDLE)
    parts.add_job(parts.folder_updates.opening(), Priority.IDLE)
    parts.add_job(parts.rereading.read_threads(), Priority.IDLE)


def adopt_cached_messages(parts: Parts) -> JobSteps[None]:
    """Learn cached messages whose labels were restored before them, as from `labels.log`."""
    store = parts.store
    adopted = list[Change]()
    for changes in store.adopting_cached_messages(parts.clock()):
        known = len(store.word_ids)
        drain(append_missing(store, store.word_ids))
        parts.scoring.add(store.word_ids.messages[known:].tolist())
        adopted += changes.changes
        yield Pause()
    parts.updates.labels_changed(LabelChanges(tuple(adopted)))


def load_word_ids(store: Store) -> JobSteps[None]:
    """Load the copy of all word ids, or make it again if it belongs to another database."""
    yield from paused(store.word_ids.load())
    if not _agrees_with_database(store):
        store.word_ids.clear()
    yield from append_missing(store, store.word_ids)
    if len(store.word_ids) != len(store.messages):
        store.word_ids.clear()
        yield from append_missing(store, store.word_ids)
    yield Pause()


def _agrees_with_database(store: Store) -> bool:
    """Compare the word ids of the latest messages with those that the database has."""
    word_ids = store.word_ids
    latest: list[int] = word_ids.messages[-COMPARED:].tolist()
    samples = store.samples.of(latest)
    for message in latest:
        if message not in samples:
            return False
        words = word_ids.pick(word_ids.places([message])).words
        if not np.array_equal(samples[message].words, words):
            return False
    return True
