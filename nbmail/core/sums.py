"""Adding up weights over very many words: the inner loop of scoring a mailbox.

One `take` and one `add.reduceat` over chunks that stay in the processor's cache: 100,000 messages of 150 words in
about 25 ms. Sums are of 64-bit floats, so that a list and an explanation of one message, which add in another order,
agree to 1e-9 for messages of up to a million words.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nbmail.core.sample import FloatArray, IntArray, LongArray, WordRows

_CHUNK = 1 << 18
"""Words a chunk: with 8 bytes each it fits a second-level cache."""


def count_words(rows: WordRows) -> LongArray:
    """How many words each message has."""
    return np.diff(rows.starts)


def sum_words(
    weights: FloatArray, rows: WordRows, values: Callable[[IntArray], FloatArray] | None = None
) -> FloatArray:
    """The sum of the weights of each message's words, each times its value where `values` is given.

    The last weight stands for all words beyond the array; it must be 0. Rows without occurrences count each word once.
    """
    sums = np.zeros(len(rows))
    first = 0
    while first < len(rows):
        last = _chunk_end(rows.starts, first)
        _sum_chunk(weights, rows, values, slice(first, last), sums)
        first = last
    return sums


def _chunk_end(starts: LongArray, first: int) -> int:
    """The message after the last that fits into a chunk with the first one; at least one fits."""
    end = int(np.searchsorted(starts, starts[first] + _CHUNK, side="right")) - 1
    return min(max(end, first + 1), len(starts) - 1)


def _sum_chunk(
    weights: FloatArray,
    rows: WordRows,
    values: Callable[[IntArray], FloatArray] | None,
    part: slice,
    sums: FloatArray,
) -> None:
    begin, end = int(rows.starts[part.start]), int(rows.starts[part.stop])
    if begin == end:
        return
    # One zero behind the last word: `reduceat` refuses a start at the very end, where empty messages have theirs.
    taken = np.empty(end - begin + 1)
    weights.take(rows.words[begin:end], mode="clip", out=taken[:-1])
    taken[-1] = 0.0
    if values is not None and rows.occurrences is not None:
        taken[:-1] *= values(rows.occurrences[begin:end])
    starts = rows.starts[part.start : part.stop + 1]
    found = np.add.reduceat(taken, starts[:-1] - begin)
    # `reduceat` gives an empty message the word it starts at.
    sums[part] = np.where(np.diff(starts) == 0, 0.0, found)
