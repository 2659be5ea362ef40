"""Table of messages whose labels active learning requested by score."""

from collections.abc import Iterable

from nbmail.store.files.connection import Table


class AskedMessages(Table):
    """Messages that are no random sample, even if their label changes."""

    def among(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the requested ones of these messages."""
        return self._connection.column_among("SELECT message FROM asked WHERE message", messages)

    def latest(self, most: int) -> list[int]:
        """Return labelled ones, the last in learning order first."""
        return self._connection.column(
            "SELECT message FROM asked JOIN labels USING (message) ORDER BY position DESC LIMIT ?",
            (most,),
        )

    def note(self, messages: Iterable[int]) -> None:
        self._connection.execute_many(
            "INSERT OR IGNORE INTO asked VALUES (?)", ((message,) for message in messages)
        )
