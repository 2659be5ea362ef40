"""Consequences of changed labels and new mail: rebuilds of the model, rescoring, and what the window must show."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nbmail.core.counting.sample import IntArray
from nbmail.core.scoring.explanation import Costs
from nbmail.core.scoring.held_out_scores import MOST
from nbmail.core.scoring.model import Model
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.messages import Content
from nbmail.store.store import Store, Taken
from nbmail.values import FolderName, Rows, Scores
from nbmail.worker.engine.job_queue import AddJob, Announcer, Changes, JobSteps, Pause, Priority
from nbmail.worker.model.scores import MailboxScores, base_rate
from nbmail.worker.protocol.events import ClassFigures, Learned

MAX_NAMED = 32
"""Changes of the largest step that is summarized with every change of the model."""


@dataclass(slots=True)
class FirstTrainings:
    """First trainings of folders: those under way, and the undo step that the next delivery of each continues."""

    running: set[FolderName] = field(default_factory=set)
    steps: dict[FolderName, int] = field(default_factory=dict)


class Scoring:
    """All scores by the current model, with its cost setting, base rate and ignored words."""

    def __init__(self, store: Store, costs: Costs) -> None:
        self._store, self.costs = store, costs
        self.all = MailboxScores(store.word_ids)
        self.filed: Callable[[], Collection[int]] = lambda: ()
        """Called for the mail in suggested folders, which is left out of the base rate."""
        self._base_rate = 0.5
        self._ignored: IntArray | None = None

    @property
    def model(self) -> Model:
        return self._store.model.model

    def invalidate(self, *, ignored_words_changed: bool = False) -> None:
        """Mark all scores as stale, because the model or one of its settings changed."""
        if self._ignored is None or ignored_words_changed:
            words = self._store.ignored_words.now()
            self._ignored = np.array(self._store.words.vocabulary.numbers_of(words), np.int32)
            self.all.grow()
            self.all.apply_rules(self._store.sender_rules.matches())
        self.model.costs, self.model.base_rate, self.model.ignored = self.costs, self._base_rate, self._ignored
        self.all.invalidate()

    def add(self, messages: Sequence[int]) -> None:
        """Score new messages, unless all scores are stale anyway."""
        self.all.grow()
        self.all.apply_rules(self._store.sender_rules.matches(messages), messages)
        if self.all.is_current:
            self.all.score(self.model, messages)

    def update(self) -> JobSteps[None]:
        """Update all scores, and the base rate that follows from them."""
        while not self.all.is_current:
            yield from self.all.update(lambda: self.model)
            self._base_rate = base_rate(self._store, self.model, self.all, self.filed())
            if self._base_rate != self.model.base_rate:
                self.model.base_rate = self._base_rate
                yield from self.all.recompute_verdicts(self.model)

    def scores_of(self, messages: Sequence[int]) -> Scores:
        if not self.all.is_current:
            self.all.score(self.model, messages)
        return self.all.scores(messages)

    def with_scores(self, rows: Rows) -> Rows:
        return replace(rows, scores=self.all.scores(rows.messages))

    # ------------------------------------------------------------------------------- `job_queue.ChangeSource`

    def read_rows(self, messages: list[int]) -> Rows:
        """Return the rows of these messages with current scores."""
        if not self.all.is_current:
            self.all.score(self.model, messages)
        return self.with_scores(self._store.listing.some(messages))

    def take_scores(self) -> Scores | None:
        """Return the scores that changed since the last call. Visible messages are scored now."""
        if not self.all.is_current:
            self.all.score(self.model, self.all.visible)
        return self.all.take_altered()

    def summary(self) -> Learned:
        """Summarize the model."""
        model, counts = self.model, self.model.counts
        figures = [
            ClassFigures(name, counts.messages[row], int(np.count_nonzero(counts.documents[row])))
            for row, name in enumerate(counts.classes)
        ]
        (undo, redo), (next_undo, next_redo) = self._store.steps.depth(), self._store.steps.preview(MAX_NAMED)
        return Learned(
            classes=tuple(figures),
            vocabulary=counts.words,
            held_out=model.held_out.count(),
            calibrated=model.calibrated,
            method=model.method,
            undo=undo,
            redo=redo,
            is_exact=self._store.model.is_exact,
            junk_from=self.costs.junk_from,
            next_undo=next_undo,
            next_redo=next_redo,
            costs=self.costs.values,
        )


class RebuildScheduler:
    """Rebuilds the model after changes in the middle of the learning order, or on request, then calls `rebuilt`."""

    def __init__(self, store: Store, add_job: AddJob, trainings: FirstTrainings, rebuilt: Callable[[], object]) -> None:
        self._store, self._add_job, self._rebuilt = store, add_job, rebuilt
        self._trainings = trainings
        self._is_scheduled = False

    def schedule(self) -> None:
        """Schedule a rebuild for idle time, if the model needs one. It waits for the end of first trainings."""
        if not (self._store.model.is_exact or self._trainings.running or self._is_scheduled):
            self._is_scheduled = True
            self._add_job(self._rebuild_when_idle(), Priority.IDLE)

    def rebuild_if_stale(self) -> JobSteps[None]:
        """Rebuild immediately if the model is stale, so that the user sees the change."""
        if self._store.model.is_stale:
            yield from self.rebuild()

    def rescore_if_needed(self) -> JobSteps[None]:
        """Rebuild immediately if only the first labels need rescoring: they are few, and the window shows them."""
        model = self._store.model
        few = len(self._store.labels) <= 2 * MOST
        if model.model.needs_rescoring and model.model.is_exact and few and not self._trainings.running:
            yield from self.rebuild()

    def rebuild(self, is_needless: Callable[[], object] = lambda: False, *, method: str = "") -> JobSteps[None]:
        """Build a second model from imported counts and all labels, then replace the current one.

        `method`: another method for the new model. The rebuild starts again if labels change meanwhile in the middle
        of the learning order, and is abandoned when `is_needless` returns True.
        """
        model, labels = self._store.model, self._store.labels
        while not is_needless():
            building, total, learned = model.begin_rebuild(method), len(labels), 0
            while not is_needless() and building.advance():
                # The work after the last label takes a moment at most: no progress is reported for it.
                shown = (building.done, max(total, building.done)) if building.done > learned else (0, 0)
                learned = building.done
                yield Pause(*shown, Priority.WORK)
            if not (is_needless() or building.is_obsolete):
                model.adopt(building)
                self._rebuilt()
                return

    def _rebuild_when_idle(self) -> JobSteps[None]:
        """Rebuild at low priority. Abandoned after another rebuild, and during a training, whose end schedules one."""
        try:
            for _ in self.rebuild(lambda: self._store.model.is_exact or self._trainings.running):
                yield Pause()
        finally:
            self._is_scheduled = False


class Updates:
    """Brings model, scores and window up to date. `wake` is called with each account that has new server actions."""

    def __init__(
        self,
        store: Store,
        scoring: Scoring,
        changes: Changes,
        announcer: Announcer,
        *,
        add_job: AddJob,
        wake: Callable[[str], None],
    ) -> None:
        self._store, self._scoring, self._changes = store, scoring, changes
        self._add_job, self._announcer, self._wake = add_job, announcer, wake
        self.trainings = FirstTrainings()
        self.rebuilds = RebuildScheduler(store, add_job, self.trainings, self.model_changed)
        self.is_rescoring = False

    def mail_stored(self, contents: Sequence[Content], taken: Taken) -> None:
        """Score stored mail and note what changed in the list."""
        self._changes.untidy = True
        # Of copies the first is stored.
        samples = {message: one.sample for message, one in zip(taken.messages[::-1], contents[::-1], strict=True)}
        fresh = sorted(taken.fresh)
        self._store.word_ids.append(fresh, [samples[message] for message in fresh])
        self._scoring.add(fresh)
        self._changes.rows_changed([*taken.messages, *taken.flagged, *taken.displaced])
        self._changes.gone(taken.unlocated)

    def labels_changed(self, done: LabelChanges) -> None:
        """Note changes of labels, imported counts or ignored words, and schedule what follows from them."""
        if done.moved:
            self.messages_moved(done.moved)
        if done.changes or done.base:
            self._changes.untidy = True
            self._changes.rows_changed(change.message for change in done.changes)
            self.model_changed(ignored_words_changed=done.base)
            self.rebuilds.schedule()
            self._wake_accounts()

    def messages_moved(self, messages: Collection[int]) -> None:
        """Note that folders or flags of messages changed, and have the accounts tell their servers."""
        self._changes.untidy = True
        self._changes.rows_changed(messages)
        self._changes.learned()
        self._wake_accounts()

    def _wake_accounts(self) -> None:
        for account in {*self._store.filed.accounts(), *self._store.outbox.accounts()}:
            self._wake(account)

    def model_changed(self, *, ignored_words_changed: bool = False) -> None:
        """Invalidate all scores. Visible ones are updated at the next flush, the others when there is time.

        During a first training the others wait until it is over.
        """
        self._scoring.invalidate(ignored_words_changed=ignored_words_changed)
        self._changes.scores_changed()
        self._changes.learned()
        if not (self.is_rescoring or self.trainings.running):
            self.is_rescoring = True
            self._add_job(self._rescore(), Priority.SCORES)

    def set_costs(self, costs: Costs) -> None:
        """Use these costs for all verdicts."""
        self._scoring.costs = costs
        self.model_changed()

    def training_ended(self, *folders: FolderName) -> None:
        """Do what was deferred during the first training of these folders."""
        self.trainings.running.difference_update(folders)
        self.rebuilds.schedule()
        if not self._scoring.all.is_current:
            self.model_changed()

    def apply(self) -> JobSteps[None]:
        """Show changed labels and visible scores immediately, then update all other scores."""
        yield from self.rebuilds.rebuild_if_stale()
        self._announcer.flush()
        yield Pause(priority=Priority.SCORES)
        yield from self.rebuilds.rescore_if_needed()
        yield from self.rescore()
        self._announcer.flush()

    def rescore(self) -> JobSteps[None]:
        """Update all scores and note that they changed."""
        yield from self._scoring.update()
        self._changes.scores_changed()

    def _rescore(self) -> JobSteps[None]:
        try:
            yield from self.rescore()
        finally:
            self.is_rescoring = False
