"""Table of imported counts."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace

from nbmail.chunks import drain
from nbmail.core.calibration.held_out_scores import NEVER
from nbmail.core.scoring.model_content import ModelContent
from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.model.array_file import chunks, parse
from nbmail.store.model.model_arrays import pack, unpack

# Setting with the number of the imported counts in use.
_CURRENT = "base"


class ImportedCounts:
    """Imported counts, each merged with those before it. One of them, or none, is in use."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    @property
    def current(self) -> int:
        return int(self._settings.get(_CURRENT, 0))

    def load(self) -> ModelContent:
        """Return the imported counts in use; empty ones if there are none."""
        stored = self._connection.value(
            "SELECT content FROM bases WHERE number = ?", (self.current,)
        )
        if not stored:
            return ModelContent.of()
        found = drain(parse(zlib.decompress(stored)))
        if found is None:
            raise ValueError("an imported model in the database is damaged")
        # The messages of imported counts are in another data folder.
        return replace(unpack(found), cross_validated=NEVER)

    def sources(self) -> tuple[str, ...]:
        found = self._connection.value(
            "SELECT sources FROM bases WHERE number = ?", (self.current,)
        )
        return tuple(json.loads(found)) if found else ()

    def add(self, content: ModelContent, moment: float, sources: Sequence[str] = ()) -> int:
        """Store imported counts. Return their number."""
        about, arrays = pack(content)
        packer = zlib.compressobj(1)
        packed = [packer.compress(chunk) for chunk in chunks(about, arrays)]
        packed.append(packer.flush())
        return self._connection.number(
            "INSERT INTO bases (moment, sources, content) VALUES (?, ?, ?) RETURNING number",
            (moment, json.dumps(sources), b"".join(packed)),
        )

    def use(self, number: int) -> None:
        self._settings.set(_CURRENT, number)
