"""Counts made right again, by the differences to what they should be: marks given meanwhile change them too."""

from __future__ import annotations

from collections.abc import Generator
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import LongArray
from nbmail.store.files.connection import listed
from nbmail.store.store import Store

# Words compared, and mended, in one transaction.
PIECE = 5000


def mend_counts(store: Store, right: Counts) -> Generator[None, None, bool]:
    """Bring the disk to these counts, which are those of all labels; False if labels changed before it could begin.

    Each transaction leaves fewer words that are wrong. Stopped in between, the check-up still finds the others.
    """
    line = store.journal.last_line()
    _drop_strangers(store, right)
    kept = yield from store.counts_reading.pieces()
    if store.journal.last_line() != line:
        return False
    for name in right.classes:
        _mend_class(store, name, right, kept)
    for first in range(0, max(right.width, kept.width), PIECE):
        _mend_words(store, slice(first, first + PIECE), right, kept)
        yield
    return True


def _drop_strangers(store: Store, right: Counts) -> None:
    """What is counted for classes that hold nothing."""
    known = (listed(store.labels.number(name) for name in right.classes),)
    others = "NOT IN (SELECT value FROM json_each(?))"
    with store.transaction():
        for table in ("counts", "measures"):
            store.connection.execute(f"DELETE FROM {table} WHERE class {others}", known)
        store.connection.execute(f"UPDATE classes SET messages = 0 WHERE number {others} AND messages <> 0", known)


def _mend_class(store: Store, name: str, right: Counts, kept: Counts) -> None:
    own, other, klass = right.row(name), kept.row(name), store.labels.number(name)
    assert own is not None
    messages = right.messages[own] - (0 if other is None else kept.messages[other])
    pairs = zip_longest(right.measures[own], [] if other is None else kept.measures[other], fillvalue=[0, 0, 0])
    measures = [[mine - theirs for mine, theirs in zip(*pair, strict=True)] for pair in pairs]
    if messages or any(any(one) for one in measures):
        with store.transaction():
            store.counts.change_class(klass, messages, measures)


def _mend_words(store: Store, words: slice, right: Counts, kept: Counts) -> None:
    with store.transaction():
        for name in right.classes:
            rows = right.row(name), kept.row(name)
            documents = _piece(right.documents, rows[0], words) - _piece(kept.documents, rows[1], words)
            occurrences = _piece(right.occurrences, rows[0], words) - _piece(kept.occurrences, rows[1], words)
            wrong = np.flatnonzero((documents != 0) | (occurrences != 0))
            if len(wrong):
                klass = store.labels.number(name)
                store.counts.change_words(klass, wrong + words.start, documents[wrong], occurrences[wrong])


def _piece(table: npt.NDArray[np.integer], row: int | None, words: slice) -> LongArray:
    """These words of a class, zeros where the table ends."""
    found = np.zeros(words.stop - words.start, np.int64)
    if row is not None:
        stored = table[row, words]
        found[: len(stored)] = stored
    return found
