"""Source of each label: the latest entry that assigned this label at this position."""

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.arrays import LongArray
from nbmail.store.files.columns import listed
from nbmail.store.files.connection import Connection, Row
from nbmail.store.labels.journal import RESTORING, By, source_of
from nbmail.store.labels.labels import Labels
from nbmail.store.labels.undo_steps import UndoSteps
from nbmail.values import LabelSource, ShortArray, SourcedLabel

UNKNOWN_SOURCE = LabelSource()
"""Source of a label without a journal entry."""
# SQLite takes the other columns from the row with the `max`. Only folders need their step.
_ASSIGNED = """
SELECT labels.message, by, iif(by = 'folder', coalesce(step, 0), 0), journal.moment,
  max(journal.number)
FROM labels
JOIN journal ON journal.message = labels.message AND after = class AND position_after = position
WHERE labels.message {which} AND by NOT IN ('undo', 'redo', 'restore') GROUP BY labels.message
"""
# Message numbers per requested message, up to which a range is read instead of single rows.
_NEAR = 4


class LabelSources:
    """Reads sources from the journal. Entries that only restore a label don't count."""

    def __init__(self, connection: Connection, labels: Labels, steps: UndoSteps) -> None:
        self._connection = connection
        self._labels = labels
        self._steps = steps

    def find(self, message: int) -> SourcedLabel | None:
        """Return the label of a message with source and time; None without a label."""
        label = self._labels.of([message]).get(message)
        if label is None:
            return None
        last = self._connection.row(
            "SELECT by, moment FROM journal WHERE message = ? ORDER BY number DESC LIMIT 1",
            (message,),
        )
        back_by = ""
        back_moment = 0.0
        if last and last[0] in RESTORING:
            back_by, back_moment = last

        assigned = self._connection.row(_ASSIGNED.format(which="= ?"), (message,))
        if assigned is None:
            return SourcedLabel(label, UNKNOWN_SOURCE, 0.0, back_by, back_moment)
        _, by, step, moment, _ = assigned
        source = self._folders().get(step) or LabelSource(by)
        return SourcedLabel(label, source, moment, back_by, back_moment)

    def names(self) -> tuple[LabelSource, ...]:
        """Return all sources. New ones are added at the end."""
        kinds = [UNKNOWN_SOURCE, *(LabelSource(by.value) for by in By), LabelSource("files")]
        return tuple(dict.fromkeys([*kinds, *self._folders().values()]))

    def column(self, messages: LongArray, names: Sequence[LabelSource]) -> ShortArray:
        """Return the index of each message's source in `names`.

        `messages`: labelled, in ascending order.
        """
        numbers = messages.tolist()
        if not numbers:
            return np.zeros(0, np.int16)
        rows = self._assigned(numbers)
        indexes = {name: index for index, name in enumerate(names)}
        folders = self._folders()
        kinds = dict[tuple[str, int], int]()
        for by, step in {(row[1], row[2]) for row in rows}:
            kinds[by, step] = indexes[folders.get(step) or LabelSource(by)]

        found = {message: kinds[by, step] for message, by, step, _, _ in rows}
        unknown = indexes[UNKNOWN_SOURCE]
        return np.array([found.get(message, unknown) for message in numbers], np.int16)

    def _assigned(self, messages: list[int]) -> list[Row]:
        first = messages[0]
        last = messages[-1]
        if last - first < _NEAR * len(messages):
            return self._connection.rows(_ASSIGNED.format(which="BETWEEN ? AND ?"), (first, last))
        query = _ASSIGNED.format(which="IN (SELECT value FROM json_each(?))")
        return self._connection.rows(query, (listed(messages),))

    def _folders(self) -> dict[int, LabelSource]:
        """Return the source of each step that was learned from a folder or from files."""
        return {
            step: source_of(By.FOLDER, account, folder)
            for step, account, folder in self._steps.folders()
        }
