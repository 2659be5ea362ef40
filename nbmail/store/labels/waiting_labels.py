"""Labels handed in for messages that aren't known yet: each is given when its message comes."""

from collections.abc import Iterable, Mapping

from nbmail.store.files.connection import Connection
from nbmail.store.files.row_values import storable


class WaitingLabels:
    """Labels by the identities of messages to come."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __len__(self) -> int:
        """How many wait."""
        return int(self._connection.value("SELECT count(*) FROM waiting_labels"))

    def keep(self, labels: Mapping[bytes, str]) -> None:
        """Let these wait, in place of others for the same messages."""
        self._connection.execute_many(
            "INSERT OR REPLACE INTO waiting_labels VALUES (?, ?)",
            ((identity, storable(label)) for identity, label in labels.items()),
        )

    def take(self, identities: Iterable[bytes]) -> dict[bytes, str]:
        """The labels of these messages, which have come: they wait no longer."""
        found: dict[bytes, str] = {}
        if self._connection.value("SELECT 1 FROM waiting_labels LIMIT 1"):
            for identity in identities:
                rows = self._connection.rows(
                    "DELETE FROM waiting_labels WHERE identity = ? RETURNING identity, label", (identity,)
                )
                found.update(rows)
        return found
