"""Opening a home: the store and the first rows at once, then the model, the shelf of words and the scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nbmail.core.judging.model import Model
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.store.model.word_ids import WordShelf
from nbmail.store.store import Store
from nbmail.worker.engine.announcer import Emit
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Agenda, Pause, Slices, paused
from nbmail.worker.protocol import Changed, Opened

# As many rows as a large screen shows twice over.
FIRST_ROWS = 200
# Messages put on the shelf between two looks at the agenda.
PIECE = 500
# The shelf's last messages are compared with the database's: an older database put back shows there.
COMPARED = 16


def open_office(
    paths: Paths,
    settings: Settings,
    *,
    agenda: Agenda,
    clock: Callable[[], float],
    emit: Emit,
    wake: Callable[[str], None],
    complain: Callable[[Exception], None],
) -> Office:
    """Open the store and show the first rows; no score is known yet."""
    store = Store(paths, clock())
    try:
        shelf = WordShelf(paths.data)
    except BaseException:
        store.close()
        raise
    office = Office(store, shelf, settings, agenda=agenda, clock=clock, emit=emit, wake=wake, complain=complain)
    emit(Opened(len(store.messages), store.notes))
    first = store.listing.newest(FIRST_ROWS)
    if len(first.messages):
        emit(Changed(rows=office.rows(first)))
    return office


def load_model(office: Office, method: str) -> Slices:
    """Load the vocabulary, the model and the shelf, then score everything."""
    yield from paused(office.store.words.loading())
    model = Model(office.store.words.vocabulary, method)
    model.costs = office.costs
    yield from paused(office.store.loading_model(model))
    office.model = model
    yield Pause()
    yield from _fill_shelf(office)
    office.board.grow()
    office.model_changed()
    if not model.settled:
        office.refold()
    yield from office.rescore()


def _fill_shelf(office: Office) -> Slices:
    """Take up the copy of all word ids, or make it anew where it isn't one of this database."""
    yield from paused(office.shelf.load())
    if not _is_copy(office):
        office.shelf.clear()
    yield from _append_missing(office)
    if len(office.shelf) != len(office.store.messages):
        office.shelf.clear()
        yield from _append_missing(office)


def _is_copy(office: Office) -> bool:
    latest = office.shelf.messages[-COMPARED:]
    samples = office.store.messages.samples(latest.tolist())
    rows = [office.shelf.pick(office.shelf.places([message])).words for message in latest]
    return all(
        message in samples and np.array_equal(samples[message].words, row)
        for message, row in zip(latest.tolist(), rows, strict=True)
    )


def _append_missing(office: Office) -> Slices:
    messages, last = office.store.messages, office.store.messages.last()
    first = int(office.shelf.messages[-1]) + 1 if len(office.shelf) else 1
    for start in range(first, last + 1, PIECE):
        samples = messages.samples(range(start, min(start + PIECE, last + 1)))
        numbers = sorted(samples)
        office.shelf.append(numbers, [samples[number] for number in numbers])
        yield Pause()
