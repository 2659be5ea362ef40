"""Messages, in whatever folders: headings for the list, samples for the model, and their
vocabulary.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import NamedTuple

from nbmail.chunks import batches, drain
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.message import Heading
from nbmail.core.senders.people import Acquaintance
from nbmail.store.files.connection import (
    Connection,
    Row,
    SettingsTable,
    row_of,
    sample_from,
    storable,
)
from nbmail.store.mail.identity import FORMER_VERSION, VERSION

# Parameters of a statement, below the limit of all versions of SQLite.
_PARAMETERS = 500
# Words read at once: about 4 ms.
WORDS_READ = 20_000
# Words written at once. Few sizes, since each is a statement that SQLite compiles and caches.
_WORDS_WRITTEN = (400, 20, 1)
# Setting with the phrases that are counted in all samples.
_COUNTED = "counted_phrases"
_OTHER = "INSERT OR IGNORE INTO other_identities VALUES (?, ?, ?)"


class Content(NamedTuple):
    """Content of a message. `identity` is made by `identity.identify`.

    `packed` is the raw mail as `derived_mail.pack` makes it, empty if it isn't cached. `former`:
    the identity by the former version, empty if unknown. `known`, `verified`: what is known of the
    sender, None for nothing, and whether the mail server confirmed the sender, None without a
    trusted server. `thread`: as `thread_of` returns it. `chance`: of spam at arrival, None without
    one.
    """

    identity: bytes
    heading: Heading
    sample: Sample
    packed: bytes = b""
    former: bytes = b""
    known: Acquaintance | None = None
    verified: bool | None = None
    thread: tuple[bytes, ...] = ()
    chance: float | None = None


class WordsTable:
    """Table of the vocabulary, which is in memory. Transactions that use new words write them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._written = 0
        self._vocabulary: Vocabulary | None = None

    def __len__(self) -> int:
        return self._connection.number("SELECT count(*) FROM words")

    @property
    def vocabulary(self) -> Vocabulary:
        """All words, loaded at the first call. All samples of this store use this vocabulary."""
        if self._vocabulary is None:
            drain(self.loading())
            assert self._vocabulary is not None
        return self._vocabulary

    def loading(self) -> Generator[None, None, None]:
        """Load all words in chunks, unless they are loaded."""
        if self._vocabulary is not None:
            return
        vocabulary = Vocabulary()
        for words in self.chunks():
            vocabulary.numbers_of(words)
            yield
        if self._vocabulary is None:
            vocabulary.phrases = self.counted_phrases
            self._written = len(vocabulary)
            self._vocabulary = vocabulary

    @property
    def counted_phrases(self) -> tuple[str, ...]:
        return tuple(SettingsTable(self._connection).get(_COUNTED, []))

    def note_counted(self, phrases: Sequence[str]) -> None:
        """Store that these phrases are counted in all samples. Joins a transaction in progress."""
        SettingsTable(self._connection).set(_COUNTED, phrases)

    def chunks(self) -> Iterator[list[str]]:
        for first in range(0, len(self), WORDS_READ):
            yield self._load(first)

    def write(self) -> None:
        """Write the words added since the last write. Called inside the transaction that uses
        them.
        """
        first = self._written
        begin = 0
        new = self.vocabulary.words_from(first)
        if not new:
            return
        joined = "".join(new)
        words = new if storable(joined) == joined else list(map(storable, new))
        for size in _WORDS_WRITTEN:
            while len(some := words[begin : begin + size]) == size:
                self._connection.execute(_insertion(size), (first + begin, *some))
                begin += size
        self._connection.when_rolled_back.append(lambda: setattr(self, "_written", first))
        self._written = first + len(new)

    def _load(self, first: int) -> list[str]:
        """Load words from this number on. One joined text takes a third of the time of one row for
        each word.
        """
        some = "FROM (SELECT word FROM words WHERE number >= ? ORDER BY number LIMIT ?)"
        chunk = (first, WORDS_READ)
        count, joined = self._connection.row(
            f"SELECT count(*), group_concat(word, char(10)) {some}", chunk
        ) or (0, "")
        words = (joined or "").split("\n")
        return (
            words if len(words) == count else self._connection.column(f"SELECT word {some}", chunk)
        )


