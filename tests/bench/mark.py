"""A mark with 100,000 messages stored: time until visible rows, then all rows, are exact (beside
scikit-learn).
"""

import statistics
import time

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.naive_bayes import MultinomialNB

from nbmail.worker.protocol.events import Changed, Learned, TicketChanged
from tests.bench._big_home import make_home
from tests.bench._frame import Events, new_folder, options_of, running_engine, show
from tests.worker.conftest import on_engine

VISIBLE = 50
MARKS = 20
BUDGET_VISIBLE = 16.0
BUDGET_ALL = 50.0
WORDS = """mark, {messages:,} messages: visible rows exact {visible_ms} ms (worst \
{visible_worst_ms}),
all exact {all_ms} ms (worst {all_worst_ms});
scikit-learn partial_fit + predict {scikit_learn_ms} ms: {times_as_fast} x as fast"""


def run(arguments):
    options = options_of(arguments, __doc__, messages=100_000)
    size = options.messages
    events = Events()
    with new_folder() as home:
        make_home(home, size)
        with running_engine(home, events) as engine:
            engine.show_rows(range(size - VISIBLE + 1, size + 1))
            peer = Peer(engine)
            marks = [
                mark(engine, events, size - 3 * number, ("spam", "ham")[number % 2], peer)
                for number in range(MARKS)
            ]
    visible, everything, theirs = (list(column) for column in zip(*marks, strict=True))
    found = {
        "messages": size,
        "visible_ms": round(statistics.median(visible), 2),
        "visible_worst_ms": round(max(visible), 2),
        "all_ms": round(statistics.median(everything), 2),
        "all_worst_ms": round(max(everything), 2),
        "scikit_learn_ms": round(statistics.median(theirs), 2),
        "times_as_fast": round(
            statistics.median(t / e for t, e in zip(theirs, everything, strict=True)), 2
        ),
    }
    show(options, found, WORDS)
    return int(found["visible_ms"] > BUDGET_VISIBLE or found["all_ms"] > BUDGET_ALL)


def mark(engine, events, message, label, peer):
    """Return milliseconds until visible rows are exact, until all are, and of the peer's work on
    the same words.
    """
    events.received.clear()
    started = time.perf_counter()
    ticket = engine.mark((message,), label)
    visible, _ = events.until(
        lambda event: (
            (isinstance(event, Changed) and event.scores is not None)
            or isinstance(event, TicketChanged)
        )
    )
    everything, _ = events.until(
        lambda event: isinstance(event, TicketChanged) and event.ticket is ticket
    )
    ticket.result(0)
    events.until(lambda event: isinstance(event, Learned))
    theirs = peer.mark(message - 1, label)
    return (visible - started) * 1e3, (everything - started) * 1e3, theirs * 1e3


class Peer:
    """scikit-learn's MultinomialNB over the same words."""

    def __init__(self, engine):
        words, starts = on_engine(engine, _rows)
        shape = (len(starts) - 1, int(words.max()) + 1)
        self._matrix = csr_matrix((np.ones(len(words), np.float32), words, starts), shape=shape)
        self._model = MultinomialNB()
        self._model.partial_fit(self._matrix[:2000], np.arange(2000) % 2, classes=[0, 1])

    def mark(self, row, label):
        """Return the seconds to learn one message and predict all."""
        started = time.perf_counter()
        self._model.partial_fit(self._matrix[row : row + 1], [int(label == "spam")])
        self._model.predict_log_proba(self._matrix)
        return time.perf_counter() - started


def _rows(parts):
    word_ids = parts.store.word_ids
    rows = word_ids.rows(0, len(word_ids))
    return np.array(rows.words), np.array(rows.starts)
