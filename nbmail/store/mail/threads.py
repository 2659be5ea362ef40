"""Threads: messages that answer each other, by the names that `core.reading.people.thread_of` returns."""

from collections.abc import Mapping, Sequence

from nbmail.store.files.connection import Connection

# Messages of a thread that are listed.
_MOST = 100
_SAME = "SELECT name FROM threads WHERE message"


class Threads:
    """Table of the threads of messages."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, threads: Mapping[int, Sequence[bytes]]) -> None:
        """Store the threads of messages. One without a name gets an empty one."""
        rows = ((message, name) for message, names in threads.items() for name in names or (b"",))
        self._connection.execute_many("INSERT OR IGNORE INTO threads VALUES (?, ?)", rows)

    def missing(self, limit: int) -> list[int]:
        """Return some messages without a stored thread, the newest first."""
        missing = "number NOT IN (SELECT message FROM threads)"
        rows = self._connection.rows(
            f"SELECT number FROM messages WHERE {missing} ORDER BY number DESC LIMIT ?", (limit,)
        )
        return [number for (number,) in rows]

    def messages(self, message: int) -> list[tuple[int, str, float]]:
        """Return number, sender and date of the latest messages of a thread that have a location, oldest first.

        A message belongs to it if it has a name in common with this one, or with one that has.
        """
        near = f"SELECT message FROM threads WHERE name <> x'' AND name IN ({_SAME} = ?1)"
        far = f"SELECT message FROM threads WHERE name <> x'' AND name IN ({_SAME} IN ({near}))"
        rows = self._connection.rows(
            f"SELECT number, sender, date FROM messages WHERE number IN ({far})"
            " AND EXISTS (SELECT 1 FROM locations WHERE locations.message = number) ORDER BY date DESC, number DESC"
            " LIMIT ?2",
            (message, _MOST),
        )
        return [(number, sender, date) for number, sender, date in reversed(rows)]
