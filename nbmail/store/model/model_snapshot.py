"""Snapshot of the model, which saves a rebuild at the next start."""

import logging
from collections.abc import Generator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbmail.core.methods.method import MethodFactory
from nbmail.core.scoring.model import Model
from nbmail.errors import KnownError
from nbmail.store.model.array_file import map_file, parse, writing
from nbmail.store.model.fingerprint import fingerprint
from nbmail.store.model.model_arrays import pack, unpack
from nbmail.store.model.model_rebuild import ModelRebuild
from nbmail.store.tables import Tables

_log = logging.getLogger(__name__)


class ModelSnapshot:
    """File of the model at a journal entry, with a stamp of what the model was made from.

    It fits if it has this method, these samples and imported counts, and the first of these labels.
    """

    def __init__(self, path: Path, tables: Tables) -> None:
        self._path = path
        self._tables = tables
        # Stamp of the file, empty if unknown.
        self._stamp: Mapping[str, Any] = {}
        self._fingerprints: dict[str, str] = {}

    @property
    def entry(self) -> int:
        """The last journal entry in the file, 0 if unknown."""
        return int(self._stamp.get("line", 0))

    def write(self, model: Model) -> Generator[None, None, None]:
        """Write an exact model in chunks, unless the file has it.

        If the disk refuses, the next start needs a rebuild.
        """
        stamp = self._current_stamp(model.factory)
        if self._stamp == stamp:
            return
        about, arrays = pack(model.content())
        about["stamp"] = stamp
        yield
        try:
            yield from writing(self._path, about, arrays)
        except KnownError as error:
            _log.info("no snapshot of the model: %s", error)
        else:
            self._stamp = stamp

    def delete(self) -> None:
        """Delete the file, so that the next start rebuilds the model."""
        self._stamp = {}
        with suppress(FileNotFoundError):
            self._path.unlink()

    def rebuilding(self, model: Model) -> Generator[None, None, ModelRebuild | None]:
        """Load the file into an empty model and learn the later labels; None if it doesn't fit."""
        found = yield from parse(map_file(self._path) or b"")
        if found is None:
            return None
        stamp = found.about["stamp"]
        if not self._fits(stamp, model.factory):
            return None
        rebuild = ModelRebuild(model, self._tables, unpack(found), stamp["position"])
        self._stamp = stamp
        while model.is_exact and rebuild.advance():
            yield
        if not model.is_exact or rebuild.is_obsolete:
            return None
        return rebuild

    def _fits(self, stamp: Mapping[str, Any], method: MethodFactory) -> bool:
        """True if the labels that a snapshot has learned are unchanged."""
        journal = self._tables.journal
        return (
            stamp["baseline"] == list(self._tables.baseline)
            and stamp["fingerprint"] == self._fingerprint(method)
            and journal.last_entry() >= stamp["line"]
            and journal.entry_mark(stamp["line"]) == stamp["mark"]
            and not journal.touches(stamp["line"], stamp["position"])
        )

    def _current_stamp(self, method: MethodFactory) -> dict[str, Any]:
        line = self._tables.journal.last_entry()
        return {
            "line": line,
            "mark": self._tables.journal.entry_mark(line),
            "position": self._tables.labels.last_position(),
            "baseline": list(self._tables.baseline),
            "fingerprint": self._fingerprint(method),
        }

    def _fingerprint(self, method: MethodFactory) -> str:
        if method.text not in self._fingerprints:
            self._fingerprints[method.text] = fingerprint(method)
        return self._fingerprints[method.text]
