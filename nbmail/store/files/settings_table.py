"""Table of settings of labels and model."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeVar

from nbmail.store.files.connection import Table

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Setting = TypeVar("Setting", bound=Json)


class SettingsTable(Table):
    """JSON values by name."""

    def get(self, name: str, default: Setting) -> Setting:
        """Return a stored value, which has the type of `default` (tuples are stored as lists)."""
        found = self._connection.value("SELECT value FROM settings WHERE name = ?", (name,))
        return default if found is None else json.loads(found)

    def set(self, name: str, value: Json) -> None:
        """Store a value. Joins a transaction in progress."""
        self._connection.execute(
            "INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value))
        )
