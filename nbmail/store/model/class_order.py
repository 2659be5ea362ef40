"""The order of the classes, which a model's arrays have by row.

What a method learned beside the counts may speak of classes by row, so a model must come back with its classes in
the order in which it met them: those of the imported base first, as they stood there.
"""

from __future__ import annotations

import json
from typing import Any

from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable


class ClassOrder:
    """Names of the classes that a model has, in order."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    def names(self) -> list[str]:
        """Classes of the base in use, then as the model last had them, then those that hold messages otherwise.

        Only classes that have a number: a file with a name too many must not keep the home closed.
        """
        rows = self._connection.rows("SELECT name, messages FROM classes ORDER BY number")
        met = [name for name, messages in rows if messages > 0]
        base = self.of_base(int(self._settings.get("base", 0)))
        known = {name for name, _ in rows}
        wanted = dict.fromkeys([*base, *self._settings.get("classes", []), *met])
        return [name for name in wanted if name in known]

    def numbers(self) -> list[int]:
        """Their numbers."""
        known: dict[str, int] = dict(self._connection.rows("SELECT name, number FROM classes"))
        return [known[name] for name in self.names()]

    def of_base(self, base: int) -> list[str]:
        """The classes of an imported base as they stood there."""
        learned = self._connection.value("SELECT learned FROM bases WHERE number = ?", (base,))
        found: dict[str, Any] = json.loads(learned) if learned else {}
        if "classes" in found:
            return [str(name) for name in found["classes"]]
        rows = self._connection.rows(
            "SELECT name FROM base_classes JOIN classes ON number = class WHERE base = ? ORDER BY class", (base,)
        )
        return [name for (name,) in rows]

    def write(self, names: list[str]) -> None:
        """Keep the order in which a model has them."""
        if names != self._settings.get("classes", []):
            self._settings.set("classes", names)
