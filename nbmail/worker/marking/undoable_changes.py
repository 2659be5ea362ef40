"""Undoable changes of what the model is made of."""

from collections.abc import Callable

from nbmail.core.scoring.verdict import Costs
from nbmail.store.labels.marks import LabelChanges
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.marking.changed_verdicts import ChangedVerdicts
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.rereading.rereading import Rereading


class UndoableChanges:
    """Makes a change, and lets model, scores and window follow."""

    def __init__(self, updates: Updates, rereading: Rereading, verdicts: ChangedVerdicts) -> None:
        self._updates = updates
        self._store = updates.store
        self._count_phrases = rereading.count_phrases
        self._verdicts = verdicts

    def run(self, change: Callable[[], LabelChanges]) -> JobSteps[Marked]:
        """Make a change in one transaction, and report it with its effects."""
        before = self._verdicts.copy_scores()
        revision = self._store.samples_revision
        done = change()
        unread = 0
        if done.base:
            unread = yield from self._count_phrases()
        if self._store.samples_revision != revision:
            yield from self._updates.rebuild()
        if done.method:
            yield from self._updates.rebuild(method=done.method)
        if done.costs:
            self._updates.set_costs(Costs(*done.costs))
        self._updates.labels_changed(done)
        yield from self._updates.apply()

        messages = _messages(done)
        changed = yield from self._verdicts.count(before, messages)
        affects_scores = done.base or bool(done.method or done.costs)
        step = self._store.steps.figures(done.step)
        return Marked(messages, _label(done), changed, affects_scores, step, unread=unread)


def _messages(done: LabelChanges) -> tuple[int, ...]:
    """Return the messages that changed or moved, each once."""
    changed = dict.fromkeys(change.message for change in done.changes)
    return tuple(changed | dict.fromkeys(done.moved))


def _label(done: LabelChanges) -> str | None:
    """Return the new label of all changed messages, None if they have different ones."""
    labels = {change.after for change in done.changes}
    return labels.pop() if len(labels) == 1 else None
