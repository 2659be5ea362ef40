"""Labels handed in for messages that aren't known yet: each is given when its message comes."""

from collections.abc import Iterable
from dataclasses import dataclass

from nbmail.store.files.connection import Connection
from nbmail.store.files.row_values import storable
from nbmail.store.labels.journal import FILES, By
from nbmail.values import FolderName


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A label that was given elsewhere: by whom and when, and from which folder it was learned."""

    label: str
    moment: float
    by: By
    folder: FolderName = FILES


class WaitingLabels:
    """Labels by the identities of messages to come."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __len__(self) -> int:
        return int(self._connection.value("SELECT count(*) FROM waiting_labels"))

    def keep(self, identity: bytes, given: HandedIn) -> None:
        """Let this wait, in place of another for the same message; one that was taken away again waits no longer."""
        self._connection.execute("DELETE FROM waiting_labels WHERE identity = ?", (identity,))
        if given.label:
            row = (given.label, given.moment, given.by, given.folder.account, given.folder.folder)
            cells = (storable(cell) if isinstance(cell, str) else cell for cell in row)
            self._connection.execute("INSERT INTO waiting_labels VALUES (?, ?, ?, ?, ?, ?)", (identity, *cells))

    def take(self, identities: Iterable[bytes]) -> dict[bytes, HandedIn]:
        """The labels of these messages, which have come: they wait no longer."""
        found: dict[bytes, HandedIn] = {}
        if self._connection.value("SELECT 1 FROM waiting_labels LIMIT 1"):
            for identity in identities:
                for label, moment, by, account, folder in self._connection.rows(
                    "DELETE FROM waiting_labels WHERE identity = ? RETURNING label, moment, by, account, folder",
                    (identity,),
                ):
                    found[identity] = HandedIn(label, moment, By(by), FolderName(account, folder))
        return found
