"""Messages: headings for the list, samples for the model. A message is its content, not its place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from nbmail.core.counting.sample import Sample
from nbmail.core.reading.mail import Heading
from nbmail.store.files.connection import Connection
from nbmail.store.files.row_values import row_of, sample_from, storable
from nbmail.store.mail.words_table import WordsTable

# Below the number of parameters that every SQLite takes.
_ASKED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Content:
    """A message itself, wherever it lies. `identity` comes from `identity.identify`.

    `packed` is its raw mail as the cache keeps it (`raw_mail.pack`), empty where it isn't cached.
    """

    identity: bytes
    heading: Heading
    sample: Sample
    packed: bytes = b""


class Messages:
    """All messages ever met."""

    def __init__(self, connection: Connection, words: WordsTable) -> None:
        self._connection = connection
        self._words = words
        # Samples kept in the latest transaction: what is kept is often learned next, and need not be read back.
        self._latest: dict[int, Sample] = {}
        self._latest_of = 0
        self.most_recent = 0
        """Samples of earlier transactions are kept up to about this number."""

    def __len__(self) -> int:
        return int(self._connection.value("SELECT count(*) FROM messages"))

    def last(self) -> int:
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
        return dict(self._connection.among("SELECT number, identity FROM messages WHERE number", messages))

    def add(self, contents: Sequence[Content], tokenizer: int) -> tuple[list[int], frozenset[int]]:
        """Keep the messages that are new: the numbers of all, in order, and which of them are new.

        A message already known keeps its heading and sample, since its label may have been learned with them.
        `tokenizer` is the version that made the samples.
        """
        with self._connection.transaction():
            known = self.find(content.identity for content in contents)
            numbering, fresh = count(self.last() + 1), dict[int, Content]()
            for content in contents:
                if content.identity not in known:
                    known[content.identity] = next(numbering)
                    fresh[known[content.identity]] = content
            self._connection.execute_many(
                "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)", (_message_row(*one) for one in fresh.items())
            )
            self.note_ids({content.identity: content.heading.message_id for content in fresh.values()})
            samples = {number: content.sample for number, content in fresh.items()}
            self._connection.execute_many(
                "INSERT INTO samples VALUES (?, ?, ?, ?, ?)",
                ((number, tokenizer, *row_of(sample)) for number, sample in samples.items()),
            )
            self._words.write()
            self._remember(samples)
            return [known[content.identity] for content in contents], frozenset(fresh)

    def note_ids(self, names: Mapping[bytes, str]) -> None:
        """Keep the Message-IDs of messages, also of those that have not come yet."""
        self._connection.execute_many(
            "INSERT OR REPLACE INTO message_ids VALUES (?, ?)",
            ((identity, storable(name)) for identity, name in names.items() if name),
        )

    def headings(self, messages: Iterable[int]) -> dict[int, Heading]:
        which = "SELECT number, sender, subject, date, size, attachments FROM messages WHERE number"
        rows = self._connection.among(which, messages)
        return {row[0]: Heading(row[1], row[2], row[3], row[4], bool(row[5])) for row in rows}

    def samples(self, messages: Iterable[int]) -> dict[int, Sample]:
        """What these messages are learned with."""
        wanted = list(messages)
        found = {message: self._latest[message] for message in wanted if message in self._latest}
        if len(found) < len(wanted):
            others = (message for message in wanted if message not in found)
            which = "SELECT message, words, occurrences, measures FROM samples WHERE message"
            rows = self._connection.among(which, others)
            found.update((number, sample_from(*sample)) for number, *sample in rows)
        return found

    def outdated(self, tokenizer: int, after: int, most: int) -> dict[int, bytes]:
        """The next messages behind this one whose samples another version of the tokenizer made, and who they are."""
        rows = self._connection.rows(
            "SELECT number, identity FROM samples JOIN messages ON number = message"
            " WHERE message > ? AND tokenizer <> ? ORDER BY message LIMIT ?",
            (after, tokenizer, most),
        )
        return dict(rows)

    def newest(self, account: str, special: str, limit: int) -> tuple[int, ...]:
        """Return the messages with the highest UIDs in the account's folders of this special use."""
        rows = self._connection.rows(
            "SELECT message FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE account = ? AND special = ? ORDER BY uid DESC LIMIT ?",
            (account, special, limit),
        )
        return tuple(message for (message,) in rows)

    def outdate(self, account: str) -> None:
        """Mark the samples of all messages of an account as outdated."""
        self._connection.execute(
            "UPDATE samples SET tokenizer = 0 WHERE message IN (SELECT message FROM locations"
            " JOIN folders ON folders.number = locations.folder WHERE account = ?)",
            (account,),
        )

    def replace_samples(self, samples: Mapping[int, Sample], tokenizer: int) -> None:
        """From now on these messages are learned with these samples. Joins a transaction under way."""
        self._forget_latest()
        self._connection.execute_many(
            "UPDATE samples SET tokenizer = ?, words = ?, occurrences = ?, measures = ? WHERE message = ?",
            ((tokenizer, *row_of(sample), message) for message, sample in samples.items()),
        )
        self._words.write()

    def from_sender(self, sender: str) -> tuple[tuple[int, float], ...]:
        rows = self._connection.rows("SELECT number, date FROM messages WHERE sender = ? ORDER BY date", (sender,))
        return tuple(rows)

    def resize(self, message: int, size: int) -> None:
        """The message has turned out to be of this size."""
        with self._connection.transaction():
            self._connection.execute("UPDATE messages SET size = ? WHERE number = ?", (size, message))

    def _remember(self, samples: Mapping[int, Sample]) -> None:
        if self._latest_of != self._connection.transactions:
            self._latest_of = self._connection.transactions
            if len(self._latest) >= self.most_recent:
                self._forget_latest()
        self._latest.update(samples)
        # A number that is rolled back is given to another message.
        self._connection.when_rolled_back(self._forget_latest)

    def _forget_latest(self) -> None:
        self._latest = {}


def _message_row(number: int, content: Content) -> tuple[int, bytes, str, str, float, int, int]:
    heading = content.heading
    sender, subject = storable(heading.sender), storable(heading.subject)
    return number, content.identity, sender, subject, heading.date, heading.size, int(heading.attachments)
