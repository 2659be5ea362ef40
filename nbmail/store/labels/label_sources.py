"""Who gave each label: the latest line of the journal that gave this very label at this very place in the order.

An undo, a redo or a journey only brings a label back to its place: whoever gave it then has given it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.store.files.connection import Connection, listed
from nbmail.store.labels.journal import By, source_of
from nbmail.store.labels.labels import Labels
from nbmail.store.labels.undo_steps import UndoSteps
from nbmail.values import LabelSource, SourcedLabel

NOBODY = LabelSource()
"""For a label of which the journal knows nothing."""
_RETURNS = (By.UNDO, By.REDO, By.RESTORE)
# SQLite takes what stands beside the only `max` from the row that has it. A step matters only where it is a folder's.
_GAVE = """
SELECT labels.message, by, iif(by = 'folder', coalesce(step, 0), 0), journal.moment, max(journal.number)
FROM labels JOIN journal ON journal.message = labels.message AND after = class AND position_after = position
WHERE labels.message {which} AND by NOT IN ('undo', 'redo', 'travel') GROUP BY labels.message
"""
# Up to so many numbers a message asked for, a range is read rather than each of them.
_NEAR = 4


class LabelSources:
    """Reads who gave labels; the journal writes it."""

    def __init__(self, connection: Connection, labels: Labels, steps: UndoSteps) -> None:
        self._connection = connection
        self._labels = labels
        self._steps = steps

    def given(self, message: int) -> SourcedLabel | None:
        """The label of a message, by whom and when; None for one without."""
        label = self._labels.of([message]).get(message)
        if label is None:
            return None
        gave = self._connection.row(_GAVE.format(which="= ?"), (message,))
        last = self._connection.row(
            "SELECT by, moment FROM journal WHERE message = ? ORDER BY number DESC LIMIT 1", (message,)
        )
        back = last if last and last[0] in _RETURNS else ("", 0.0)
        if gave is None:
            return SourcedLabel(label, NOBODY, 0.0, *back)
        _, by, step, moment, _ = gave
        return SourcedLabel(label, self._folders().get(step) or LabelSource(by), moment, *back)

    def names(self) -> tuple[LabelSource, ...]:
        """All givers there are. More may join at the end; none changes its place."""
        kinds = [NOBODY, *(LabelSource(by.value) for by in By), LabelSource("files")]
        return tuple(dict.fromkeys([*kinds, *self._folders().values()]))

    def column(self, messages: LongArray, names: Sequence[LabelSource]) -> Any:
        """For each of these labelled messages, in their rising order, the place of its giver among the names."""
        numbers = messages.tolist()
        if not numbers:
            return np.zeros(0, np.int16)
        near = numbers[-1] - numbers[0] < _NEAR * len(numbers)
        which = "BETWEEN ? AND ?" if near else "IN (SELECT value FROM json_each(?))"
        wanted = (numbers[0], numbers[-1]) if near else (listed(numbers),)
        rows = self._connection.rows(_GAVE.format(which=which), wanted)
        places, folders = {label_source: place for place, label_source in enumerate(names)}, self._folders()
        kinds = {kind: places[folders.get(kind[1]) or LabelSource(kind[0])] for kind in {row[1:3] for row in rows}}
        found = {row[0]: kinds[row[1:3]] for row in rows}
        return np.array([found.get(message, places[NOBODY]) for message in numbers], np.int16)

    def _folders(self) -> dict[int, LabelSource]:
        """The giver of each step that was learned from a folder or from files."""
        return {step: source_of(By.FOLDER, account, folder) for step, account, folder in self._steps.folders()}
