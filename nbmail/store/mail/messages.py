"""Messages: heads for the list, samples for the model. A message is its content, not its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

import numpy as np

from nbmail.core.counting.sample import LongArray, Sample, WordRows
from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.files.row_values import packed, sample_from, storable, unpacked
from nbmail.store.mail.words_table import WordsTable
from nbmail.store.values import Content, Head

# Below the number of parameters that every SQLite takes.
_ASKED_AT_ONCE = 500
_INSERT = "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)"


class Messages:
    """All messages ever met whose words are still kept."""

    def __init__(self, connection: Connection, words: WordsTable) -> None:
        self._connection = connection
        self._words = words
        # What was kept last is often labelled next: a first training read back every sample it had just stored.
        self._latest: dict[int, Sample] = {}

    def __len__(self) -> int:
        """How many."""
        return int(self._connection.value("SELECT count(*) FROM messages"))

    def last(self) -> int:
        """The highest number given, 0 without messages."""
        return int(self._connection.value("SELECT max(number) FROM messages") or 0)

    def find(self, identities: Iterable[bytes]) -> dict[bytes, int]:
        """The numbers of those that are known."""
        found: dict[bytes, int] = {}
        wanted = list(identities)
        for first in range(0, len(wanted), _ASKED_AT_ONCE):
            asked = wanted[first : first + _ASKED_AT_ONCE]
            marks = ", ".join("?" * len(asked))
            found.update(
                self._connection.rows(f"SELECT identity, number FROM messages WHERE identity IN ({marks})", asked)
            )
        return found

    def identities(self, messages: Iterable[int]) -> dict[int, bytes]:
        """Who these messages are."""
        rows = self._select("number, identity FROM messages WHERE number", messages)
        return {number: identity for number, identity in rows}

    def names(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """The identity to go by of each `identity.identities`: the earlier one where a message is known by it alone."""
        elders = self.find(elder for _, elder in pairs if elder)
        known = self.find(identity for identity, elder in pairs if elder in elders)
        return [elder if elder in elders and identity not in known else identity for identity, elder in pairs]

    def add(self, contents: Sequence[Content], tokenizer: int) -> tuple[list[int], frozenset[int]]:
        """Keep the messages that are new: the numbers of all, in order, and which of them are new.

        A message already known keeps its head and sample, since its label may have been learned with them.
        """
        with self._connection.transaction():
            known = self.find(content.identity for content in contents)
            numbering, fresh = count(self.last() + 1), dict[int, Content]()
            for content in contents:
                if content.identity not in known:
                    known[content.identity] = next(numbering)
                    fresh[known[content.identity]] = content
            self._connection.execute_many(_INSERT, (_message_row(*one) for one in fresh.items()))
            self._insert_samples(((number, content.sample) for number, content in fresh.items()), tokenizer)
            self._words.write()
            self._latest = {number: content.sample for number, content in fresh.items()}
            # A number that is rolled back is given to another message.
            self._connection.when_rolled_back(self.forget_latest)
            return [known[content.identity] for content in contents], frozenset(fresh)

    def heads(self, messages: Iterable[int]) -> dict[int, Head]:
        """What the list shows of these messages."""
        rows = self._select("number, sender, subject, date, size, attachments FROM messages WHERE number", messages)
        return {row[0]: _head(row) for row in rows}

    def samples(self, messages: Iterable[int]) -> dict[int, Sample]:
        """What these messages are learned with."""
        wanted = list(messages)
        found = {message: self._latest[message] for message in wanted if message in self._latest}
        if len(found) < len(wanted):
            others = (message for message in wanted if message not in found)
            rows = self._select("message, words, occurrences, measures FROM samples WHERE message", others)
            found.update((number, sample_from(*sample)) for number, *sample in rows)
        return found

    def fitting(self, messages: Sequence[int], most: int) -> int:
        """How many of these messages, from the first on, have no more than so many words together; one at least."""
        lengths: dict[int, int] = dict(self._select("message, length(words) / 4 FROM samples WHERE message", messages))
        sums = np.cumsum([lengths[message] for message in messages])
        return max(1, int(np.searchsorted(sums, most, "right")))

    def forget_latest(self) -> None:
        """Samples are about to change on the disk: nothing remembered of them holds."""
        self._latest = {}

    def words_after(self, message: int, most: int = 1000) -> tuple[LongArray, WordRows]:
        """Numbers and words of the next messages behind this one, in the order of their numbers; empty at the end."""
        rows = self._connection.rows(
            "SELECT message, words FROM samples WHERE message > ? ORDER BY message LIMIT ?", (message, most)
        )
        numbers = np.array([number for number, _ in rows], np.int64)
        return numbers, WordRows.join([unpacked(words) for _, words in rows])

    def from_sender(self, sender: str) -> tuple[tuple[int, float], ...]:
        """Number and date of all messages of this sender, oldest first."""
        rows = self._connection.rows("SELECT number, date FROM messages WHERE sender = ? ORDER BY date", (sender,))
        return tuple(rows)

    def resize(self, message: int, size: int) -> None:
        """The message has turned out to be of this size."""
        with self._connection.transaction():
            self._connection.execute("UPDATE messages SET size = ? WHERE number = ?", (size, message))

    def _select(self, what: str, messages: Iterable[int]) -> list[Row]:
        return self._connection.rows(f"SELECT {what} IN (SELECT value FROM json_each(?))", (listed(messages),))

    def _insert_samples(self, samples: Iterable[tuple[int, Sample]], tokenizer: int) -> None:
        self._connection.execute_many(
            "INSERT INTO samples VALUES (?, ?, ?, ?, ?)",
            (
                (message, tokenizer, packed(sample.words), packed(sample.occurrences), _listed(sample.measures))
                for message, sample in samples
            ),
        )


def _message_row(number: int, content: Content) -> tuple[int, bytes, str, str, float, int, int]:
    head = content.head
    sender, subject = storable(head.sender), storable(head.subject)
    return number, content.identity, sender, subject, head.date, head.size, int(head.attachments)


def _listed(numbers: Iterable[int]) -> str:
    """As `json.dumps` writes them, in a third of its time."""
    return f"[{', '.join(map(str, map(int, numbers)))}]"


def _head(row: Row) -> Head:
    _, sender, subject, date, size, attachments = row
    return Head(sender, subject, date, size, bool(attachments))
