"""Who gave each label of now: the journal's lines read back to the one that gave it.

An undo, a redo or a journey only brings a label back: whoever gave it then has given it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.labels.labels import Labels, Place
from nbmail.store.labels.undo_steps import Steps
from nbmail.store.values import By, Given, Giver

RETURNS = (By.UNDO, By.REDO, By.TRAVEL)
"""Those that give no label of their own."""
NOBODY = Giver(None)
"""For a label of which the journal knows nothing."""
_AMONG = "IN (SELECT value FROM json_each(?))"
# Up to so many numbers a message asked for, a range is read rather than each of them.
_NEAR = 4
_GIVEN = """
SELECT journal.message, by, iif(by = 'folder', coalesce(step, 0), 0), count(*)
FROM labels JOIN journal ON journal.message = labels.message AND after = class AND position_after = position
WHERE labels.message IN (SELECT value FROM json_each(?)) AND by NOT IN ('undo', 'redo', 'travel')
GROUP BY journal.message
"""
_LINES = (
    "SELECT message, number, moment, coalesce(step, 0), by, before, position_before, after, position_after"
    " FROM journal WHERE message {which} ORDER BY message, number"
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One line of the journal, of one message."""

    number: int
    moment: float
    step: int
    by: By
    before: Place | None
    after: Place | None


class Givers:
    """Reads who gave labels; the journal writes it."""

    def __init__(self, connection: Connection, labels: Labels, steps: Steps) -> None:
        self._connection = connection
        self._labels = labels
        self._steps = steps

    def given(self, message: int) -> Given | None:
        """The label of a message, by whom and when; None for one without."""
        place = self._labels.places([message]).get(message)
        if place is None:
            return None
        label, turns = self._labels.name(place.klass), self._turns("= ?", (message,)).get(message, ())
        # A journal that says another label than there is has to be mended first.
        if not turns or turns[-1].after != place:
            return Given(label, NOBODY)
        found, last = origin(turns), turns[-1]
        if found is None:
            return Given(label, NOBODY, 0.0, last.by, last.moment)
        giver = self._giver(found.by, found.step)
        return Given(label, giver, found.moment, *(() if found is last else (last.by, last.moment)))

    def names(self) -> tuple[Giver, ...]:
        """All givers there are. More may join at the end; none changes its place."""
        kinds = [NOBODY, *(Giver(by) for by in By)]
        return (*kinds, *(Giver(By.FOLDER, folder) for folder in self._steps.folders()))

    def column(self, messages: LongArray, names: Sequence[Giver]) -> Any:
        """For each of these labelled messages, in their rising order, the place of its giver among the names."""
        numbers = messages.tolist()
        if not numbers:
            return np.zeros(0, np.int16)
        places = {giver: place for place, giver in enumerate(names)}
        latest = self._latest(numbers)
        returned = set(numbers).intersection([row[0] for row in latest if row[1] in RETURNS])
        once, rest = self._given_once(returned) if returned else ([], returned)
        rows = [*latest, *once]
        kinds = {kind: places[self._giver(By(kind[0]), kind[1])] for kind in {row[1:3] for row in rows}}
        found = {row[0]: kinds[row[1:3]] for row in rows}
        for message, turns in self._turns(_AMONG, (listed(rest),)).items() if rest else ():
            its = origin(turns)
            found[message] = places[self._giver(its.by, its.step) if its else NOBODY]
        return np.array([found.get(message, places[NOBODY]) for message in numbers], np.int16)

    def _given_once(self, messages: set[int]) -> tuple[list[Row], set[int]]:
        """The same of those labels that were given once and only brought back since; and whose were not.

        Following each of 100,000 labels through its lines would take 1.5 s.
        """
        rows = self._connection.rows(_GIVEN, (listed(messages),))
        once = [row for row in rows if row[3] == 1]
        return once, messages.difference([row[0] for row in once])

    def _latest(self, messages: list[int]) -> list[Row]:
        """Of these messages, and perhaps of more: message, giver, step where that is a folder, number of the last."""
        near = messages[-1] - messages[0] < _NEAR * len(messages)
        which, given = ("BETWEEN ? AND ?", (messages[0], messages[-1])) if near else (_AMONG, (listed(messages),))
        # SQLite takes what stands beside the only `max` from the row that has it.
        return self._connection.rows(
            "SELECT message, by, iif(by = 'folder', coalesce(step, 0), 0), max(number) FROM journal"
            f" WHERE message {which} GROUP BY message",
            given,
        )

    def _giver(self, by: By, step: int) -> Giver:
        return Giver(by, self._steps.folder(step) if by is By.FOLDER else None)

    def _turns(self, which: str, parameters: tuple[Any, ...]) -> dict[int, list[Turn]]:
        rows = self._connection.rows(_LINES.format(which=which), parameters)
        return {message: [_turn(row) for row in its] for message, its in groupby(rows, lambda row: row[0])}


def origin(turns: Sequence[Turn]) -> Turn | None:
    """The one of a message's lines that gave the label which the last of them left; None where none did."""
    found: list[Turn | None] = []
    for place, turn in enumerate(turns):
        if turn.by in RETURNS:
            reach = _reach(turns, place)
            earlier = [one for one in range(reach) if turns[one].after == turn.after]
            found.append(found[earlier[-1]] if earlier else None)
        else:
            found.append(turn)
    return found[-1]


def _reach(turns: Sequence[Turn], place: int) -> int:
    """How many lines from the first can have left what this one brought back.

    The same label at the same place in the order may have been given twice. An undo brings back what was before its
    step, a redo what its step left; a journey may come from anywhere, so the latest is believed.
    """
    turn = turns[place]
    own = [one for one in range(place) if turns[one].step == turn.step and turns[one].by not in (By.UNDO, By.REDO)]
    if turn.by is By.TRAVEL or not own:
        return place
    return own[0] if turn.by is By.UNDO else own[-1] + 1


def _turn(row: Row) -> Turn:
    _, number, moment, step, by, before, position_before, after, position_after = row
    places = [
        None if klass is None else Place(klass, position)
        for klass, position in ((before, position_before), (after, position_after))
    ]
    return Turn(number, moment, step, By(by), *places)
