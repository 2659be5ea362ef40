"""Small settings that belong to the labels and the model, such as the costs and whether the model is settled."""

import json
from typing import Any

from nbmail.store.files.connection import Connection


class SettingsTable:
    """JSON values by name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, name: str, default: Any = None) -> Any:
        found = self._connection.value("SELECT value FROM settings WHERE name = ?", (name,))
        return default if found is None else json.loads(found)

    def set(self, name: str, value: Any) -> None:
        """Keep the value; joins a transaction under way."""
        self._connection.execute(
            "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, json.dumps(value)),
        )
