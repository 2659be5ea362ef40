"""Letting go of words: those that a single message holds, if that message is old. Labels are never let go.

Two of three words are met once and never again, and each costs a row, a place in every array and room in memory.
They leave the samples too, so that counts stay exactly what the labels' samples add up to.

Measured by `python -m tests.bench letting-go` on SpamAssassin's corpus, letting go after every thousand messages: more
than half of 181,000 words gone, 1-AUC 0.042 % instead of 0.043 % in the corpus's order, 0.030 % instead of 0.029 %
shuffled, junk missed at one good mail in a thousand 10.6 and 3.8 % instead of 10.6 and 3.6 %.

Nothing of it happens by itself, and no window offers it: a million words take 100 MB of memory and two tenths of a
second at the start, while letting go stops everything for as long as it lasts. `nbmail doctor` tells when it pays.

Words get new numbers by it. Whatever lives beside the store and speaks of words by number (a vocabulary, a model, an
array of word ids) is void afterwards and must be loaded anew; `settings` counts it as "numbering".
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.sample import IntArray, LongArray
from nbmail.store.files.connection import Row
from nbmail.store.files.row_values import packed, unpacked
from nbmail.store.store import Store

_PIECE = 2000

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LetGo:
    """How many words went, and how many stay."""

    gone: int
    kept: int


@dataclass(frozen=True, slots=True)
class Renumbering:
    """Which words stay, and every word's new number (nonsense for those that go)."""

    stays: BoolArray
    numbers: IntArray

    @classmethod
    def keeping(cls, stays: BoolArray) -> Renumbering:
        """New numbers in the old order, so that sorted samples stay sorted."""
        return cls(stays, (np.cumsum(stays) - 1).astype(np.int32))


def let_go(store: Store, before: float) -> LetGo:
    """Let go of words that only one message holds, if that is dated before this moment; all or nothing.

    Takes about 30 s for 1,000,000 messages, and as much room on the disk again while it lasts. The model has to be
    folded anew afterwards.
    """
    vocabulary = store.words.vocabulary
    with store.transaction():
        store.words.write()
        stays = ~_lone(store, len(vocabulary), before) | _imported(store, len(vocabulary))
        gone = int(np.count_nonzero(~stays))
        if gone:
            _renumber(store, Renumbering.keeping(stays))
            store.connection.when_committed(store.tidy)
    return LetGo(gone, len(stays) - gone)


def _lone(store: Store, size: int, before: float) -> BoolArray:
    """Words that at most one message holds, and none from this moment on."""
    holders, newest = np.zeros(size, np.int64), np.full(size, -np.inf)
    for rows in _samples(store):
        words = np.concatenate([unpacked(row[2]) for row in rows])
        dates = np.repeat([row[1] for row in rows], [len(row[2]) // 4 for row in rows])
        holders += np.bincount(words, minlength=size)
        np.maximum.at(newest, words, dates)
    lone: BoolArray = (holders <= 1) & (newest < before)
    return lone


def _imported(store: Store, size: int) -> BoolArray:
    """Words that an imported model counts: its counts can't be derived from any message."""
    found = np.zeros(size, bool)
    for documents, corrections in store.connection.rows("SELECT documents, corrections FROM base_classes"):
        for stored in (documents, corrections):
            row = _array(stored)
            found[: len(row)] |= row != 0
    return found


def _renumber(store: Store, new: Renumbering) -> None:
    store.messages.forget_latest()
    for rows in _samples(store):
        store.connection.execute_many(
            "UPDATE samples SET words = ?, occurrences = ? WHERE message = ?",
            [(*_reduced(row, new), row[0]) for row in rows],
        )
    _renumber_words(store, new)
    _renumber_counts(store, new)
    _renumber_bases(store, new)
    store.learned.forget_corrections()
    store.settings.set("learned", {})
    store.settings.set("settled", False)
    store.settings.set("numbering", int(store.settings.get("numbering", 0)) + 1)


def _reduced(row: Row, new: Renumbering) -> tuple[bytes, bytes]:
    words, occurrences = unpacked(row[2]), unpacked(row[3])
    stays = new.stays[words]
    return packed(new.numbers[words[stays]]), packed(occurrences[stays])


def _renumber_words(store: Store, new: Renumbering) -> None:
    words = store.connection.rows("SELECT word FROM words ORDER BY number")
    kept = (words[number] for number in np.flatnonzero(new.stays).tolist())
    store.connection.execute("DELETE FROM words")
    store.connection.execute_many("INSERT INTO words VALUES (?, ?)", ((k, word) for k, (word,) in enumerate(kept)))
    store.words.reload()
    store.connection.when_rolled_back(store.words.reload)


def _renumber_counts(store: Store, new: Renumbering) -> None:
    """Words that go are in no other message, so their rows go whole."""
    columns = list(zip(*store.connection.rows("SELECT word, class, documents, occurrences FROM counts"), strict=True))
    if not columns:
        return
    words, *others = (np.array(column, np.int64) for column in columns)
    stays = new.stays[words]
    rows = zip(new.numbers[words[stays]].tolist(), *(one[stays].tolist() for one in others), strict=True)
    store.connection.execute("DELETE FROM counts")
    store.connection.execute_many("INSERT INTO counts VALUES (?, ?, ?, ?)", rows)


def _renumber_bases(store: Store, new: Renumbering) -> None:
    arrays = ("documents", "occurrences", "corrections")
    for base, klass, *stored in store.connection.rows(f"SELECT base, class, {', '.join(arrays)} FROM base_classes"):
        reduced = [row[new.stays[: len(row)]] for row in map(_array, stored)]
        store.connection.execute(
            "UPDATE base_classes SET documents = ?, occurrences = ?, corrections = ? WHERE base = ? AND class = ?",
            (*(zlib.compress(row.tobytes(), 1) for row in reduced), base, klass),
        )


def _samples(store: Store) -> Iterator[list[Row]]:
    """Message, date, words and occurrences of all messages, in pieces."""
    last = 0
    while rows := store.connection.rows(
        "SELECT message, date, words, occurrences FROM samples JOIN messages ON number = message"
        " WHERE message > ? ORDER BY message LIMIT ?",
        (last, _PIECE),
    ):
        last = rows[-1][0]
        yield rows


def _array(stored: Any) -> LongArray:
    return np.frombuffer(zlib.decompress(stored), "<i8")
