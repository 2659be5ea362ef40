"""Table of labels that the latest moves of other clients imply, until the user answers."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from nbmail.store.files.connection import Table


class OfferedMove(NamedTuple):
    """Message that another client moved, and the implied label.

    `certain`: it has no keyword of automatic sorting.
    """

    message: int
    account: str
    label: str
    certain: bool


class OfferedMoves(Table):
    """Offers. A journal entry of the message after `entry` answers one."""

    def add(self, offers: Iterable[OfferedMove]) -> None:
        self._connection.execute_many(
            "INSERT OR REPLACE INTO offered_moves "
            "SELECT ?, ?, ?, ?, coalesce(max(number), 0) FROM journal",
            offers,
        )

    def pending(self) -> list[OfferedMove]:
        """Return the offers without an answer, and delete the others."""
        self._connection.execute(
            "DELETE FROM offered_moves WHERE EXISTS (SELECT 1 FROM journal "
            "WHERE journal.message = offered_moves.message AND number > entry)"
        )
        rows = self._connection.rows("SELECT message, account, label, certain FROM offered_moves")
        return [
            OfferedMove(message, account, label, bool(certain))
            for message, account, label, certain in rows
        ]

    def drop(self, messages: Collection[int]) -> None:
        """Forget the labels that `MovedByOthers` offered for these messages."""
        self._connection.among("DELETE FROM offered_moves WHERE message", messages)
