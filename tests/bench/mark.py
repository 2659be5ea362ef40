"""A mark with 100,000 messages stored: time until visible rows, then all rows, are exact (beside scikit-learn)."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from nbmail.paths import Paths
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import Changed, Done, Failed, Learned, Mark, ShowRows
from tests.bench.big_home import make_home
from tests.worker.conftest import wait_until_ready

VISIBLE = 50
BUDGET_VISIBLE, BUDGET_ALL = 16.0, 50.0


class Watch:
    """Notes when each event came."""

    def __init__(self):
        self.heard = []
        self._changed = threading.Condition()

    def __call__(self, event):
        with self._changed:
            self.heard.append((time.perf_counter(), event))
            self._changed.notify_all()

    def until(self, wanted, patience=600.0):
        """When an event such as this came."""
        with self._changed:
            self._changed.wait_for(lambda: any(wanted(event) for _, event in self.heard), patience)
            return next(moment for moment, event in self.heard if wanted(event))


def run(arguments):
    """Run for 100,000 messages, with --full for 1,000,000 too."""
    sizes = [100_000, 1_000_000] if "--full" in arguments else [100_000]
    found = [measure(size, 20) for size in sizes]
    for one in found:
        print(json.dumps(one) if "--json" in arguments else told(one))
    small = found[0]
    return int(small["visible_ms"] > BUDGET_VISIBLE or small["all_ms"] > BUDGET_ALL)


def measure(size, rounds):
    """Marks in a home of this size, and the peer's work on the same words in turn."""
    with tempfile.TemporaryDirectory(prefix="nbmail-bench-") as folder:
        home = Path(folder)
        started = time.perf_counter()
        make_home(home, size)
        print(f"(home of {size:,} messages made in {time.perf_counter() - started:.0f} s)", file=sys.stderr)
        watch = Watch()
        engine = Engine(Paths.under(home), time.time, watch)
        engine.start()
        try:
            wait_until_ready(engine, None)
            engine.submit(ShowRows(tuple(range(size - VISIBLE + 1, size + 1))))
            peer = Peer(engine)
            marks = [
                one_mark(engine, watch, size - 3 * number, ("junk", "good")[number % 2], peer)
                for number in range(rounds)
            ]
        finally:
            engine.stop()
    return {"messages": size, **summary(marks)}


def one_mark(engine, watch, message, label, peer):
    """Visible and all, in milliseconds, and the peer's."""
    watch.heard.clear()
    started = time.perf_counter()
    ticket = engine.submit(Mark((message,), label))
    visible = watch.until(
        lambda event: (isinstance(event, Changed) and event.scores is not None) or isinstance(event, Failed)
    )
    everything = watch.until(lambda event: isinstance(event, Done) and event.ticket == ticket)
    watch.until(lambda event: isinstance(event, Learned))
    theirs = peer.mark(message - 1, label)
    return (visible - started) * 1e3, (everything - started) * 1e3, theirs * 1e3


class Peer:
    """scikit-learn's MultinomialNB over the same words."""

    def __init__(self, engine):
        from scipy.sparse import csr_matrix
        from sklearn.naive_bayes import MultinomialNB

        # The array that the engine scores from: nothing else is taken from the engine.
        words, starts = engine._queue(_rows).result()
        shape = (len(starts) - 1, int(words.max()) + 1)
        self._matrix = csr_matrix((np.ones(len(words), np.float32), words, starts), shape=shape)
        self._model = MultinomialNB()
        self._model.partial_fit(self._matrix[:2000], np.arange(2000) % 2, classes=[0, 1])

    def mark(self, row, label):
        """Seconds to learn one message and predict all."""
        started = time.perf_counter()
        self._model.partial_fit(self._matrix[row : row + 1], [int(label == "junk")])
        self._model.predict_log_proba(self._matrix)
        return time.perf_counter() - started


def _rows(intake):
    word_ids = intake.state.store.word_ids
    rows = word_ids.rows(0, len(word_ids))
    return np.array(rows.words), np.array(rows.starts)


def summary(marks):
    """Medians, worst, and the ratio to the peer."""
    visible, everything, theirs = (list(column) for column in zip(*marks, strict=True))
    return {
        "visible_ms": round(statistics.median(visible), 2),
        "visible_worst_ms": round(max(visible), 2),
        "all_ms": round(statistics.median(everything), 2),
        "all_worst_ms": round(max(everything), 2),
        "scikit_learn_ms": round(statistics.median(theirs), 2),
        "times_as_fast": round(statistics.median(t / e for t, e in zip(theirs, everything, strict=True)), 2),
    }


def told(one):
    """One line for a person."""
    return (
        f"mark, {one['messages']:,} messages: "
        f"visible rows exact {one['visible_ms']} ms (worst {one['visible_worst_ms']}), "
        f"all exact {one['all_ms']} ms (worst {one['all_worst_ms']}); "
        f"scikit-learn partial_fit + predict {one['scikit_learn_ms']} ms: {one['times_as_fast']} x as fast"
    )
