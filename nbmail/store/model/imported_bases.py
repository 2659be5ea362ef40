"""Imported models: what is known beside the labels."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import LongArray
from nbmail.core.judging.model import Learned
from nbmail.core.methods.names import DEFAULT
from nbmail.store.files.connection import Connection
from nbmail.store.files.row_values import storable
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.labels import Labels
from nbmail.store.model.class_order import ClassOrder
from nbmail.store.model.counts_table import CountsTable
from nbmail.store.model.learned import nothing_learned

_HELD_OUT = [("score", "<f8"), ("junk", "u1")]


class Bases:
    """The counts are always the current base plus the sum over all labels."""

    def __init__(
        self,
        connection: Connection,
        settings: SettingsTable,
        labels: Labels,
        counts: CountsTable,
        order: ClassOrder,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._labels = labels
        self._counts = counts
        self._order = order

    @property
    def current(self) -> int:
        """The number of the base in use, 0 without one."""
        return int(self._settings.get("base", 0))

    def at(self, moment: float) -> int:
        """The number of the base that was in use at that moment, as far as imports were not undone since."""
        imports = self._connection.rows(
            "SELECT moment, base_before, base_after FROM steps"
            " WHERE base_after IS NOT NULL AND state = 'done' ORDER BY number"
        )
        number = int(imports[0][1]) if imports else self.current
        return int(next((after for when, _, after in reversed(imports) if when <= moment), number))

    def load(self, number: int | None = None) -> tuple[Counts, Learned]:
        """A base, the current one unless told otherwise, with the classes it has."""
        wanted = self.current if number is None else number
        return self._with_classes(wanted, self._order.of_base(wanted))

    def start(self) -> tuple[Counts, Learned]:
        """The current base with all classes there are, in their order: what a fold of the labels starts from."""
        return self._with_classes(self.current, self._order.names())

    def sources(self) -> tuple[str, ...]:
        """What the base in use was made of: the fingerprints of all that was imported."""
        found = self._connection.value("SELECT learned FROM bases WHERE number = ?", (self.current,))
        return tuple(json.loads(found).get("sources", ())) if found else ()

    def keep(self, counts: Counts, learned: Learned, moment: float, sources: Sequence[str] = ()) -> int:
        """Store a base; its number."""
        held_out = np.zeros(len(learned.held_out_scores), _HELD_OUT)
        held_out["score"], held_out["junk"] = learned.held_out_scores, learned.held_out_junk
        classes = [storable(name) for name in counts.classes]
        about = {"classes": classes, "method": learned.method or DEFAULT, "sources": sources}
        number = self._connection.insert(
            "INSERT INTO bases (moment, learned, held_out) VALUES (?, ?, ?)",
            (moment, json.dumps(about), zlib.compress(held_out.tobytes(), 1)),
        )
        for row, name in enumerate(counts.classes):
            corrections = learned.corrections[row] if row < len(learned.corrections) else np.zeros(0, np.int64)
            self._connection.execute(
                "INSERT INTO base_classes VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    number,
                    self._labels.number(name),
                    counts.messages[row],
                    _compressed(counts.documents[row]),
                    _compressed(counts.occurrences[row]),
                    _compressed(corrections),
                    json.dumps(counts.measures[row]),
                ),
            )
        return number

    def use(self, number: int) -> None:
        """Make this the current base: its counts in, those of the one before out."""
        self._change(self.current, -1)
        self._change(number, 1)
        self._settings.set("base", number)

    def _change(self, number: int, sign: int) -> None:
        if not number:
            return
        counts, _ = self._with_classes(number, self._order.of_base(number))
        for row, name in enumerate(counts.classes):
            klass, words = self._labels.number(name), np.flatnonzero(counts.documents[row])
            measures = [[sign * part for part in one] for one in counts.measures[row]]
            self._counts.change_class(klass, sign * counts.messages[row], measures)
            documents, occurrences = counts.documents[row][words], counts.occurrences[row][words]
            self._counts.change_words(klass, words, sign * documents.astype(np.int64), sign * occurrences)

    def _with_classes(self, number: int, names: list[str]) -> tuple[Counts, Learned]:
        rows = self._connection.rows(
            "SELECT name, base_classes.messages, measures, documents, occurrences, corrections"
            " FROM base_classes JOIN classes ON number = class WHERE base = ?",
            (number,),
        )
        empty = zlib.compress(b"")
        found = {name: others for name, *others in rows}
        ordered = [found.get(name, [0, "[]", empty, empty, empty]) for name in names]
        documents, occurrences, corrections = (_stacked([row[place] for row in ordered]) for place in (2, 3, 4))
        measures = [json.loads(row[1]) for row in ordered]
        counts = Counts.build(names, [row[0] for row in ordered], documents, occurrences, measures)
        return counts, self._learned(number, corrections)

    def _learned(self, number: int, corrections: LongArray) -> Learned:
        row = self._connection.row("SELECT learned, held_out FROM bases WHERE number = ?", (number,))
        if row is None:
            return nothing_learned()
        about, held_out = json.loads(row[0]), np.frombuffer(zlib.decompress(row[1]), _HELD_OUT)
        scores, junk = held_out["score"].copy(), held_out["junk"] != 0
        return Learned(corrections, scores, junk, about.get("method", DEFAULT))


def _compressed(row: Any) -> bytes:
    return zlib.compress(np.trim_zeros(np.asarray(row, "<i8"), "b").tobytes(), 1)


def _stacked(stored: Sequence[bytes]) -> LongArray:
    rows = [np.frombuffer(zlib.decompress(one), "<i8") for one in stored]
    table = np.zeros((len(rows), max((len(row) for row in rows), default=0)), np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table
