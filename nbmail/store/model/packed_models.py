"""Models as arrays in files and database rows: imported counts, on top of which labels are learned, and snapshots."""

import hashlib
import json
import zlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Vocabulary
from nbmail.core.folders.folder_model import FolderContent, FolderModel, Uses
from nbmail.core.folders.suggestions import PastSuggestion, SuggestionLine, SuggestionLines
from nbmail.core.scoring.calibration import HeldOut
from nbmail.core.scoring.held_out_scores import NEVER
from nbmail.core.scoring.model import LearnedTables, ModelContent
from nbmail.store.files.array_file import AnyArray, Arrays, chunks, map_file, parse, writing
from nbmail.store.files.connection import Connection, SettingsTable
from nbmail.store.mail.filed_moves import Filed
from nbmail.store.mail.messages import Messages

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


# Raised when the model computes something else from the same filings.
_VERSION = 1
# The latest messages whose samples are compared.
_COMPARED = 16


class FolderState(NamedTuple):
    """Model of an account, and what it has learned, in the order of learning."""

    model: FolderModel
    filed: Filed


class FolderSnapshots:
    """Snapshots of the folder models of accounts, one file each: derived data, which saves a rebuild at the next start.

    A snapshot has the folders of each message that the model learned. It fits while the samples are the same; later
    filings are learned on top of it.
    """

    def __init__(self, folder: Path, messages: Messages) -> None:
        self._folder, self._messages = folder, messages

    def writing(self, account: str, state: FolderState) -> Generator[None, None, None]:
        """Write the snapshot in chunks."""
        content = state.model.content()
        about, arrays = pack(ModelContent(content.counts, LearnedTables(content.corrections, HeldOut.none())))
        about |= {
            "stamp": self._stamp(list(state.filed)),
            "words": content.words,
            "uses": content.uses,
            "lines": [
                [line.intercept, line.slope, line.precision] for line in (content.lines.first, content.lines.three)
            ],
            "past": content.past,
            "filed": list(state.filed.values()),
        }
        arrays["learned"] = [np.fromiter(state.filed, np.int64)]
        yield
        yield from writing(self._path(account), about, arrays)

    def reading(self, account: str, words: Vocabulary) -> Generator[None, None, FolderState | None]:
        """Return the state of the snapshot; None if there is none that fits."""
        found = yield from parse(map_file(self._path(account)) or b"")
        if found is None or found.about["stamp"] != self._stamp(found.arrays["learned"].tolist()):
            return None
        about, packed = found.about, unpack(found)
        first, three = (SuggestionLine(line[0], line[1], tuple(line[2])) for line in about["lines"])
        content = FolderContent(
            packed.counts,
            packed.learned.corrections,
            about["words"],
            {key: Uses(*uses) for key, uses in about["uses"].items()},
            SuggestionLines(first, three),
            [PastSuggestion(*each) for each in about["past"]],
        )
        filed = zip(found.arrays["learned"].tolist(), map(tuple, about["filed"]), strict=True)
        return FolderState(FolderModel.of(words, content), dict(filed))

    def delete(self, account: str) -> None:
        self._path(account).unlink(missing_ok=True)

    def _path(self, account: str) -> Path:
        return self._folder / f"folders-{hashlib.blake2b(account.encode(), digest_size=8).hexdigest()}"

    def _stamp(self, learned: Sequence[int]) -> list[Any]:
        samples = self._messages.samples(learned[-_COMPARED:])
        texts = [f"{message} {sample.words.tolist()}" for message, sample in sorted(samples.items())]
        return [_VERSION, hashlib.blake2b("\n".join(texts).encode(), digest_size=8).hexdigest()]
