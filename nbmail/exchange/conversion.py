"""Conversions between models, their tables and the word counts of other filters, and merging two
models.
"""

from array import array
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from itertools import compress
from operator import add, le

import numpy as np

from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.arrays import IntArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.tables import (
    CHUNK,
    COUNTED_MARK,
    MOST_MESSAGES,
    MOST_SCORES,
    PREFIX_MARK,
    FileFormat,
    MeasureSums,
    ModelFile,
    ModelTables,
    TokenCounts,
)
from nbmail.method_spec import DEFAULT, is_method

Average = Callable[[LongArray, LongArray, tuple[int, int]], LongArray]
"""Returns the weighted mean of the corrections of two models, as `Method.average` does."""


def tables_of(model: Model, tokenizer: int) -> ModelTables:
    """Return the model as tables, with all words that have counts or corrections, in the
    vocabulary's order.
    """
    content = model.content()
    counts = model.counts
    known = np.arange(len(model.vocabulary), dtype=np.int32)
    corrections = _widened(content.corrections[: len(counts.classes), : len(known)], len(known))
    known_scores = np.flatnonzero(~np.isnan(content.held_out.scores))[-MOST_SCORES:]
    used = np.flatnonzero((counts.documents_with(known) > 0) | corrections.any(axis=0)).astype(
        np.int32
    )
    return ModelTables(
        tokenizer=tokenizer,
        method=model.method,
        classes=tuple(counts.classes),
        messages=tuple(counts.messages),
        words=tuple(model.vocabulary.word(int(number)) for number in used),
        documents=counts.documents_of(used).astype(np.int64),
        occurrences=counts.occurrences_of(used).astype(np.int64),
        corrections=corrections[:, used],
        measures=tuple(
            tuple(MeasureSums(*one) for one in per_class) for per_class in counts.measures
        ),
        held_out=content.held_out.at(known_scores),
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
    return ModelContent(
        counts, _spread(tables.corrections, numbers, width), tables.held_out, tables.method
    )


def refuse_unusable(tables: ModelTables, method: str, *, counts_suffice: bool) -> None:
    """Raise `KnownError` if `method` can't use the model: of another method only the counts are
    imported.

    `counts_suffice`: True if `method` can score from counts alone.
    """
    fitting = tables.method == method and bool(tables.corrections.any())
    if not (fitting or counts_suffice):
        detail = (
            f"the method in use, {method}, learns nothing from this file of {tables.method}: "
            f"choose another first"
        )
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)


def merge(
    mine: ModelContent, other: ModelContent, method: str, average_of: Callable[[str], Average]
) -> ModelContent:
    """Merge two models with the same vocabulary. The result doesn't depend on their order.

    Counts are added. Corrections were learned with different counts, so they are averaged, weighted
    by numbers of messages. Corrections of two methods can't be averaged: those of `method` are
    used, or those of the larger model if neither has this method.

    `average_of`: returns how the corrections of a method are averaged.
    """
    weights = (sum(mine.counts.messages), sum(other.counts.messages))
    if 0 in weights:
        return other if weights[0] == 0 else mine
    if sum(weights) > MOST_MESSAGES:
        raise KnownError(
            ErrorCode.BAD_MODEL_FILE,
            f"together they have counts of more than {MOST_MESSAGES:,} messages",
        )
    counts = Counts()
    counts.merge(mine.counts)
    counts.merge(other.counts)
    by = [each.method or DEFAULT for each in (mine, other)]
    if by[0] != by[1]:
        kept = max(
            zip(weights, by, (mine, other), strict=True),
            key=lambda one: (one[1] == method, *one[:2]),
        )[2]
        corrections = _by_class(kept, counts.classes, kept.corrections.shape[1])
        return replace(kept, counts=counts, corrections=corrections)
    wider = max(mine.corrections.shape[1], other.corrections.shape[1])
    ours, theirs = (_by_class(each, counts.classes, wider) for each in (mine, other))
    corrections = average_of(by[0])(ours, theirs, weights)
    return ModelContent(counts, corrections, _interleave(mine.held_out, other.held_out), by[0])


