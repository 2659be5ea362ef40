"""Imported counts, on top of which labels are learned, and the packing of models for files and database rows."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.counts import Counts
from nbmail.core.scoring.calibration import HeldOut
from nbmail.core.scoring.held_out_scores import NEVER
from nbmail.core.scoring.model import LearnedTables, ModelContent
from nbmail.store.files.array_file import AnyArray, Arrays, chunks, parse
from nbmail.store.files.connection import Connection, SettingsTable

_CURRENT = "base"
"""Setting with the number of the imported counts in use."""
_KINDS = {"documents": "<i4", "occurrences": "<i8", "corrections": "<i8"}


def pack(content: ModelContent) -> tuple[dict[str, Any], dict[str, list[AnyArray]]]:
    """Return a description and the arrays of a model. Tables lose their empty columns at the end."""
    counts, learned = content.counts, content.learned
    tables: dict[str, AnyArray] = {
        "documents": counts.documents,
        "occurrences": counts.occurrences,
        "corrections": learned.corrections,
    }
    widths = {name: _used(np.asarray(table.any(axis=0))) if len(table) else 0 for name, table in tables.items()}
    about = {
        "classes": counts.classes,
        "messages": counts.messages,
        "measures": counts.measures,
        "widths": widths,
        "method": learned.method,
        "folded": learned.cross_validated,
    }
    arrays: dict[str, list[AnyArray]] = {
        name: [np.ascontiguousarray(table[:, : widths[name]], np.dtype(_KINDS[name])).ravel()]
        for name, table in tables.items()
    }
    arrays["scores"] = [np.asarray(learned.held_out.scores, np.float64)]
    arrays["junk"] = [np.asarray(learned.held_out.junk, np.uint8)]
    arrays["asked"] = [np.asarray(learned.held_out.asked, np.uint8)]
    return about, arrays


def unpack(found: Arrays) -> ModelContent:
    """Return the model that `pack` packed."""
    about, arrays = found.about, found.arrays
    widths: Mapping[str, int] = about["widths"]
    classes: Sequence[str] = about["classes"]
    documents, occurrences = (arrays[name].reshape(len(classes), widths[name]) for name in ("documents", "occurrences"))
    counts = Counts.build(classes, about["messages"], documents, occurrences, about["measures"])
    width = widths["corrections"]
    corrections = arrays["corrections"].reshape(-1, width) if width else np.zeros((len(classes), 0), np.int64)
    # Models of older versions have no array of requested labels.
    asked = arrays.get("asked", np.zeros_like(arrays["junk"]))
    held_out = HeldOut(arrays["scores"], arrays["junk"] != 0, asked != 0)
    learned = LearnedTables(corrections, held_out, about["method"], about.get("folded", NEVER))
    return ModelContent(counts, learned)


def to_bytes(content: ModelContent) -> bytes:
    """Pack a model for a database row."""
    packer = zlib.compressobj(1)
    return b"".join([*map(packer.compress, chunks(*pack(content))), packer.flush()])


def from_bytes(stored: bytes) -> ModelContent:
    """Return the model of a database row."""
    found = drain(parse(zlib.decompress(stored)))
    if found is None:
        raise ValueError("an imported model in the database is damaged")
    content = unpack(found)
    # The messages of imported counts are in another data folder.
    return ModelContent(content.counts, replace(content.learned, cross_validated=NEVER))


def _used(filled: AnyArray) -> int:
    """Return the number of columns up to the last that is not zero."""
    places = np.flatnonzero(filled)
    return int(places[-1]) + 1 if len(places) else 0


class ImportedCounts:
    """Table of all imported counts, each merged with those before it. One of them, or none, is in use."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    @property
    def current(self) -> int:
        return int(self._settings.get(_CURRENT, 0))

    def at(self, moment: float, before: int, after: int) -> int:
        """Return the number of the imported counts that were in use then, except for imports that were undone later.

        `before` and `after` are undo steps. The moment decides only among the imports between them.
        """
        imports = self._connection.rows(
            "SELECT number, moment, base_before, base_after FROM steps"
            " WHERE base_after IS NOT NULL AND state = 'done' ORDER BY number"
        )
        first = int(imports[0][2]) if imports else self.current
        then = (base for step, when, _, base in reversed(imports) if step < after and (step < before or when <= moment))
        return int(next(then, first))

    def load(self, number: int | None = None) -> ModelContent:
        """Return imported counts, by default the current; empty ones if there are none."""
        wanted = self.current if number is None else number
        stored = self._connection.value("SELECT content FROM bases WHERE number = ?", (wanted,))
        return from_bytes(stored) if stored else ModelContent.nothing()

    def sources(self) -> tuple[str, ...]:
        """Return the fingerprints of all imported files in use."""
        found = self._connection.value("SELECT sources FROM bases WHERE number = ?", (self.current,))
        return tuple(json.loads(found)) if found else ()

    def add(self, content: ModelContent, moment: float, sources: Sequence[str] = ()) -> int:
        """Store imported counts. Return their number."""
        new = "INSERT INTO bases (moment, sources, content) VALUES (?, ?, ?) RETURNING number"
        return int(self._connection.value(new, (moment, json.dumps(sources), to_bytes(content))))

    def use(self, number: int) -> None:
        self._settings.set(_CURRENT, number)
