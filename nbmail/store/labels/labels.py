"""The labels: the only irreplaceable thing. Each has its place in the order in which labels are learned."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from nbmail.core.counting.sample import Sample
from nbmail.store.files.connection import Connection, Row
from nbmail.store.files.row_values import storable
from nbmail.store.mail.messages import Messages

# Messages whose samples are missing are left out; the samples themselves come from `Messages.samples`.
_IN_ORDER = """
SELECT labels.message, class, position, asked.message IS NOT NULL
FROM labels JOIN samples ON samples.message = labels.message LEFT JOIN asked ON asked.message = labels.message
WHERE position > ? ORDER BY position LIMIT ?
"""

# The label of a moment is what the last journal line up to then left.
_AT_LINE = """
WITH last AS (SELECT max(number) AS number FROM journal WHERE number <= ? GROUP BY message)
SELECT message, after, position_after FROM last JOIN journal USING (number) WHERE after IS NOT NULL
"""
# Behind 32 bits of chance, the message's number: together within 63 bits.
_MESSAGE_BITS = 30


@dataclass(frozen=True, slots=True)
class LabelPosition:
    """A label as tables hold it: the class's number and the place in the order."""

    klass: int
    position: int


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled message: what it is learned with, its place in the order, whether the program had asked about it."""

    message: int
    label: str
    position: int
    sample: Sample
    asked: bool = False


class Labels:
    """What is labelled now, and what was at any moment."""

    def __init__(self, connection: Connection, messages: Messages) -> None:
        self._connection, self._messages = connection, messages
        self._names: dict[int, str] = {}

    def __len__(self) -> int:
        return int(self._connection.value("SELECT count(*) FROM labels"))

    def of(self, messages: Iterable[int]) -> dict[int, str]:
        return {message: self.name(place.klass) for message, place in self.places(messages).items()}

    def moments(self, messages: Iterable[int]) -> list[tuple[float, str]]:
        """When each of those messages that have a label got it, and which."""
        rows = self._connection.among("SELECT moment, class FROM labels WHERE message", messages)
        return [(moment, self.name(klass)) for moment, klass in rows]

    def all(self) -> dict[int, str]:
        rows = self._connection.rows("SELECT message, class FROM labels ORDER BY position")
        return {message: self.name(klass) for message, klass in rows}

    def in_order(self, after: int = 0, most: int = 200) -> list[Labelled]:
        """The next labelled messages behind this position: for folding them in pieces while marks go on."""
        rows = self._connection.rows(_IN_ORDER, (after, most))
        samples = self._messages.samples(row[0] for row in rows)
        return [Labelled(row[0], self.name(row[1]), row[2], samples[row[0]], bool(row[3])) for row in rows]

    def latest(self, names: Iterable[str], most: int) -> list[int]:
        """The messages whose labels of these classes stand last in the order, the very last first."""
        rows = self._connection.rows(
            "SELECT message FROM labels WHERE class IN (SELECT number FROM classes WHERE name IN"
            " (SELECT value FROM json_each(?))) ORDER BY position DESC LIMIT ?",
            (json.dumps(list(names)), most),
        )
        return [message for (message,) in rows]

    def since(self, message: int) -> dict[int, str]:
        """The labels of this message and all that came after it."""
        rows = self._connection.rows("SELECT message, class FROM labels WHERE message >= ?", (message,))
        return {number: self.name(klass) for number, klass in rows}

    def last_position(self) -> int:
        return int(self._connection.value("SELECT max(position) FROM labels") or 0)

    def count_from(self, position: int) -> int:
        return int(self._connection.value("SELECT count(*) FROM labels WHERE position >= ?", (position,)))

    def name(self, klass: int) -> str:
        if klass not in self._names:
            self._names = dict(self._connection.rows("SELECT number, name FROM classes"))
        return self._names[klass]

    def number(self, name: str) -> int:
        """The number of a class, given to it at the first call."""
        found = self._connection.value("SELECT number FROM classes WHERE name = ?", (storable(name),))
        if found is not None:
            return int(found)
        # A number that is taken back is given to another class.
        self._connection.when_rolled_back(self._names.clear)
        return int(self._connection.value("INSERT INTO classes (name) VALUES (?) RETURNING number", (storable(name),)))

    def places(self, messages: Iterable[int]) -> dict[int, LabelPosition]:
        """Class and position of those messages that have a label."""
        return _places(self._connection.among("SELECT message, class, position FROM labels WHERE message", messages))

    def all_positions(self) -> dict[int, LabelPosition]:
        return _places(self._connection.rows("SELECT message, class, position FROM labels"))

    def positions_at(self, line: int) -> dict[int, LabelPosition]:
        return _places(self._connection.rows(_AT_LINE, (line,)))

    def put(self, labels: Iterable[tuple[int, LabelPosition]], moment: float) -> None:
        """Set labels of messages that have none."""
        self._connection.execute_many(
            "INSERT INTO labels VALUES (?, ?, ?, ?)",
            ((message, place.klass, place.position, moment) for message, place in labels),
        )

    def take(self, messages: Iterable[int]) -> None:
        self._connection.among("DELETE FROM labels WHERE message", messages)


def _places(rows: Iterable[Row]) -> dict[int, LabelPosition]:
    return {message: LabelPosition(klass, position) for message, klass, position in rows}


def in_pieces(labels: Labels, most: int) -> Iterator[list[Labelled]]:
    """All labelled messages in order, so many at a time; what is labelled meanwhile stands at the end and comes too."""
    after = 0
    while chunk := labels.in_order(after, most):
        yield chunk
        after = chunk[-1].position


class AskedMessages:
    """The messages that the program chose by their scores and asked about, as far as they were then labelled.

    Remembered whatever becomes of their labels: what was chosen by its score says less about the mailbox.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def among(self, messages: Iterable[int]) -> set[int]:
        """Those of the messages that were asked about."""
        rows = self._connection.among("SELECT message FROM asked WHERE message", messages)
        return {message for (message,) in rows}

    def latest(self, most: int) -> list[int]:
        """Those that are labelled, the last in the order of the labels first."""
        rows = self._connection.rows(
            "SELECT message FROM asked JOIN labels USING (message) ORDER BY position DESC LIMIT ?", (most,)
        )
        return [message for (message,) in rows]

    def note(self, messages: Iterable[int]) -> None:
        self._connection.execute_many("INSERT OR IGNORE INTO asked VALUES (?)", ((message,) for message in messages))


def shuffled_places(identities: Mapping[int, bytes]) -> dict[int, int]:
    """Places for labels that came with many others, as if all of them had been shuffled.

    A place depends on the message alone, so it doesn't matter which folder was taught first. Learned a folder at a
    time, first all junk and then all good mail, corrections would teach little more than which came last, and no
    score of the first folder would have been given by a model that knew both.
    """
    return {message: _shuffled(message, identity) for message, identity in identities.items()}


def _shuffled(message: int, identity: bytes) -> int:
    chance = int.from_bytes(blake2b(identity, digest_size=4).digest(), "big")
    return (chance << _MESSAGE_BITS) + message % (1 << _MESSAGE_BITS)