def import_counts(
    layout: FileFormat, counts: TokenCounts, own: Iterable[str]
) -> Generator[None, None, ModelFile]:
    """Convert the words of another filter to a model: shared words by nbmail's names, others with a
    prefix.

    Counts of a word in another spelling are also added to nbmail's word, unless its total would be
    too large.
    """
    words = yield from layout.words_of(counts.tokens, own)
    rows = [row for row, messages in enumerate(counts.messages) if messages]
    documents = counts.documents[rows]
    messages = [counts.messages[row] for row in rows]
    columns: list[list[int]] = documents.T.tolist()
    places = {word: place for place, word in enumerate(words) if word is not None}
    sums = dict[str, list[int]]()
    names = list[str]()
    folded = 0
    for number, (token, word) in enumerate(zip(counts.tokens, words, strict=True)):
        mark = PREFIX_MARK
        other = layout.folded_word_of(token) if word is None else None
        if other is not None:
            before = sums.get(other) or (
                columns[places[other]] if other in places else [0] * len(rows)
            )
            both = list(map(add, before, columns[number]))
            if all(map(le, both, messages)):
                sums[other] = both
                mark = COUNTED_MARK
                folded = folded + 1
        names.append(word or f"{layout.name}{mark}{token}")
        if number % CHUNK == 0:
            yield
    for word in sums.keys() & places.keys():
        documents[:, places[word]] = sums[word]
    new = [word for word in sums if word not in places]
    more = np.array([sums[word] for word in new], np.int64).reshape(len(new), len(rows))
    documents = np.concatenate([documents, more.T], axis=1)
    tables = ModelTables(
        tokenizer=TOKENIZER_VERSION,
        method=DEFAULT,
        classes=tuple(counts.classes[row] for row in rows),
        messages=tuple(messages),
        words=(*names, *new),
        documents=documents,
        occurrences=documents,
        corrections=np.zeros_like(documents),
    )
    notes = sum(token.startswith(layout.note) for token in counts.tokens) if layout.note else 0
    all_words = len(words) - notes
    ours = len(words) - words.count(None) + folded
    dropped = dict(counts.dropped)
    if not layout.two_way:
        kept = [*(word is not None for word in words), *(True for _ in new)]
        tables = tables.only(np.array(kept, np.bool_))
        dropped["foreign"] = all_words - ours
    dropped = {what: number for what, number in dropped.items() if number}
    return ModelFile(layout.name, tables, all_words, ours, dropped, counts.parts)


def export_counts(
    layout: FileFormat, tables: ModelTables, classes: Sequence[str]
) -> Generator[None, None, TokenCounts]:
    """Convert a model to the words of another filter. Counts of other spellings are subtracted from
    nbmail's words.

    `dropped`: words that the format can't store.
    """
    columns: dict[str, int] = {}
    places = array("q")
    targets = array("q")
    signs = array("q")
    left_out = 0
    for number, word in enumerate(tables.words):
        token = layout.token_of(word)
        left_out += token is None
        folded = (
            layout.folded_word_of(token)
            if token and word.startswith(layout.name + COUNTED_MARK)
            else None
        )
        for each, sign in ((token, 1), (layout.token_of(folded) if folded else None, -1)):
            if each is not None:
                places.append(number)
                targets.append(columns.setdefault(each, len(columns)))
                signs.append(sign)
        if number % CHUNK == 0:
            yield
    documents = np.zeros((len(classes), len(columns)), np.int64)
    picked, added = (np.array(each, np.int64) for each in (places, signs))
    for row, name in enumerate(classes):
        if name in tables.classes:
            mine = tables.documents[tables.classes.index(name)]
            np.add.at(documents[row], np.array(targets, np.int64), mine[picked] * added)
    documents = np.maximum(documents, 0)
    known = dict(zip(tables.classes, tables.messages, strict=True))
    messages = tuple(known.get(name, 0) for name in classes)
    counted = np.asarray(documents.any(axis=0))
    tokens = list(compress(columns, counted))
    return TokenCounts(
        tuple(classes), messages, tokens, documents[:, counted], {"foreign": left_out}
    )


def _interleave(*both: HeldOut) -> HeldOut:
    """Return the held-out scores of both, ordered by their relative position in their own model."""
    joined = HeldOut(
        *(np.concatenate(columns) for columns in zip(*(each.columns for each in both), strict=True))
    )
    ages = np.concatenate([(np.arange(len(each)) + 0.5) / max(1, len(each)) for each in both])
    return joined.at(np.lexsort((*joined.columns[::-1], ages)))


def _widened(table: LongArray, width: int) -> LongArray:
    return np.pad(table, ((0, 0), (0, width - table.shape[1])))


def _spread(table: LongArray, numbers: IntArray, width: int) -> LongArray:
    """Return the table with column k moved to column `numbers[k]`."""
    found = np.zeros((len(table), width), np.int64)
    found[:, numbers] = table
    return found


def _by_class(content: ModelContent, classes: list[str], width: int) -> LongArray:
    """Return the corrections with a row for each of these classes."""
    found = np.zeros((len(classes), width), np.int64)
    for name, row in zip(
        content.counts.classes, _widened(content.corrections, width), strict=False
    ):
        found[classes.index(name)] = row
    return found
