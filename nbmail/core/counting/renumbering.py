"""Samples over a vocabulary of their own words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows


def with_own_words(
    samples: Sequence[Sample], vocabulary: Vocabulary | None
) -> tuple[list[Sample], Vocabulary]:
    """Renumber the samples over a vocabulary of their own words, so that models are small in any
    mailbox.

    `vocabulary`: None if the texts of words aren't needed; the returned one is then empty.
    """
    rows = WordRows.join([sample.words for sample in samples])
    present = np.zeros(int(rows.words.max(initial=-1)) + 1, np.bool_)
    present[rows.words] = True
    places = np.cumsum(present, dtype=np.int32)[rows.words] - 1
    parts = np.split(places, rows.starts[1:-1])
    renumbered = [
        Sample(words, one.occurrences, one.measures)
        for words, one in zip(parts, samples, strict=True)
    ]
    texts = map(vocabulary.word, np.flatnonzero(present).tolist()) if vocabulary is not None else ()
    return renumbered, Vocabulary(texts)
