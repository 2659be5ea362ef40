"""The messages that the program chose by their scores and asked about, as far as they were then labelled."""

from collections.abc import Iterable

from nbmail.store.files.connection import Connection, listed


class AskedMessages:
    """Remembers them, whatever becomes of their labels: what was chosen by its score says less about the mailbox."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def among(self, messages: Iterable[int]) -> set[int]:
        """Those of the messages that were asked about."""
        rows = self._connection.rows(
            "SELECT message FROM asked WHERE message IN (SELECT value FROM json_each(?))", (listed(messages),)
        )
        return {message for (message,) in rows}

    def latest(self, most: int) -> list[int]:
        """Those that are labelled, the last in the order of the labels first."""
        rows = self._connection.rows(
            "SELECT message FROM asked JOIN labels USING (message) ORDER BY position DESC LIMIT ?", (most,)
        )
        return [message for (message,) in rows]

    def note(self, messages: Iterable[int]) -> None:
        self._connection.execute_many("INSERT OR IGNORE INTO asked VALUES (?)", ((message,) for message in messages))