class Messages:
    """Table of all messages that ever arrived."""

    def __init__(self, connection: Connection, words: WordsTable) -> None:
        self._connection = connection
        self._words = words
        # Samples of the latest transaction: new messages are often learned next.
        self._latest: dict[int, Sample] = {}
        self._latest_of = 0
        self.most_recent = 0
        """Samples of earlier transactions that stay in memory, approximately."""

    def __len__(self) -> int:
        return self._connection.number("SELECT count(*) FROM messages")

    def last(self) -> int:
        return self._connection.number("SELECT max(number) FROM messages")

    def find(self, identities: Iterable[bytes]) -> dict[bytes, int]:
        # The latter of two rows counts: that of the message which is stored under the identity.
        query = (
            "SELECT identity, message FROM other_identities WHERE identity IN ({0})"
            " UNION ALL SELECT identity, number FROM messages WHERE identity IN ({0})"
        )
        return {identity: number for identity, number in self._with_identities(query, identities)}

    def recognize(self, contents: Sequence[Content]) -> list[Content]:
        """Return the contents with the identities under which their messages are stored.

        A message that is stored under the former identity gets the current one as well, by its
        first content with the same sender and subject. Another content with the same former
        identity is another message.
        """
        return self._recognize(contents, self.find(content.identity for content in contents))

    def _recognize(self, contents: Sequence[Content], known: dict[bytes, int]) -> list[Content]:
        """Recognize contents. `known`: messages by the contents' identities; the stored ones are
        added.
        """
        names = self.identities(known.values()) if known else {}
        stored = {identity: names[number] for identity, number in known.items()}
        known.update((identity, number) for number, identity in names.items())
        former = [
            content.former
            for content in contents
            if content.former and content.identity not in stored
        ]
        unseen = self.without_current(former)
        for content in contents:
            heading = content.heading
            if content.identity not in stored and content.former in unseen:
                number, *shown = unseen[content.former]
                if shown == [storable(heading.sender), storable(heading.subject)]:
                    self.add_identity(number, content.identity, VERSION)
                    stored[content.identity] = content.former
                    known[content.former] = number
                    del unseen[content.former]
        if not stored:
            return list(contents)
        return [
            each._replace(identity=stored.get(each.identity, each.identity)) for each in contents
        ]

    def without_current(self, identities: Iterable[bytes]) -> dict[bytes, tuple[int, str, str]]:
        """Return number, sender and subject of messages that are stored under these and have no
        other identity.
        """
        query = (
            "SELECT identity, number, sender, subject FROM messages WHERE identity IN ({0})"
            " AND NOT EXISTS (SELECT 1 FROM other_identities WHERE message = number)"
        )
        rows = self._with_identities(query, identities)
        return {identity: (number, sender, subject) for identity, number, sender, subject in rows}

    def _with_identities(self, query: str, identities: Iterable[bytes]) -> Iterator[Row]:
        """Run a query in which `{0}` stands for the identities: binary values, which JSON can't
        contain.
        """
        for some in batches(identities, _PARAMETERS):
            yield from self._connection.rows(
                query.format(", ".join(f"?{place + 1}" for place in range(len(some)))), some
            )

    def add_identity(self, message: int, identity: bytes, version: int) -> None:
        """Store another identity of a message, unless an earlier message has it."""
        self._connection.execute(_OTHER, (identity, version, message))

    def identities(self, messages: Iterable[int]) -> dict[int, bytes]:
        return dict(
            self._connection.among("SELECT number, identity FROM messages WHERE number", messages)
        )

    def add(self, contents: Sequence[Content], tokenizer: int) -> tuple[list[int], frozenset[int]]:
        """Store new messages. Return the numbers of all, in order, and the set of those that are
        new.

        A known message keeps its heading and sample, since its label may have been learned with
        them. `tokenizer`: version that made the samples.
        """
        with self._connection.transaction():
            known = self.find(content.identity for content in contents)
            contents = self._recognize(contents, known)
            numbering = count(self.last() + 1)
            fresh = dict[int, Content]()
            for content in contents:
                if content.identity not in known:
                    known[content.identity] = next(numbering)
                    fresh[known[content.identity]] = content
            self._connection.execute_many(
                "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)",
                [_row(number, content) for number, content in fresh.items()],
            )
            self.note_ids(
                {content.identity: content.heading.message_id for content in fresh.values()}
            )
            self._connection.execute_many(
                _OTHER,
                (
                    (content.former, FORMER_VERSION, number)
                    for number, content in fresh.items()
                    if content.former
                ),
            )
            self._connection.execute_many(
                "INSERT OR IGNORE INTO threads VALUES (?, ?)",
                ((number, name) for number, content in fresh.items() for name in content.thread),
            )
            samples = {number: content.sample for number, content in fresh.items()}
            self._connection.execute_many(
                "INSERT INTO samples VALUES (?, ?, ?, ?, ?)",
                ((number, tokenizer, *row_of(sample)) for number, sample in samples.items()),
            )
            self._words.write()
            self._remember(samples)
            return [known[content.identity] for content in contents], frozenset(fresh)

    def note_ids(self, names: Mapping[bytes, str]) -> None:
        """Store the Message-IDs of messages, known or not."""
        self._connection.execute_many(
            "INSERT OR REPLACE INTO message_ids VALUES (?, ?)",
            ((identity, storable(name)) for identity, name in names.items() if name),
        )

    def headings(self, messages: Iterable[int]) -> dict[int, Heading]:
        which = "SELECT number, sender, subject, date, size, attachments FROM messages WHERE number"
        rows = self._connection.among(which, messages)
        return {row[0]: Heading(row[1], row[2], row[3], row[4], bool(row[5])) for row in rows}

    def chance_at_arrival(self, message: int) -> float | None:
        """Return the chance of spam that a message had when it arrived, None without one."""
        query = "SELECT chance_at_arrival FROM messages WHERE number = ?"
        chance: float | None = self._connection.value(query, (message,))
        return chance

    def samples(self, messages: Iterable[int]) -> dict[int, Sample]:
        wanted = list(messages)
        found = {message: self._latest[message] for message in wanted if message in self._latest}
        if others := [message for message in wanted if message not in found]:
            which = "SELECT message, words, occurrences, measures FROM samples WHERE message"
            found.update(
                (number, sample_from(*sample))
                for number, *sample in self._connection.among(which, others)
            )
        return found

    def outdated(self, tokenizer: int, after: int, most: int) -> dict[int, bytes]:
        """Return identities of the next messages behind `after` with samples of another tokenizer,
        by number.
        """
        rows = self._connection.rows(
            "SELECT number, identity FROM samples JOIN messages ON number = message"
            " WHERE message > ? AND tokenizer <> ? ORDER BY message LIMIT ?",
            (after, tokenizer, most),
        )
        return dict(rows)

    def outdate(self, messages: Iterable[int]) -> None:
        self._connection.among("UPDATE samples SET tokenizer = 0 WHERE message", messages)

    def replace_samples(self, samples: Mapping[int, Sample], tokenizer: int | None) -> None:
        """Replace the samples of messages, and their version of the tokenizer. Joins a transaction
        in progress.
        """
        self._forget_latest()
        self._connection.execute_many(
            "UPDATE samples SET tokenizer = coalesce(?, tokenizer), words = ?, occurrences = "
            "?, measures = ?"
            " WHERE message = ?",
            ((tokenizer, *row_of(sample), message) for message, sample in samples.items()),
        )
        self._words.write()

    def resize(self, message: int, size: int) -> None:
        """Store the size of a message that was fetched as a whole."""
        with self._connection.transaction():
            self._connection.execute(
                "UPDATE messages SET size = ? WHERE number = ?", (size, message)
            )

    def _remember(self, samples: Mapping[int, Sample]) -> None:
        if self._latest_of != self._connection.transactions:
            self._latest_of = self._connection.transactions
            if len(self._latest) >= self.most_recent:
                self._forget_latest()
        self._latest.update(samples)
        # After a rollback another message gets the number.
        self._connection.when_rolled_back.append(self._forget_latest)

    def _forget_latest(self) -> None:
        self._latest = {}


def _row(number: int, content: Content) -> Row:
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


@cache
def _insertion(rows: int) -> str:
    """Return a statement for `rows` words and the number of the first: a third of the time of one
    row each.
    """
    return (
        f"INSERT INTO words VALUES {', '.join(f'(?1 + {row}, ?{row + 2})' for row in range(rows))}"
    )
