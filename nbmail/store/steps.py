"""The user's steps in short, to be named before they are taken back."""

from __future__ import annotations

from nbmail.store.connection import Connection
from nbmail.store.labels import Labels
from nbmail.store.values import By, StepFigures


class Steps:
    """Looks at steps; the journal writes them."""

    def __init__(self, connection: Connection, labels: Labels) -> None:
        self._connection = connection
        self._labels = labels

    def figures(self, step: int) -> StepFigures | None:
        """A step in short, as it was taken first."""
        row = self._connection.row(
            "SELECT steps.by, count(message), count(DISTINCT coalesce(after, 0)), max(after), min(message) FROM steps"
            " LEFT JOIN journal ON step = steps.number AND journal.by NOT IN ('undo', 'redo') WHERE steps.number = ?"
            " GROUP BY steps.number",
            (step,),
        )
        if row is None:
            return None
        by, count, kinds, after, first = row
        one_kind = kinds == 1 and after is not None
        return StepFigures(By(by), count, self._labels.name(after) if one_kind else None, first)
