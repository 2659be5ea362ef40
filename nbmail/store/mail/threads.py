"""Table of threads: messages that answer each other."""

from collections.abc import Iterable, Mapping, Sequence

from nbmail.store.files.connection import Table
from nbmail.values import ConversationLine

# Messages of a thread that are listed.
_MOST = 100
_SAME = "SELECT name FROM threads WHERE message"


class Threads(Table):
    """Names of the threads of messages, as `core.senders.people.thread_of` returns them."""

    def put(self, threads: Mapping[int, Sequence[bytes]]) -> None:
        """Store the threads of messages. One without a name gets an empty one."""
        rows = ((message, name) for message, names in threads.items() for name in names or (b"",))
        self._connection.execute_many("INSERT OR IGNORE INTO threads VALUES (?, ?)", rows)

    def missing(self, limit: int, before: int) -> list[int]:
        """Return some messages before this number without a stored thread, the newest first."""
        return self._connection.column(
            "SELECT number FROM messages "
            "WHERE number < ? AND number NOT IN (SELECT message FROM threads) "
            "ORDER BY number DESC LIMIT ?",
            (before, limit),
        )

    def names(self, messages: Iterable[int]) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        query = "SELECT message, name FROM threads WHERE name <> x'' AND message"
        for message, name in self._connection.among(query, messages):
            found[message] = (*found.get(message, ()), name.hex())
        return found

    def messages(self, message: int) -> tuple[ConversationLine, ...]:
        """Return the latest messages of a thread that have a location, oldest first.

        A message belongs to the thread if it shares a name with this one, or with another that
        does.
        """
        near = f"SELECT message FROM threads WHERE name <> x'' AND name IN ({_SAME} = ?1)"
        far = f"SELECT message FROM threads WHERE name <> x'' AND name IN ({_SAME} IN ({near}))"
        rows = self._connection.rows(
            f"""
            SELECT number, sender, date FROM messages
            WHERE number IN ({far})
              AND EXISTS (SELECT 1 FROM locations WHERE locations.message = number)
            ORDER BY date DESC, number DESC LIMIT ?2
            """,
            (message, _MOST),
        )
        return tuple(ConversationLine._make(row) for row in reversed(rows))
