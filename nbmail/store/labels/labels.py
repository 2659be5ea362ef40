"""The labels: the only irreplaceable thing. Each has its place in the order in which labels were given."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nbmail.core.judging.model import Step
from nbmail.store.files.connection import Connection, listed
from nbmail.store.files.row_values import sample_from, storable
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.label_order import LabelOrder
from nbmail.store.values import Labelled

_IN_ORDER = """
SELECT labels.message, class, position, words, occurrences, measures
FROM labels JOIN samples ON samples.message = labels.message
WHERE position > ? ORDER BY position LIMIT ?
"""

# Score and details of a label that no learning has given any.
_UNKNOWN = (None, "[]")

# The label of a moment is what the last journal line up to then left.
_IN_ORDER_THEN = """
WITH last AS (SELECT max(number) AS number FROM journal WHERE number <= ? GROUP BY message)
SELECT journal.message, after, position_after, words, occurrences, measures
FROM last JOIN journal USING (number) JOIN samples ON samples.message = journal.message
WHERE position_after > ? ORDER BY position_after LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A label as the journal holds it: the class's number and the place in the order."""

    klass: int
    position: int


class Labels:
    """What is labelled now, and what was at any moment; `order` gives out places."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self.order = LabelOrder(connection, settings)
        self._names: dict[int, str] = {}

    def __len__(self) -> int:
        """How many messages have a label."""
        return int(self._connection.value("SELECT count(*) FROM labels"))

    def of(self, messages: Iterable[int]) -> dict[int, str]:
        """The labels of those messages that have one."""
        return {message: self.name(place.klass) for message, place in self.places(messages).items()}

    def all(self) -> dict[int, str]:
        """Every label, in the order in which they were given."""
        rows = self._connection.rows("SELECT message, class FROM labels ORDER BY position")
        return {message: self.name(klass) for message, klass in rows}

    def in_order(self, after: int = 0, most: int = 200) -> list[Labelled]:
        """The next labelled messages behind this position: for folding them in pieces while marks go on."""
        return self._labelled(self._connection.rows(_IN_ORDER, (after, most)))

    def at(self, moment: float, most: int = 200) -> Iterator[list[Labelled]]:
        """The labelled messages as of a moment, in the order of their labels, in pieces."""
        line, after = self.line_at(moment), 0
        while rows := self._connection.rows(_IN_ORDER_THEN, (line, after, most)):
            yield self._labelled(rows)
            after = rows[-1][2]

    def line_at(self, moment: float) -> int:
        """The number of the journal's last line up to that moment, 0 before the first."""
        return int(self._connection.value("SELECT max(number) FROM journal WHERE moment <= ?", (moment,)) or 0)

    def name(self, klass: int) -> str:
        """The name of a class."""
        if klass not in self._names:
            self._names = dict(self._connection.rows("SELECT number, name FROM classes"))
        return self._names[klass]

    def number(self, name: str) -> int:
        """The number of a class, given to it at the first call."""
        found = self._connection.value("SELECT number FROM classes WHERE name = ?", (storable(name),))
        if found is not None:
            return int(found)
        # A number that is taken back is given to another class.
        self._connection.when_rolled_back(self._forget_names)
        return self._connection.insert("INSERT INTO classes (name) VALUES (?)", (storable(name),))

    def _forget_names(self) -> None:
        self._names = {}

    def places(self, messages: Iterable[int]) -> dict[int, Place]:
        """Class and position of those messages that have a label."""
        rows = self._connection.rows(
            "SELECT message, class, position FROM labels WHERE message IN (SELECT value FROM json_each(?))",
            (listed(messages),),
        )
        return {message: Place(klass, position) for message, klass, position in rows}

    def places_at(self, line: int) -> dict[int, Place]:
        """Class and position of every message that had a label at that line of the journal."""
        rows = self._connection.rows(
            "WITH last AS (SELECT max(number) AS number FROM journal WHERE number <= ? GROUP BY message)"
            " SELECT message, after, position_after FROM last JOIN journal USING (number) WHERE after IS NOT NULL",
            (line,),
        )
        return {message: Place(klass, position) for message, klass, position in rows}

    def places_of(self, messages: Iterable[int], line: int) -> dict[int, Place]:
        """The same of these messages alone."""
        rows = self._connection.rows(
            "WITH last AS (SELECT (SELECT max(number) FROM journal WHERE message = value AND number <= ?) AS number"
            " FROM json_each(?))"
            " SELECT message, after, position_after FROM last JOIN journal USING (number) WHERE after IS NOT NULL",
            (line, listed(messages)),
        )
        return {message: Place(klass, position) for message, klass, position in rows}

    def all_places(self) -> dict[int, Place]:
        """Class and position of every message that has a label."""
        rows = self._connection.rows("SELECT message, class, position FROM labels")
        return {message: Place(klass, position) for message, klass, position in rows}

    def step(self, message: int) -> Step | None:
        """What learning this message's label gave back, None where it isn't known."""
        row = self._connection.row("SELECT score, details FROM labels WHERE message = ?", (message,))
        return None if row is None or row[0] is None else Step(row[0], tuple(json.loads(row[1])))

    def put(self, labels: Iterable[tuple[int, Place, Step | None]], moment: float) -> None:
        """Set labels; no step for what is only counted yet."""
        self._connection.execute_many(
            "INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?)",
            (
                (message, place.klass, place.position, moment, *((step.log_odds, _details(step)) if step else _UNKNOWN))
                for message, place, step in labels
            ),
        )

    def take(self, messages: Iterable[int]) -> None:
        """Take labels away."""
        self._connection.execute(
            "DELETE FROM labels WHERE message IN (SELECT value FROM json_each(?))", (listed(messages),)
        )

    def put_steps(self, steps: Iterable[tuple[int, Step]]) -> None:
        """After a fold: what learning each message gave back this time."""
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE labels SET score = ?, details = ? WHERE message = ?",
                ((step.log_odds, _details(step), message) for message, step in steps),
            )

    def _labelled(self, rows: list[tuple[int, int, int, bytes, bytes, str]]) -> list[Labelled]:
        return [Labelled(row[0], self.name(row[1]), row[2], sample_from(*row[3:])) for row in rows]


def _details(step: Step) -> str:
    return json.dumps([int(one) for one in step.details])
