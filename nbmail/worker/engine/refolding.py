"""Folding the model anew where labels changed in the middle of their order, or because the user asks for it."""

from collections.abc import Callable
from typing import Any

from nbmail.core.scoring.held_out_scores import MOST
from nbmail.store.store import Store
from nbmail.values import FolderName
from nbmail.worker.engine.job_queue import JobSteps, Pause, Priority

AddJob = Callable[[Callable[[], Any], Priority], None]


class RebuildScheduler:
    """Sees to it that the model becomes exactly what the labels say. `folded` is called each time it has."""

    def __init__(self, store: Store, add_job: AddJob, folded: Callable[[], None]) -> None:
        self._store, self._add_job, self._folded = store, add_job, folded
        self._in_background = False
        self.training: set[FolderName] = set()
        """The folders whose first training is under way: the fold waits until it is over."""

    def fold_later(self) -> None:
        """Fold once there is time, if that is needed."""
        if not (self._store.model.is_exact or self.training or self._in_background):
            self._in_background = True
            self._add_job(self._fold_in_background, Priority.REST)

    def rebuild_if_stale(self) -> JobSteps:
        """Fold at once if the model has not followed the labels, so that what was done shows."""
        if self._store.model.is_stale:
            yield from self.fold()

    def rescore_if_needed(self) -> JobSteps:
        """Fold at once where only the first labels are to be scored anew: there are few, and what is shown follows."""
        model = self._store.model
        if (
            model.model.needs_rescoring
            and model.model.is_exact
            and not self.training
            and len(self._store.labels) <= 2 * MOST
        ):
            yield from self.fold()

    def fold(self, needless: Callable[[], object] = lambda: False, *, method: str = "") -> JobSteps:
        """Build the model from the base and all labels beside the one in use, then swap them.

        Another `method` may be named. Begins anew when labels changed in the middle, and gives up where it has become
        `needless`.
        """
        model, labels = self._store.model, self._store.labels
        while not needless():
            building, total, learned = model.fold(method), len(labels), 0
            while not needless() and building.advance():
                # Nothing is told of what comes when all are learned: it takes a moment at most.
                shown = (building.done, max(total, building.done)) if building.done > learned else (0, 0)
                learned = building.done
                yield Pause(*shown, Priority.WORK)
            if not (needless() or building.disturbed):
                model.take_up(building)
                self._folded()
                return

    def _fold_in_background(self) -> JobSteps:
        """Not where somebody else has folded, nor while a training runs: the end of that asks for another."""
        try:
            for _ in self.fold(lambda: self._store.model.is_exact or self.training):
                yield Pause()
        finally:
            self._in_background = False
