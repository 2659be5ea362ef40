"""Merging of two models."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.scoring.model_content import ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.model_tables import MOST_MESSAGES
from nbmail.method_spec import DEFAULT

Average = Callable[[LongArray, LongArray, tuple[int, int]], LongArray]
"""Returns the weighted mean of the corrections of two models, as `Method.average` does."""


def merge(
    mine: ModelContent, other: ModelContent, method: str, average_of: Callable[[str], Average]
) -> ModelContent:
    """Merge two models with the same vocabulary. The result doesn't depend on their order.

    Counts are added. Corrections were learned with different counts, so they are averaged, weighted
    by numbers of messages. Corrections of two methods can't be averaged: those of `method` are
    used, or those of the larger model if neither has this method.

    `average_of`: returns how the corrections of a method are averaged.
    """
    my_size = sum(mine.counts.messages)
    other_size = sum(other.counts.messages)
    if my_size == 0:
        return other
    if other_size == 0:
        return mine
    if my_size + other_size > MOST_MESSAGES:
        detail = f"together they have counts of more than {MOST_MESSAGES:,} messages"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)

    counts = Counts()
    counts.merge(mine.counts)
    counts.merge(other.counts)
    my_method = mine.method or DEFAULT
    other_method = other.method or DEFAULT

    if my_method != other_method:
        my_rank = (my_method == method, my_size, my_method)
        other_rank = (other_method == method, other_size, other_method)
        kept = mine if my_rank > other_rank else other
        corrections = _by_class(kept, counts.classes, kept.corrections.shape[1])
        return replace(kept, counts=counts, corrections=corrections)

    width = max(mine.corrections.shape[1], other.corrections.shape[1])
    average = average_of(my_method)
    corrections = average(
        _by_class(mine, counts.classes, width),
        _by_class(other, counts.classes, width),
        (my_size, other_size),
    )
    held_out = _interleave(mine.held_out, other.held_out)
    return ModelContent(counts, corrections, held_out, my_method)


def _by_class(content: ModelContent, classes: list[str], width: int) -> LongArray:
    """Return the corrections with a row for each of these classes and `width` columns."""
    found = np.zeros((len(classes), width), np.int64)
    for name, row in zip(content.counts.classes, content.corrections, strict=False):
        found[classes.index(name), : len(row)] = row
    return found


def _interleave(mine: HeldOut, other: HeldOut) -> HeldOut:
    """Return the held-out scores of both, ordered by their relative position in their own model."""
    joined = HeldOut(
        np.concatenate([mine.parts, other.parts]),
        np.concatenate([mine.spam, other.spam]),
        np.concatenate([mine.asked, other.asked]),
    )
    ages = np.concatenate([_relative_ages(mine), _relative_ages(other)])
    # Ties are broken by score, then by the flags, whichever model comes first.
    order = np.lexsort((joined.asked, joined.spam, *joined.parts.T[::-1], ages))
    return joined.at(order)


def _relative_ages(held_out: HeldOut) -> FloatArray:
    return (np.arange(len(held_out)) + 0.5) / max(1, len(held_out))
