"""People: the senders of stored mail."""

from nbmail.store.files.connection import Connection


class People:
    """Queries about senders."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def senders_like(self, messages: range, address: str, before: float) -> set[str]:
        """Return the senders of messages before a date that contain an address, in lower case, or end with it."""
        rows = self._connection.rows(
            "SELECT DISTINCT sender FROM messages"
            " WHERE number >= ? AND number < ? AND date < ? AND instr(lower(sender), ?)",
            (messages.start, messages.stop, before, address),
        )
        return {sender for (sender,) in rows}
