"""Table of all messages that ever arrived, in whatever folders."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from nbmail.chunks import batches
from nbmail.core.counting.sample import Sample
from nbmail.core.mail.message import Heading
from nbmail.core.senders.people import Acquaintance
from nbmail.store.files.columns import storable
from nbmail.store.files.connection import Connection
from nbmail.store.mail.samples import Samples

# Parameters of a statement, below the limit of all versions of SQLite.
_PARAMETERS = 500


class Content(NamedTuple):
    """Content of a message. `identity` is made by `identity.identify`.

    `packed`: raw mail as `raw_mail.pack` makes it, empty if it isn't cached. `known`: what is known
    of the sender, None for nothing. `verified`: whether the mail server confirmed the sender, None
    without a trusted server. `thread`: as `thread_of` returns it. `chance`: of spam at arrival,
    None without one.
    """

    identity: bytes
    heading: Heading
    sample: Sample
    packed: bytes = b""
    known: Acquaintance | None = None
    verified: bool | None = None
    thread: tuple[bytes, ...] = ()
    chance: float | None = None


class Messages:
    """Messages by number and by identity."""

    def __init__(self, connection: Connection, samples: Samples) -> None:
        self._connection = connection
        self._samples = samples

    def __len__(self) -> int:
        return self._connection.number("SELECT count(*) FROM messages")

    def last(self) -> int:
        return self._connection.number("SELECT max(number) FROM messages")

    def find(self, identities: Iterable[bytes]) -> dict[bytes, int]:
        """Return the messages with these identities, unknown ones left out."""
        return dict(self._find(identities))

    def _find(self, identities: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
        # Identities are binary values, which JSON can't contain.
        for some in batches(identities, _PARAMETERS):
            marks = ", ".join("?" * len(some))
            query = f"SELECT identity, number FROM messages WHERE identity IN ({marks})"
            yield from self._connection.rows(query, some)

    def identities(self, messages: Iterable[int]) -> dict[int, bytes]:
        query = "SELECT number, identity FROM messages WHERE number"
        return dict(self._connection.among(query, messages))

    def headings(self, messages: Iterable[int]) -> dict[int, Heading]:
        query = "SELECT number, sender, subject, date, size, attachments FROM messages WHERE number"
        found = dict[int, Heading]()
        for number, sender, subject, date, size, attachments in self._connection.among(
            query, messages
        ):
            found[number] = Heading(sender, subject, date, size, bool(attachments))
        return found

    def chance_at_arrival(self, message: int) -> float | None:
        """Return the chance of spam that a message had when it arrived, None without one."""
        query = "SELECT chance_at_arrival FROM messages WHERE number = ?"
        chance: float | None = self._connection.value(query, (message,))
        return chance

    def add(self, contents: Sequence[Content], tokenizer: int) -> tuple[list[int], frozenset[int]]:
        """Store new messages. Return the numbers of all, in order, and those of the new ones.

        A known message keeps its heading and sample, since its label may have been learned with
        them. `tokenizer`: version that made the samples.
        """
        with self._connection.transaction():
            known = self.find(content.identity for content in contents)
            numbering = count(self.last() + 1)
            new = dict[int, Content]()
            for content in contents:
                if content.identity not in known:
                    number = next(numbering)
                    known[content.identity] = number
                    new[number] = content
            self._insert(new)
            self._samples.add(
                {number: content.sample for number, content in new.items()}, tokenizer
            )
        return [known[content.identity] for content in contents], frozenset(new)

    def _insert(self, contents: Mapping[int, Content]) -> None:
        """Add the rows of new messages, by number, without their samples."""
        self._connection.execute_many(
            "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)",
            (_row_of(number, content) for number, content in contents.items()),
        )
        self.note_ids(
            {content.identity: content.heading.message_id for content in contents.values()}
        )
        self._connection.execute_many(
            "INSERT OR IGNORE INTO threads VALUES (?, ?)",
            ((number, name) for number, content in contents.items() for name in content.thread),
        )

    def note_ids(self, names: Mapping[bytes, str]) -> None:
        """Store the Message-IDs of messages, known or not."""
        self._connection.execute_many(
            "INSERT OR REPLACE INTO message_ids VALUES (?, ?)",
            ((identity, storable(name)) for identity, name in names.items() if name),
        )

    def resize(self, message: int, size: int) -> None:
        """Store the size of a message that was fetched as a whole."""
        with self._connection.transaction():
            query = "UPDATE messages SET size = ? WHERE number = ?"
            self._connection.execute(query, (size, message))


def _row_of(number: int, content: Content) -> tuple[object, ...]:
    heading = content.heading
    return (
        number,
        content.identity,
        storable(heading.sender),
        storable(heading.subject),
        heading.date,
        heading.size,
        heading.attachments,
        content.chance,
    )
