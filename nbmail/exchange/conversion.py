"""Models to tables and back, and two models made one."""

from dataclasses import replace

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import IntArray, LongArray, Vocabulary
from nbmail.core.methods.registry import DEFAULT, NAMES, create
from nbmail.core.scoring.calibration import HeldOut
from nbmail.core.scoring.model import LearnedTables, Model, ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.model_tables import MOST_MESSAGES, MOST_SCORES, MeasureSums, ModelTables


def tables_of(model: Model, tokenizer: int) -> ModelTables:
    """The model as tables. Only words that are counted or corrected are in them, in the vocabulary's order."""
    learned, counts = model.keep(), model.counts
    known = np.arange(len(model.vocabulary), dtype=np.int32)
    corrections = _widened(learned.corrections[: len(counts.classes), : len(known)], len(known))
    known_scores = np.flatnonzero(~np.isnan(learned.held_out.scores))[-MOST_SCORES:]
    used = np.flatnonzero((counts.holders_of(known) > 0) | corrections.any(axis=0)).astype(np.int32)
    return ModelTables(
        tokenizer=tokenizer,
        method=model.method,
        classes=tuple(counts.classes),
        messages=tuple(counts.messages),
        words=tuple(model.vocabulary.word(int(number)) for number in used),
        documents=counts.documents_of(used).astype(np.int64),
        occurrences=counts.occurrences_of(used).astype(np.int64),
        corrections=corrections[:, used],
        measures=tuple(tuple(MeasureSums(*one) for one in per_class) for per_class in counts.measures),
        held_out=learned.held_out.at(known_scores),
    )


def content_of(tables: ModelTables, vocabulary: Vocabulary) -> ModelContent:
    """The tables over this vocabulary, which learns their words."""
    numbers = np.array(vocabulary.numbers_of(tables.words), np.int32)
    width = int(numbers.max(initial=-1)) + 1
    counts = Counts.build(
        tables.classes,
        tables.messages,
        _spread(tables.documents, numbers, width),
        _spread(tables.occurrences, numbers, width),
        tables.measures,
    )
    corrections = _spread(tables.corrections, numbers, width)
    learned = LearnedTables(corrections, tables.held_out, tables.method)
    # What a method has learned that is unknown here means nothing.
    return ModelContent(counts, learned if tables.method in NAMES else ModelContent.nothing().learned)


def refuse_unusable(tables: ModelTables, method: str) -> None:
    """Refuse a model that would teach this method nothing: one that scores by more than counts, none of which is here.

    Under any other method the counts are all that is taken of what another one learned.
    """
    fitting = tables.method == method and bool(tables.corrections.any())
    if not (fitting or create(method, Vocabulary()).counts_suffice):
        detail = f"the method in use, {method}, learns nothing from this file of {tables.method}: choose another first"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)


def merge(mine: ModelContent, other: ModelContent, method: str = DEFAULT) -> ModelContent:
    """Two models over one vocabulary made one, the same in whichever order they are named.

    Counts add. Corrections can't: each set was learned on top of its own counts. So they are averaged, weighted by how
    many messages taught them. What two methods learned has no mean: then only what `method` learned is kept, or the
    larger model's if that is neither.
    """
    weights = (sum(mine.counts.messages), sum(other.counts.messages))
    if 0 in weights:
        return other if weights[0] == 0 else mine
    if sum(weights) > MOST_MESSAGES:
        raise KnownError(ErrorCode.BAD_MODEL_FILE, f"together they know more than {MOST_MESSAGES:,} messages")
    counts = Counts()
    counts.merge(mine.counts)
    counts.merge(other.counts)
    by = [each.learned.method or DEFAULT for each in (mine, other)]
    if by[0] != by[1]:
        kept = max(zip(weights, by, (mine, other), strict=True), key=lambda one: (one[1] == method, *one[:2]))[2]
        corrections = _by_class(kept, counts.classes, kept.learned.corrections.shape[1])
        return ModelContent(counts, replace(kept.learned, corrections=corrections))
    wider = max(mine.learned.corrections.shape[1], other.learned.corrections.shape[1])
    ours, theirs = (_by_class(each, counts.classes, wider) for each in (mine, other))
    corrections = create(by[0], Vocabulary()).average(ours, theirs, weights)
    return ModelContent(counts, LearnedTables(corrections, _interleave(mine.learned, other.learned), by[0]))


def _interleave(one: LearnedTables, other: LearnedTables) -> HeldOut:
    """Held-out scores of both, oldest first: each stands as far along as it did among its own."""
    both = one.held_out, other.held_out
    joined = HeldOut(*(np.concatenate(columns) for columns in zip(*(each.columns for each in both), strict=True)))
    ages = np.concatenate([(np.arange(len(each)) + 0.5) / max(1, len(each)) for each in both])
    return joined.at(np.lexsort((*joined.columns[::-1], ages)))


def _widened(table: LongArray, width: int) -> LongArray:
    return np.pad(table, ((0, 0), (0, width - table.shape[1])))


def _spread(table: LongArray, numbers: IntArray, width: int) -> LongArray:
    """The table with column k moved to the place `numbers[k]`."""
    found = np.zeros((len(table), width), np.int64)
    found[:, numbers] = table
    return found


def _by_class(content: ModelContent, classes: list[str], width: int) -> LongArray:
    """The corrections with a row for each of these classes."""
    found = np.zeros((len(classes), width), np.int64)
    for name, row in zip(content.counts.classes, _widened(content.learned.corrections, width), strict=False):
        found[classes.index(name)] = row
    return found
