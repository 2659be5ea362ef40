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
    """Renumber samples over a vocabulary of their own words.

    Their models are then small in any mailbox. `vocabulary`: None if the texts of words aren't
    needed; the returned one is then empty.
    """
    rows = WordRows.join([sample.words for sample in samples])
    is_present = np.zeros(int(rows.words.max(initial=-1)) + 1, np.bool_)
    is_present[rows.words] = True
    numbers = np.cumsum(is_present, dtype=np.int32)[rows.words] - 1
    renumbered = [
        Sample(words, sample.occurrences, sample.measures)
        for words, sample in zip(np.split(numbers, rows.starts[1:-1]), samples, strict=True)
    ]
    if vocabulary is None:
        return renumbered, Vocabulary()
    texts = map(vocabulary.word, np.flatnonzero(is_present).tolist())
    return renumbered, Vocabulary(texts)
