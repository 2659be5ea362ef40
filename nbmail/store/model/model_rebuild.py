"""Rebuild of the model by learning all labels again."""

from collections import deque
from collections.abc import Generator, Sequence

from nbmail.core.scoring.model import LearnRecord, Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.store.labels.labels import Labelled
from nbmail.store.tables import Tables

# Latest labels whose learning records are stored, so that an undo of them is exact without a
# rebuild.
LATEST = 1000
# Labels learned at once: about 3 ms.
_PIECE = 128


class ModelRebuild:
    """Rebuild of `model`, while another model is in use.

    Labels added meanwhile are at the end of the learning order, so that the rebuild learns them
    too. A change at an earlier position makes the rebuild obsolete. `latest`: learning records of
    the latest labels.
    """

    def __init__(
        self, model: Model, tables: Tables, start: ModelContent | None, position: int = 0
    ) -> None:
        """Prepare a rebuild.

        `start`: imported counts and labels up to `position`; None if `model` contains them.
        """
        self.model = model
        self.position = position
        self.latest: deque[tuple[int, LearnRecord]] = deque(maxlen=LATEST)
        self.done = 0
        """Number of labels learned."""
        self._tables = tables
        self._baseline = tables.baseline
        self._line = tables.journal.last_entry()
        self._looked_at = self._changed_rows()
        """Changed rows at the latest look for changed labels."""
        self._learned_at = -1
        """Changed rows when all labels were learned."""
        self._is_obsolete = False
        self._is_whole = position == 0
        self._validating: Generator[None, None, None] | None = None
        if start is not None:
            model.restore(start)

    @property
    def is_obsolete(self) -> bool:
        """True if labels that this rebuild has learned have changed since."""
        changed = self._changed_rows()
        if changed == self._looked_at:
            return self._is_obsolete
        self._looked_at = changed
        journal = self._tables.journal
        if self._tables.baseline != self._baseline or journal.touches(self._line, self.position):
            self._is_obsolete = True
        self._line = journal.last_entry()
        return self._is_obsolete

    def advance(self, most: int = _PIECE) -> bool:
        """Learn at most `most` labels, or score one fold of the first labels.

        False if complete or obsolete. Only a rebuild from the first label on can score the first
        labels again. Another one becomes obsolete.
        """
        if self.is_obsolete:
            return False
        if self._learn_next(most):
            return True
        if not self.model.held_out.needs_rescoring:
            return False
        if not self._is_whole:
            self._is_obsolete = True
            return False
        if self._validating is None:
            self._validating = self.model.cross_validating()
        next(self._validating, None)
        return True

    def _learn_next(self, most: int) -> bool:
        """Learn at most `most` labels. False if all are learned."""
        if self._looked_at == self._learned_at:
            return False
        labelled = self._tables.labels.in_order(self.position, most)
        if not labelled:
            self._learned_at = self._looked_at
            return False
        self._learn(labelled)
        return True

    def _changed_rows(self) -> int:
        """Return the number of rows that were changed since the database was opened."""
        return self._tables.connection.number("SELECT total_changes()")

    def _learn(self, labelled: Sequence[Labelled]) -> None:
        records = self.model.learn_many(
            [one.sample for one in labelled],
            [one.label for one in labelled],
            [one.asked for one in labelled],
        )
        for one, record in zip(labelled, records, strict=True):
            self.latest.append((one.position, record))
        self.position = labelled[-1].position
        self.done += len(labelled)
        self._validating = None
