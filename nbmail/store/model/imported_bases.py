"""Imported models: what is known beside the labels, which are learned on top of the one in use."""

import json
from collections.abc import Sequence

from nbmail.core.scoring.model import ModelContent
from nbmail.store.files.connection import Connection, SettingsTable
from nbmail.store.model.packed_model import from_bytes, to_bytes

_CURRENT = "base"


class ImportedCounts:
    """All models that were ever imported, each merged with those before it; one of them, or none, is in use."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    @property
    def current(self) -> int:
        return int(self._settings.get(_CURRENT, 0))

    def at(self, moment: float, before: int, after: int) -> int:
        """The number of the base that was in use then, as far as imports were not undone since.

        That is between the steps `before` and `after`; only among those that stand between these the moment decides.
        """
        imports = self._connection.rows(
            "SELECT number, moment, base_before, base_after FROM steps"
            " WHERE base_after IS NOT NULL AND state = 'done' ORDER BY number"
        )
        first = int(imports[0][2]) if imports else self.current
        then = (base for step, when, _, base in reversed(imports) if step < after and (step < before or when <= moment))
        return int(next(then, first))

    def load(self, number: int | None = None) -> ModelContent:
        """A base, the current one unless told otherwise; one of nothing where there is none."""
        wanted = self.current if number is None else number
        stored = self._connection.value("SELECT content FROM bases WHERE number = ?", (wanted,))
        return from_bytes(stored) if stored else ModelContent.nothing()

    def sources(self) -> tuple[str, ...]:
        """What the base in use was made of: the fingerprints of all that was imported."""
        found = self._connection.value("SELECT sources FROM bases WHERE number = ?", (self.current,))
        return tuple(json.loads(found)) if found else ()

    def keep(self, content: ModelContent, moment: float, sources: Sequence[str] = ()) -> int:
        """Store a base; its number."""
        kept = "INSERT INTO bases (moment, sources, content) VALUES (?, ?, ?) RETURNING number"
        return int(self._connection.value(kept, (moment, json.dumps(sources), to_bytes(content))))

    def use(self, number: int) -> None:
        self._settings.set(_CURRENT, number)
