"""The model on the disk: counts as the labels make them, and what a method learned beside them.

A mark changes corrections of the marked message's own words only, so a mark writes those and the last piece of the
held-out scores; a fold of all labels writes everything.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nbmail.core.counts import Counts
from nbmail.core.model import Learned, Model, Step
from nbmail.core.sample import IntArray, LongArray, Sample
from nbmail.store.connection import Connection
from nbmail.store.counts_table import CountsTable
from nbmail.store.fingerprint import fingerprint
from nbmail.store.labels import Labels
from nbmail.store.settings_table import SettingsTable
from nbmail.store.text import packed, unpacked

_PIECE = 1024


class LearnedTable:
    """Keeps a model and brings it back."""

    def __init__(self, connection: Connection, settings: SettingsTable, labels: Labels, counts: CountsTable) -> None:
        self._connection = connection
        self._settings = settings
        self._labels = labels
        self._counts = counts
        self._fingerprints: dict[str, str] = {}
        # What `held_out` is known to hold, None while that isn't known.
        self._pieces: list[tuple[bytes, bytes]] | None = None
        # What `corrections` is known to hold, by class, None while that isn't known: a mark changes few words or none.
        self._written: dict[int, LongArray] | None = None

    def load(self, model: Model) -> None:
        """Bring the model to where the last transaction left it. `settled` tells whether it must be folded anew."""
        counts = self._counts.load()
        known = self.is_current(model.method)
        learned = self.kept(counts.classes) if known else Learned(*_nothing())
        if known:
            self._remember(counts.classes, learned.corrections)
        else:
            self._forget_written()
        model.restore(counts, learned)
        model.settled = model.settled and known and bool(self._settings.get("settled", True))

    def is_current(self, method: str) -> bool:
        """Whether what is kept was learned by this method as this program has it."""
        kept = self._settings.get("method")
        return kept is None or (kept, self._settings.get("fingerprint")) == (method, self._fingerprint(method))

    def write_touched(self, model: Model, samples: Iterable[Sample]) -> None:
        """Keep what learning or unlearning these samples changed."""
        learned = model.keep()
        words = [sample.words for sample in samples]
        if words and learned.corrections.size:
            self._write_touched_corrections(model, learned.corrections, np.unique(np.concatenate(words)))
        self._write_rest(model, learned)

    def write_fold(self, model: Model, steps: Iterable[tuple[int, Step]]) -> None:
        """Keep a model that was folded anew from all labels; `steps` holds what learning each message gave back."""
        learned = model.keep()
        with self._connection.transaction():
            self._pieces = None
            self._write_corrections(model, learned.corrections)
            self._remember(model.counts.classes, learned.corrections)
            self._labels.put_steps(steps)
            self._write_rest(model, learned)

    def kept(self, classes: Sequence[str]) -> Learned:
        """What is on the disk, with a row of corrections for each of these classes."""
        layers = [self._corrections_of(self._labels.number(name)) for name in classes]
        width = max((int(words.max(initial=-1)) for layer in layers for words, _ in layer), default=-1) + 1
        corrections = np.zeros((len(classes), width), np.int64)
        for row, layer in zip(corrections, layers, strict=True):
            for words, values in layer:
                row[words] = values
        pieces = self._connection.rows("SELECT scores, junk FROM held_out ORDER BY piece")
        scores = np.frombuffer(b"".join(piece for piece, _ in pieces), "<f8").copy()
        junk = np.frombuffer(b"".join(piece for _, piece in pieces), np.uint8) != 0
        return Learned(corrections, scores, junk, self._settings.get("learned", {}))

    def forget_corrections(self) -> None:
        """Drop them all: the words have new numbers, or a fold brings new ones."""
        self._written = None
        self._connection.execute("DELETE FROM corrections")
        self._connection.execute("DELETE FROM folded_corrections")

    def _corrections_of(self, klass: int) -> list[tuple[IntArray, LongArray]]:
        """A class's words and values: those of the latest fold, then those that marks changed since."""
        folded = self._connection.rows('SELECT words, "values" FROM folded_corrections WHERE class = ?', (klass,))
        since = self._connection.rows("SELECT word, value FROM corrections WHERE class = ?", (klass,))
        words, values = zip(*since, strict=True) if since else ((), ())
        layers = [(unpacked(words), np.frombuffer(stored, "<i8")) for words, stored in folded]
        return [*layers, (np.array(words, np.int32), np.array(values, np.int64))]

    def _write_corrections(self, model: Model, corrections: LongArray) -> None:
        self._connection.when_rolled_back(self._forget_written)
        self.forget_corrections()
        for name, row in zip(model.counts.classes, corrections, strict=False):
            words = np.flatnonzero(row).astype(np.int32)
            self._connection.execute(
                "INSERT INTO folded_corrections VALUES (?, ?, ?)",
                (self._labels.number(name), packed(words), np.asarray(row[words], "<i8").tobytes()),
            )

    def _write_touched_corrections(self, model: Model, corrections: LongArray, words: IntArray) -> None:
        """A zero is written too: it takes the place of what the latest fold said."""
        self._connection.when_rolled_back(self._forget_written)
        for name, row in zip(model.counts.classes, corrections, strict=False):
            klass = self._labels.number(name)
            mine = self._changed(klass, row, words)
            pairs = zip(mine.tolist(), row[mine].tolist(), strict=True)
            self._connection.execute_many(
                "INSERT OR REPLACE INTO corrections VALUES (?, ?, ?)", ((word, klass, value) for word, value in pairs)
            )

    def _remember(self, classes: Sequence[str], corrections: LongArray) -> None:
        numbers = [self._labels.number(name) for name in classes]
        self._written = {klass: np.array(row) for klass, row in zip(numbers, corrections, strict=False)}

    def _forget_written(self) -> None:
        self._written = None

    def _changed(self, klass: int, row: LongArray, words: IntArray) -> IntArray:
        """Those of the words whose correction isn't what the disk holds; from now on it is taken to be."""
        words = words[words < len(row)]
        if self._written is None:
            return words
        written = self._written.get(klass, np.zeros(0, np.int64))
        written = np.pad(written, (0, max(0, len(row) - len(written))))
        changed: IntArray = words[row[words] != written[words]]
        written[changed] = row[changed]
        self._written[klass] = written
        return changed

    def _fingerprint(self, method: str) -> str:
        if method not in self._fingerprints:
            self._fingerprints[method] = fingerprint(method)
        return self._fingerprints[method]

    def _write_rest(self, model: Model, learned: Learned) -> None:
        self._write_held_out(learned)
        self._settings.set("learned", learned.small)
        self._settings.set("method", model.method)
        self._settings.set("fingerprint", self._fingerprint(model.method))
        self._settings.set("settled", bool(model.settled))

    def _write_held_out(self, learned: Learned) -> None:
        scores, junk = np.asarray(learned.held_out_scores, "<f8"), np.asarray(learned.held_out_junk, np.uint8)
        before = self._pieces
        self._pieces = [_piece(scores, junk, first) for first in range(0, len(scores), _PIECE)]
        self._connection.when_rolled_back(self._forget_pieces)
        for number, piece in enumerate(self._pieces):
            if before is None or before[number : number + 1] != [piece]:
                self._connection.execute("INSERT OR REPLACE INTO held_out VALUES (?, ?, ?)", (number, *piece))
        if before is None or len(before) > len(self._pieces):
            self._connection.execute("DELETE FROM held_out WHERE piece >= ?", (len(self._pieces),))

    def _forget_pieces(self) -> None:
        self._pieces = None


