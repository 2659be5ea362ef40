"""Many messages of junk and good mail learned in one call of compiled code: what one by one gives, bit for bit."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nbmail.core.compiled import compiled
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample
from nbmail.core.methods.corrections import Corrections, details_of
from nbmail.core.methods.method import Run

VERSION = 2
compiled_learning = compiled("learning", VERSION)

Rows = tuple[int | None, int | None]
Logarithms = Callable[[int], tuple[FloatArray, FloatArray]]
"""Those of document counts and those of numbers of messages, each smoothed, up to so many messages."""


def learn_compiled(
    counts: Counts,
    corrections: Corrections,
    logarithms: Logarithms,
    rows: Rows,
    *,
    samples: Sequence[Sample],
    is_junk: Sequence[bool],
) -> Run:
    """Learn samples of the classes in these rows, junk's and good mail's, None for one never met."""
    words, starts = _joined([sample.words for sample in samples])
    occurrences, _ = _joined([sample.occurrences for sample in samples])
    highest = int(words.max(initial=0))
    counts.make_room(highest)
    table = corrections.table(max(row for row in rows if row is not None) + 1, highest + 1)
    scores, errors = np.empty(len(samples)), np.empty(len(samples), np.int64)
    junk, good = (_side(counts, table, row) for row in rows)
    most = max(counts.messages[row] for row in rows if row is not None) + len(samples)
    labels = np.array(is_junk, np.bool_)
    fresh, *occurrences_got = compiled_learning.learn(
        words, occurrences, starts, labels, junk, good, counts.holders, *logarithms(most), scores, errors
    )
    own, opposite = _sides(rows, is_junk)
    gains = {row: gain for row, gain in zip(rows, occurrences_got, strict=True) if row in own}
    counts.note_run(own, samples, gains, fresh)
    return Run(scores, list(map(details_of, own, opposite, errors.tolist())))


def _joined(parts: Sequence[IntArray]) -> tuple[IntArray, LongArray]:
    """Arrays end to end, and where each begins."""
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    # A copy also where there is only one: what was read from a file need not be aligned.
    return np.concatenate(parts).astype(np.int32, copy=False), starts


def _side(counts: Counts, table: Any, row: int | None) -> Any:
    return None if row is None else (counts.documents[row], counts.occurrences[row], table[row], counts.messages[row])


def _sides(rows: Rows, is_junk: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Each message's own row and that of its opposite, -1 where that was never met."""
    junk, good = (-1 if row is None else row for row in rows)
    return [junk if one else good for one in is_junk], [good if one else junk for one in is_junk]
