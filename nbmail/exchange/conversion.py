"""Conversion between models and their tables."""

import numpy as np

from nbmail.core.counting.arrays import IntArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.exchange.model_tables import MOST_SCORES, MeasureSums, ModelTables
from nbmail.method_spec import is_method


def tables_of(model: Model, tokenizer: int) -> ModelTables:
    """Return the model as tables, with all words that have counts or corrections.

    Words are in the vocabulary's order.
    """
    content = model.content()
    counts = model.counts
    width = len(model.vocabulary)
    known = np.arange(width, dtype=np.int32)

    corrections = content.corrections[: len(counts.classes), :width]
    missing = width - corrections.shape[1]
    corrections = np.pad(corrections, ((0, 0), (0, missing)))
    is_used = (counts.documents_with(known) > 0) | corrections.any(axis=0)
    used = np.flatnonzero(is_used).astype(np.int32)

    measures = []
    for sums in counts.measures:
        measures.append(tuple(MeasureSums(*each) for each in sums))
    scored = np.flatnonzero(~np.isnan(content.held_out.scores))

    return ModelTables(
        tokenizer=tokenizer,
        method=model.method,
        classes=tuple(counts.classes),
        messages=tuple(counts.messages),
        words=tuple(model.vocabulary.word(int(number)) for number in used),
        documents=counts.documents_of(used).astype(np.int64),
        occurrences=counts.occurrences_of(used).astype(np.int64),
        corrections=corrections[:, used],
        measures=tuple(measures),
        held_out=content.held_out.at(scored[-MOST_SCORES:]),
    )


def content_of(tables: ModelTables, vocabulary: Vocabulary) -> ModelContent:
    """Return the tables as content of a model. Their words are added to the vocabulary."""
    numbers = np.array(vocabulary.numbers_of(tables.words), np.int32)
    width = int(numbers.max(initial=-1)) + 1
    counts = Counts.build(
        tables.classes,
        tables.messages,
        _spread(tables.documents, numbers, width),
        _spread(tables.occurrences, numbers, width),
        tables.measures,
    )
    # Corrections of an unknown method have no meaning.
    if not is_method(tables.method):
        return ModelContent.of(counts)

    corrections = _spread(tables.corrections, numbers, width)
    return ModelContent(counts, corrections, tables.held_out, tables.method)


def _spread(table: LongArray, numbers: IntArray, width: int) -> LongArray:
    """Return the table with column k moved to column `numbers[k]`."""
    found = np.zeros((len(table), width), np.int64)
    found[:, numbers] = table
    return found
