"""Models to tables and back, and two models made one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbmail.core.counts import Counts
from nbmail.core.model import Learned, Model
from nbmail.core.sample import Clues, IntArray, LongArray, Vocabulary
from nbmail.exchange.tables import MeasureSums, ModelTables


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a model knows, over some vocabulary: counts, and what was learned beside them."""

    counts: Counts
    learned: Learned


def tables_of(model: Model, tokenizer: int, settings: Mapping[str, Any]) -> ModelTables:
    """The model as tables. Only words that are counted or corrected are in them, in the vocabulary's order."""
    learned, counts = model.keep(), model.counts
    used = _used_words(counts, learned.corrections, len(model.vocabulary))
    return ModelTables(
        tokenizer=tokenizer,
        method=model.method,
        classes=tuple(counts.classes),
        messages=tuple(counts.messages),
        words=tuple(model.vocabulary.word(int(number)) for number in used),
        documents=counts.documents_of(used).astype(np.int64),
        occurrences=counts.occurrences_of(used).astype(np.int64),
        corrections=_columns(learned.corrections, used),
        measures=tuple(tuple(MeasureSums(*one) for one in per_class) for per_class in counts.measures),
        held_out_scores=np.array(learned.held_out_scores, np.float64),
        held_out_junk=np.array(learned.held_out_junk, bool),
        settings=dict(settings),
        small=dict(learned.small),
    )


def knowledge_of(tables: ModelTables, vocabulary: Vocabulary) -> Knowledge:
    """The tables over this vocabulary, which learns their words."""
    numbers = _numbers(tables.words, vocabulary)
    width = int(numbers.max(initial=-1)) + 1
    counts = Counts.build(
        tables.classes,
        tables.messages,
        _spread(tables.documents, numbers, width),
        _spread(tables.occurrences, numbers, width),
        [[[one.count, one.total, one.squares] for one in per_class] for per_class in tables.measures],
    )
    corrections = _spread(tables.corrections, numbers, width)
    return Knowledge(counts, Learned(corrections, tables.held_out_scores, tables.held_out_junk, dict(tables.small)))


def merge(mine: Knowledge, other: Knowledge) -> Knowledge:
    """Two models over one vocabulary made one.

    Counts and held-out scores add. Corrections can't: each set was learned on top of its own counts. So they are
    averaged, weighted by how many messages taught them; the small values are those of the model that learned more.
    """
    weights = (sum(mine.counts.messages), sum(other.counts.messages))
    if 0 in weights:
        return other if weights[0] == 0 else mine
    counts = Counts()
    counts.merge(mine.counts)
    counts.merge(other.counts)
    wider = max(mine.learned.corrections.shape[1], other.learned.corrections.shape[1])
    tables = [_by_class(each, counts.classes, wider) for each in (mine, other)]
    corrections = (tables[0] * weights[0] + tables[1] * weights[1]) // sum(weights)
    larger = mine if weights[0] >= weights[1] else other
    return Knowledge(
        counts,
        Learned(
            corrections,
            np.concatenate([mine.learned.held_out_scores, other.learned.held_out_scores]),
            np.concatenate([mine.learned.held_out_junk, other.learned.held_out_junk]),
            larger.learned.small,
        ),
    )


def _numbers(words: tuple[str, ...], vocabulary: Vocabulary) -> IntArray:
    """The words' numbers; new words get new ones, in their order."""
    vocabulary.sample(Clues(words, (1,) * len(words), ()))
    return np.array([vocabulary.number(word) for word in words], np.int32)


def _used_words(counts: Counts, corrections: LongArray, known: int) -> IntArray:
    used = np.zeros(known, bool)
    counted = counts.holders[:known] > 0
    used[: len(counted)] = counted
    corrected = np.asarray(corrections.any(axis=0))[:known]
    used[: len(corrected)] |= corrected
    return np.flatnonzero(used).astype(np.int32)


def _columns(table: LongArray, used: IntArray) -> LongArray:
    """These columns; zeros where the table is narrower."""
    found = np.zeros((len(table), len(used)), np.int64)
    inside = used < table.shape[1]
    found[:, inside] = table[:, used[inside]]
    return found


def _spread(table: LongArray, numbers: IntArray, width: int) -> LongArray:
    """The table with column k moved to the place `numbers[k]`."""
    found = np.zeros((len(table), width), np.int64)
    found[:, numbers] = table
    return found


def _by_class(knowledge: Knowledge, classes: list[str], width: int) -> LongArray:
    """The corrections with a row for each of these classes."""
    found = np.zeros((len(classes), width), np.int64)
    for name, row in zip(knowledge.counts.classes, knowledge.learned.corrections, strict=False):
        found[classes.index(name), : len(row)] = row
    return found
