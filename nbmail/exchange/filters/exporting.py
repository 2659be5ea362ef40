"""Export of a model to another filter: words of the model become words of the filter."""

from array import array
from collections.abc import Generator, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import LongArray
from nbmail.exchange import COUNTED_MARK
from nbmail.exchange.filters.filter_format import FilterFormat
from nbmail.exchange.filters.token_counts import CHUNK, TokenCounts
from nbmail.exchange.model_tables import ModelTables


class ExportedCounts(NamedTuple):
    """Counts of the filter's words. `left_out`: number of words that the format can't store."""

    counts: TokenCounts
    left_out: int


def export_counts(
    layout: FilterFormat, tables: ModelTables, classes: Sequence[str]
) -> Generator[None, None, ExportedCounts]:
    """Convert a model to the words of another filter.

    Counts of other spellings are subtracted from nbmail's words, to which an import added them.
    """
    changes = _ColumnChanges()
    left_out = 0
    for number, word in enumerate(tables.words):
        token = layout.token_of(word)
        if token is None:
            left_out += 1
        else:
            changes.add(token, number, 1)
            counted = _counted_token(layout, word, token)
            if counted is not None:
                changes.add(counted, number, -1)
        if number % CHUNK == 0:
            yield

    sizes = dict(tables.sizes)
    documents = np.zeros((len(classes), len(changes.columns)), np.int64)
    for row, name in enumerate(classes):
        if name in sizes:
            changes.apply(tables.documents[tables.classes.index(name)], documents[row])
    documents = np.maximum(documents, 0)

    has_counts = np.asarray(documents.any(axis=0))
    counts = TokenCounts(
        classes=tuple(classes),
        messages=tuple(sizes.get(name, 0) for name in classes),
        tokens=list(compress(changes.columns, has_counts)),
        documents=documents[:, has_counts],
    )
    return ExportedCounts(counts, left_out)


def _counted_token(layout: FilterFormat, word: str, token: str) -> str | None:
    """Return the filter's word for nbmail's word that has the counts of `word`, too."""
    if not word.startswith(layout.name + COUNTED_MARK):
        return None
    folded = layout.folded_word_of(token)
    if folded is None:
        return None
    return layout.token_of(folded)


class _ColumnChanges:
    """Which counts of a model to add to, or subtract from, each column of the filter's words.

    `columns`: number of the column of each word of the filter.
    """

    def __init__(self) -> None:
        self.columns: dict[str, int] = {}
        self._sources = array("q")
        self._targets = array("q")
        self._signs = array("q")

    def add(self, token: str, source: int, sign: int) -> None:
        column = self.columns.setdefault(token, len(self.columns))
        self._sources.append(source)
        self._targets.append(column)
        self._signs.append(sign)

    def apply(self, counts: LongArray, columns: LongArray) -> None:
        """Add the counts of one class to `columns`."""
        sources = np.array(self._sources, np.int64)
        targets = np.array(self._targets, np.int64)
        signs = np.array(self._signs, np.int64)
        np.add.at(columns, targets, counts[sources] * signs)