class Bases:
    """Imported models: what is known beside the labels. The counts are the current base plus the labels' sum."""

    def __init__(self, connection: Connection, settings: SettingsTable, labels: Labels, counts: CountsTable) -> None:
        self._connection = connection
        self._settings = settings
        self._labels = labels
        self._counts = counts

    @property
    def current(self) -> int:
        """The number of the base in use, 0 without one."""
        return int(self._settings.get("base", 0))

    def load(self, number: int | None = None) -> tuple[Counts, Learned]:
        """A base, the current one unless told otherwise: what a fold of the labels starts from."""
        rows = self._connection.rows(
            "SELECT class, messages, documents, occurrences, corrections, measures FROM base_classes"
            " WHERE base = ? ORDER BY class",
            (self.current if number is None else number,),
        )
        if not rows:
            return Counts(), Learned(*_nothing())
        names, messages = [self._labels.name(row[0]) for row in rows], [row[1] for row in rows]
        documents, occurrences, corrections = (_stacked([row[place] for row in rows]) for place in (2, 3, 4))
        counts = Counts.build(names, messages, documents, occurrences, [json.loads(row[5]) for row in rows])
        small, held_out = self._rest(self.current if number is None else number)
        scores, junk = np.frombuffer(held_out, [("score", "<f8"), ("junk", "u1")])["score"], _junk(held_out)
        return counts, Learned(corrections, scores.copy(), junk, small)

    def keep(self, counts: Counts, learned: Learned, moment: float) -> int:
        """Store a base; its number."""
        held_out = np.zeros(len(learned.held_out_scores), [("score", "<f8"), ("junk", "u1")])
        held_out["score"], held_out["junk"] = learned.held_out_scores, learned.held_out_junk
        number = self._connection.insert(
            "INSERT INTO bases (moment, learned, held_out) VALUES (?, ?, ?)",
            (moment, json.dumps(learned.small), zlib.compress(held_out.tobytes(), 1)),
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
        counts, _ = self.load(number)
        for row, name in enumerate(counts.classes):
            klass, words = self._labels.number(name), np.flatnonzero(counts.documents[row])
            measures = [[sign * part for part in one] for one in counts.measures[row]]
            self._counts.change_class(klass, sign * counts.messages[row], measures)
            documents, occurrences = counts.documents[row][words], counts.occurrences[row][words]
            self._counts.change_words(klass, words, sign * documents.astype(np.int64), sign * occurrences)

    def _rest(self, number: int) -> tuple[dict[str, Any], bytes]:
        row = self._connection.row("SELECT learned, held_out FROM bases WHERE number = ?", (number,))
        return (json.loads(row[0]), zlib.decompress(row[1])) if row else ({}, b"")


def _piece(scores: Any, junk: Any, first: int) -> tuple[bytes, bytes]:
    part = slice(first, first + _PIECE)
    return scores[part].tobytes(), junk[part].tobytes()


def _junk(held_out: bytes) -> Any:
    return np.frombuffer(held_out, [("score", "<f8"), ("junk", "u1")])["junk"] != 0


def _nothing() -> tuple[LongArray, Any, Any]:
    return np.zeros((0, 0), np.int64), np.zeros(0), np.zeros(0, bool)


def _compressed(row: Any) -> bytes:
    return zlib.compress(np.trim_zeros(np.asarray(row, "<i8"), "b").tobytes(), 1)


def _stacked(stored: Sequence[bytes]) -> LongArray:
    rows = [np.frombuffer(zlib.decompress(one), "<i8") for one in stored]
    table = np.zeros((len(rows), max(len(row) for row in rows)), np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table
