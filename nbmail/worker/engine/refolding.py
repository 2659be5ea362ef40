"""Folding the model anew where labels changed in the middle of their order, or because the user asks for it."""

from collections.abc import Callable
from typing import Any

from nbmail.store.store import Store
from nbmail.values import FolderName
from nbmail.worker.engine.job_queue import Lane, Pause, Slices

AddJob = Callable[[Callable[[], Any], Lane], None]


class Refolding:
    """Sees to it that the model becomes exactly what the labels say. `folded` is called each time it has."""

    def __init__(self, store: Store, add_job: AddJob, folded: Callable[[], None]) -> None:
        self._store, self._add_job, self._folded = store, add_job, folded
        self._in_background = False
        self.training: set[FolderName] = set()
        """The folders whose first training is under way: the fold waits until it is over."""

    def see_to_it(self) -> None:
        """Fold once there is time, if that is needed."""
        if not (self._store.model.settled or self.training or self._in_background):
            self._in_background = True
            self._add_job(self._fold_in_background, Lane.REST)

    def catch_up(self) -> Slices:
        """Fold at once if the model has not followed the labels, so that what was done shows."""
        if self._store.model.lagging:
            yield from self.fold()

    def fold(self) -> Slices:
        """Build the model from the base and all labels beside the one in use, then swap them."""
        model, labels = self._store.model, self._store.labels
        while True:
            building, total = model.fold(), len(labels)
            while building.advance():
                yield Pause(building.done, max(total, building.done), Lane.WORK)
            if not building.disturbed:
                model.take_up(building)
                self._folded()
                return

    def _fold_in_background(self) -> Slices:
        """Begins anew when labels changed in the middle; gives up where somebody else has folded, or a training runs:
        the end of that asks for another.
        """
        model = self._store.model
        try:
            while not (model.settled or self.training):
                building = model.fold()
                while not model.settled and building.advance():
                    yield Pause()
                if not (model.settled or building.disturbed):
                    model.take_up(building)
                    self._folded()
        finally:
            self._in_background = False
