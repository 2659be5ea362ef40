"""Undo, redo, restore and reset of labels."""

from collections.abc import Callable, Collection
from typing import Protocol

from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import LabelChanges
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.marking.label_jobs import LabelJobs
from nbmail.worker.marking.undoable_changes import UndoableChanges
from nbmail.worker.model.model_export import back_up
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.marks import Marked, ModelReset
from nbmail.worker.sorting.put_back import PutBack


class _UndoOrRedo(Protocol):
    def __call__(self, *, moment: float) -> LabelChanges: ...


class Undoing:
    """Goes back and forth in the history of labels."""

    def __init__(
        self, updates: Updates, jobs: LabelJobs, put_back: PutBack, changes: UndoableChanges
    ) -> None:
        self._updates = updates
        self._store = updates.store
        self._clock = updates.around.clock
        self._jobs = jobs
        self._put_back = put_back
        self._changes = changes

    def undo(self, limit: int | None = None) -> JobSteps[Marked]:
        """Undo the latest step. The result has no messages if there was nothing to undo.

        A step of more than `limit` labels is not undone, only described: `Marked.too_large` is True
        then. A job that still works on the step ends first.
        """
        latest = self._store.steps.next_undo()
        if latest is not None and limit is not None:
            step = self._store.steps.figures(latest.number)
            if step is not None and step.messages > limit:
                return Marked((), None, step=step, too_large=True)
        if latest is not None:
            self._jobs.stop_step(latest.number)
        self._updates.training_steps.clear()
        return (yield from self._changes.run(self._undo))

    def redo(self) -> JobSteps[Marked]:
        """Redo the latest undone step."""
        return self._changes.run(self._redo)

    def restore(self, before: int) -> JobSteps[Marked]:
        """Restore all labels to their state before the step of the journal entry with number
        `before`.

        Moves are only reverted: a restore causes no new move.
        """
        self._jobs.stop()
        entry = self._store.journal.entry_before(before)
        return self._changes.run(lambda: self._store.marks.restore(entry, moment=self._clock()))

    def reset(self) -> JobSteps[ModelReset]:
        """Forget all labels and everything imported, after a backup of the model. One undo step."""
        self._jobs.stop()
        # An inexact model has all counts. During a first training a rebuild would begin again with
        # each delivery.
        if self._store.model.is_stale:
            yield from self._updates.rebuild()
        path = yield from back_up(self._store, self._clock())
        self._updates.training_steps.clear()
        done = self._store.marks.reset(moment=self._clock())
        self._updates.labels_changed(done)
        yield from self._updates.apply()
        return ModelReset(len(done.changes), path)

    def _undo(self) -> LabelChanges:
        return self._turn(self._store.marks.undo, self._put_back.undone)

    def _redo(self) -> LabelChanges:
        return self._turn(self._store.marks.redo, self._put_back.redone)

    def _turn(
        self, change: _UndoOrRedo, note_rescued: Callable[[Collection[int]], None]
    ) -> LabelChanges:
        """Undo or redo a step, with the moves of sorted messages that belong to it."""
        with self._store.transaction():
            done = change(moment=self._clock())
            step = self._store.steps.figures(done.step, 0)
            if step is not None and step.by == By.SORTING:
                self._put_back.move_back(self._store.sorted_moves.requested(done.step))
            if step is not None and step.by == By.MOVE:
                note_rescued(self._store.filed.rescued(done.step))
            self._put_back.labels_changed(done.changes)
        return done
