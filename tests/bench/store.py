"""The store alone: arrivals, opening, the list, marks, undo and the check-up, some beside plain SQLite doing the same.

The peer writes or reads the same bytes with the standard library's `sqlite3`, without labels, journal or outbox.
"""

import sqlite3
import statistics
import time
from functools import partial

import numpy as np

from nbmail.chunks import drain
from nbmail.core.scoring.model import Model
from nbmail.paths import Paths
from nbmail.store.doctor import Doctor
from nbmail.store.labels.journal import By
from nbmail.store.store import Store
from tests.bench._frame import new_folder, options_of, show
from tests.bench.big_home import WORDS, make_home

MARKS = 200


def run(arguments):
    options = options_of(arguments, __doc__, messages=100_000, vocabulary=300_000)
    found = dict(measure(options.messages, options.vocabulary))
    show(options, found, "\n".join(f"{name:38}{value:14,.2f}" for name, value in found.items()))
    return 0


def timed(action):
    began = time.perf_counter()
    result = action()
    return result, (time.perf_counter() - began) * 1000


def measure(messages, vocabulary):
    with new_folder() as folder:
        paths = Paths.under(folder)
        _, made = timed(lambda: make_home(folder, messages, vocabulary=vocabulary))
        yield "made: messages a second", messages / made * 1000
        yield "database: MB", paths.database.stat().st_size / 1e6
        store, opened = timed(lambda: Store(paths, 0.0))
        with store:
            yield "open: ms", opened
            yield "newest 200 rows: ms", timed(lambda: store.listing.newest(200))[1]
            yield from listing(store, paths)
            yield "vocabulary: ms", timed(lambda: store.words.vocabulary)[1]
            yield "model folded: ms", timed(lambda: drain(store.model.opening(Model(store.words.vocabulary))))[1]
            yield "snapshot written: ms", timed(lambda: drain(store.model.write_snapshot()))[1]
            yield "model from snapshot: ms", timed(lambda: drain(store.model.opening(Model(store.words.vocabulary))))[1]
            yield from marks(store, folder, messages)
            yield "check-up: ms", timed(lambda: Doctor(store, 0.0).check())[1]


def listing(store, paths):
    """The whole list as columns, beside reading the same columns as rows."""
    heads, ours = timed(store.listing.all)
    rows, plain = timed(
        lambda: store.connection.rows(
            "SELECT number, date, sender, subject, attachments, folder, flags FROM locations"
            " JOIN messages ON number = message ORDER BY date DESC"
        )
    )
    assert len(rows) == len(heads.messages)
    yield f"list of {len(rows):,}: ms", ours
    yield "  as plain rows of SQLite: ms", plain


def marks(store, folder, messages):
    """Single marks beside a plain transaction of as many rows, then bulk, undo and fold."""
    chosen = np.random.default_rng(3).integers(messages // 2, messages, MARKS).tolist()
    peer = sqlite3.connect(folder / "peer.sqlite3", isolation_level=None)
    peer.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (w INTEGER PRIMARY KEY, n)")
    ours, theirs = [], []
    for place, message in enumerate(chosen):
        label = ("junk", "good")[place % 2]
        ours.append(timed(partial(store.marks.mark, {message: label}, by=By.USER, moment=2.0))[1])
        words = store.messages.samples([message])[message].words.tolist()
        theirs.append(timed(partial(plain_mark, peer, words))[1])
    peer.close()
    yield "mark: ms, median", statistics.median(ours)
    yield "mark: ms, 99 of 100", sorted(ours)[int(0.99 * MARKS) - 1]
    yield f"  {WORDS} plain rows of SQLite: ms", statistics.median(theirs)
    for many in (1000, 6800):
        bulk = dict.fromkeys(range(messages // 2, messages // 2 + many), "junk")
        yield f"{many:,} marked at once: ms", timed(lambda bulk=bulk: _and_fold(store, bulk))[1]
        yield f"{many:,} undone: ms", timed(lambda: _and_fold(store))[1]
    fold = timed(lambda: store.model.adopt(_folded(store)))
    yield f"fold of {len(store.labels):,} labels: ms", fold[1]


def _and_fold(store, labels=None):
    """Give these labels, or take them back, until the model is exact again."""
    if labels:
        store.marks.mark(labels, by=By.USER, moment=3.0)
    else:
        store.marks.undo(moment=4.0)
    store.model.make_exact()


def _folded(store):
    fold = store.model.begin_rebuild()
    while fold.advance():
        pass
    return fold


def plain_mark(peer, words):
    """These rows in a transaction of their own."""
    peer.execute("BEGIN")
    peer.executemany("INSERT INTO t VALUES (?, 1) ON CONFLICT (w) DO UPDATE SET n = n + 1", ((one,) for one in words))
    peer.execute("COMMIT")
