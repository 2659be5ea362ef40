"""Table of labels, which can't be derived from other data."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from nbmail.core.counting.sample import Sample
from nbmail.store.files.columns import listed
from nbmail.store.files.connection import Connection, Row
from nbmail.store.mail.samples import Samples

# Messages whose samples are missing are left out; the samples themselves come from `Samples`.
_IN_ORDER = """
SELECT labels.message, class, position, asked.message IS NOT NULL
FROM labels
JOIN samples ON samples.message = labels.message
LEFT JOIN asked ON asked.message = labels.message
WHERE position > ? ORDER BY position LIMIT ?
"""

# The label after a journal entry is that of the message's last entry up to it.
_AT_ENTRY = """
WITH last AS (SELECT max(number) AS number FROM journal WHERE number <= ? GROUP BY message)
SELECT message, after, position_after FROM last JOIN journal USING (number) WHERE after IS NOT NULL
"""
# 32 random bits before the message number: 63 bits at most.
_MESSAGE_BITS = 30


class LabelPosition(NamedTuple):
    """Label of a message, and its position in the learning order."""

    label: str
    position: int


class Labelled(NamedTuple):
    """Labelled message with its position and sample. `asked`: the program requested the label."""

    message: int
    label: str
    position: int
    sample: Sample
    asked: bool = False


class Labels:
    """Current labels, each with its place in the learning order, and those of any earlier time."""

    def __init__(self, connection: Connection, samples: Samples) -> None:
        self._connection = connection
        self._samples = samples
        self._names = dict[int, str]()
        self._numbers = dict[str, int]()

    def __len__(self) -> int:
        return self._connection.number("SELECT count(*) FROM labels")

    def of(self, messages: Iterable[int]) -> dict[int, str]:
        return {message: place.label for message, place in self.places(messages).items()}

    def moments(self, messages: Iterable[int]) -> list[tuple[float, str]]:
        rows = self._connection.among("SELECT moment, class FROM labels WHERE message", messages)
        return [(moment, self.name(klass)) for moment, klass in rows]

    def all(self) -> dict[int, str]:
        rows = self._connection.rows("SELECT message, class FROM labels ORDER BY position")
        return {message: self.name(klass) for message, klass in rows}

    def in_order(self, after: int = 0, most: int = 200) -> list[Labelled]:
        """Return the next labelled messages behind a position.

        Labels may change between two calls.
        """
        rows = self._connection.rows(_IN_ORDER, (after, most))
        samples = self._samples.of(message for message, *_ in rows)
        return [
            Labelled(message, self.name(klass), position, samples[message], bool(asked))
            for message, klass, position, asked in rows
        ]

    def latest(self, names: Iterable[str], most: int) -> list[int]:
        """Return the last messages of these classes in learning order, the last one first."""
        return self._connection.column(
            "SELECT message FROM labels WHERE class IN (SELECT number FROM classes "
            "WHERE name IN (SELECT value FROM json_each(?))) ORDER BY position DESC LIMIT ?",
            (listed(names), most),
        )

    def since(self, message: int) -> dict[int, str]:
        rows = self._connection.rows(
            "SELECT message, class FROM labels WHERE message >= ?", (message,)
        )
        return {number: self.name(klass) for number, klass in rows}

    def last_position(self) -> int:
        return self._connection.number("SELECT max(position) FROM labels")

    def count_from(self, position: int) -> int:
        return self._connection.number(
            "SELECT count(*) FROM labels WHERE position >= ?", (position,)
        )

    def name(self, klass: int) -> str:
        if klass not in self._names:
            self._names.update(self._connection.rows("SELECT number, name FROM classes"))
            self._connection.when_rolled_back.append(self._forget_classes)
        return self._names[klass]

    def number(self, name: str) -> int:
        """Return the number of a class. The first call for a name adds the class."""
        if name not in self._numbers:
            found = self._connection.number("SELECT number FROM classes WHERE name = ?", (name,))
            added = "INSERT INTO classes (name) VALUES (?) RETURNING number"
            self._numbers[name] = found or self._connection.number(added, (name,))
            self._connection.when_rolled_back.append(self._forget_classes)
        return self._numbers[name]

    def _forget_classes(self) -> None:
        """Forget the numbers of classes: after a rollback another class may get one."""
        self._names.clear()
        self._numbers.clear()

    def places(self, messages: Iterable[int]) -> dict[int, LabelPosition]:
        rows = self._connection.among(
            "SELECT message, class, position FROM labels WHERE message", messages
        )
        return self._places(rows)

    def positions(self, entry: int | None = None) -> dict[int, LabelPosition]:
        """Return the positions of all labels, of today or after a journal entry."""
        if entry is not None:
            return self._places(self._connection.rows(_AT_ENTRY, (entry,)))
        return self._places(self._connection.rows("SELECT message, class, position FROM labels"))

    def put(self, labels: Iterable[tuple[int, LabelPosition]], moment: float) -> None:
        """Add labels of messages without a label."""
        self._connection.execute_many(
            "INSERT INTO labels VALUES (?, ?, ?, ?)",
            (
                (message, self.number(place.label), place.position, moment)
                for message, place in labels
            ),
        )

    def take(self, messages: Iterable[int]) -> None:
        self._connection.among("DELETE FROM labels WHERE message", messages)

    def _places(self, rows: Iterable[Row]) -> dict[int, LabelPosition]:
        return {
            message: LabelPosition(self.name(klass), position) for message, klass, position in rows
        }


def in_pieces(labels: Labels, most: int) -> Iterator[list[Labelled]]:
    """Yield all labelled messages in learning order, at most `most` at a time.

    Messages that are labelled meanwhile are included.
    """
    after = 0
    while chunk := labels.in_order(after, most):
        yield chunk
        after = chunk[-1].position


def shuffled_positions(identities: Mapping[int, bytes]) -> dict[int, int]:
    """Return positions for labels of bulk training, as if all of them were shuffled.

    A position depends on the message alone, so that the order of the folders doesn't matter. If all
    spam were learned before all good mail, corrections would mostly reflect the order. No model
    would have known both classes when it scored the first folder.
    """
    positions = dict[int, int]()
    for message, identity in identities.items():
        digest = blake2b(identity, digest_size=4).digest()
        chance = int.from_bytes(digest, "big")
        positions[message] = (chance << _MESSAGE_BITS) + message % (1 << _MESSAGE_BITS)
    return positions
