"""Folding the model anew from the imported base and all labels in their order, in pieces, while marks go on."""

from __future__ import annotations

from nbmail.core.judging.model import Model, Step
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.journal import Journal
from nbmail.store.labels.labels import Labels
from nbmail.store.model.imported_bases import Bases
from nbmail.store.model.learned import LearnedTable


class Fold:
    """A model being built beside the one in use; `model` is it.

    New marks meanwhile stand at the end of the order, so the fold meets them too. What changes an earlier place makes
    the fold worthless: `disturbed` says so, and a new one has to be begun.
    """

    def __init__(
        self,
        model: Model,
        bases: Bases,
        labels: Labels,
        journal: Journal,
        learned: LearnedTable,
        *,
        settings: SettingsTable,
    ) -> None:
        self.model = model.fresh()
        self._settings, self._written = settings, 0
        self._base, self._bases = bases.current, bases
        self._labels, self._journal, self._learned = labels, journal, learned
        self._line = journal.last_line()
        self._position = 0
        self._disturbed = False
        self._steps: list[tuple[int, Step]] = []
        self.model.restore(*bases.start())
        self.model.settled = True

    @property
    def done(self) -> int:
        """How many labels have been learned."""
        return len(self._steps)

    @property
    def disturbed(self) -> bool:
        """Whether labels or the base behind this fold's back have changed."""
        if self._bases.current != self._base or self._journal.touches(self._line, self._position):
            self._disturbed = True
        self._line = self._journal.last_line()
        return self._disturbed

    def advance(self, most: int = 50) -> bool:
        """Learn the next labels; False once there is none left, or no use in going on."""
        if self.disturbed:
            return False
        piece = self._labels.in_order(self._position, most)
        if piece:
            learned = self.model.learn_many([one.sample for one in piece], [one.label for one in piece])
            self._steps += zip((one.message for one in piece), learned, strict=True)
            self._position = piece[-1].position
        return bool(piece)

    def keep_steps(self, most: int = 500) -> bool:
        """Write ahead what learning the next labels gave back; False once there is none left.

        Until the fold is kept they fit no model that is on the disk, which therefore counts as unsettled.
        """
        piece = self._steps[self._written : self._written + most]
        if piece:
            if not self._written:
                self._settings.set("settled", False)
            self._labels.put_steps(piece)
            self._written += len(piece)
        return bool(piece)

    def keep(self) -> Model:
        """Write the finished model and hand it over: what was learned while folding is in it."""
        while self.advance():
            pass
        if self.disturbed:
            raise ValueError("labels have changed under the fold")
        self._learned.write_fold(self.model, self._steps[self._written :])
        return self.model
