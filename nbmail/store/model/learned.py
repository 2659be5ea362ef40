"""The model on the disk: counts as the labels make them, and what a method learned beside them.

A mark changes corrections of the marked message's own words only, so a mark writes those and the last piece of the
held-out scores; a fold of all labels writes everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import IntArray, LongArray, Sample
from nbmail.core.judging.model import Learned, Model, Step
from nbmail.store.files.connection import Connection
from nbmail.store.files.many_rows import write_many
from nbmail.store.files.row_values import packed, unpacked
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.labels import Labels
from nbmail.store.model.class_order import ClassOrder
from nbmail.store.model.counts_table import CountsTable
from nbmail.store.model.method_fingerprint import fingerprint

_PIECE = 1024
# Where more words are touched than these, and more than this part of all, one blob with all is quicker than rows.
_MANY, _PART = 4096, 8
_NONE = np.zeros(0, np.int32)


class LearnedTable:
    """Keeps a model and brings it back."""

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
        self._fingerprints: dict[str, str] = {}
        # What `held_out` is known to hold, None while that isn't known.
        self._pieces: list[tuple[bytes, bytes]] | None = None
        # What `corrections` is known to hold, by class, None while that isn't known: a mark changes few words or none.
        self._written: dict[int, LongArray] | None = None

    def load(self, model: Model, counts: Counts | None = None) -> None:
        """Bring the model to where the last transaction left it. `settled` tells whether it must be folded anew.

        `counts` are those on the disk, where they were read already.
        """
        counts = counts or self._counts.load()
        known = self.is_current(model.method)
        learned = self.kept(counts.classes) if known else nothing_learned()
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
        self.write_words(model, np.unique(np.concatenate([_NONE, *(sample.words for sample in samples)])))

    def write_words(self, model: Model, words: IntArray) -> None:
        """Keep what learning or unlearning messages with these words, each once and in rising order, changed."""
        if len(words) > max(_MANY, model.counts.width // _PART):
            learned = model.keep()
            self._write_corrections(model, learned.corrections)
            self._remember(model.counts.classes, learned.corrections)
        else:
            learned = model.keep(words)
            self._write_touched_corrections(model, learned.corrections, words)
        self._write_rest(model, learned)

    def write_counted(self, model: Model) -> None:
        """Keep that a fold must follow on what was only counted; what was learned before stays as it is.

        So does who learned it: what another method left is not this one's.
        """
        self._order.write(model.counts.classes)
        if self._settings.get("method") is None:
            self._settings.set("method", model.method)
            self._settings.set("fingerprint", self._fingerprint(model.method))
        self._settings.set("settled", False)

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
        """Write a column of corrections for each word. A zero too: it takes the place of what the latest fold said."""
        self._connection.when_rolled_back(self._forget_written)
        rows = dict(zip(model.counts.classes, corrections, strict=False))
        # A class that has lost its last message has no row any more.
        nothing = np.zeros(len(words), np.int64)
        for klass, name in self._connection.rows("SELECT number, name FROM classes"):
            mine, values = self._changed(klass, words, rows.get(name, nothing))
            pairs = np.stack([mine.astype(np.int64), values], axis=1).ravel().tolist()
            write_many(self._connection, "INSERT OR REPLACE INTO corrections", f"(?, {klass:d}, ?)", pairs)

    def _remember(self, classes: Sequence[str], corrections: LongArray) -> None:
        numbers = [self._labels.number(name) for name in classes]
        self._written = {klass: np.array(row) for klass, row in zip(numbers, corrections, strict=False)}

    def _forget_written(self) -> None:
        self._written = None

    def _changed(self, klass: int, words: IntArray, values: LongArray) -> tuple[IntArray, LongArray]:
        """Those of the words whose correction isn't what the disk holds; from now on it is taken to be."""
        if self._written is None:
            return words, values
        written = _at_least(self._written.get(klass, np.zeros(0, np.int64)), int(words.max(initial=-1)) + 1)
        changed = values != written[words]
        written[words] = values
        self._written[klass] = written
        return words[changed], values[changed]

    def _fingerprint(self, method: str) -> str:
        if method not in self._fingerprints:
            self._fingerprints[method] = fingerprint(method)
        return self._fingerprints[method]

    def _write_rest(self, model: Model, learned: Learned) -> None:
        self._write_held_out(learned)
        self._settings.set("learned", learned.small)
        self._order.write(model.counts.classes)
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


def _at_least(row: LongArray, width: int) -> LongArray:
    return row if len(row) >= width else np.pad(row, (0, width - len(row)))


def _piece(scores: Any, junk: Any, first: int) -> tuple[bytes, bytes]:
    part = slice(first, first + _PIECE)
    return scores[part].tobytes(), junk[part].tobytes()


def nothing_learned() -> Learned:
    """What a model that has learned nothing keeps."""
    return Learned(np.zeros((0, 0), np.int64), np.zeros(0), np.zeros(0, bool))
