"""Consequences of changed labels and new mail for model, scores and window."""

from collections.abc import Callable, Collection, Sequence

from nbmail.core.calibration.cross_validation import MOST
from nbmail.core.scoring.verdict import Costs
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.messages import Content
from nbmail.store.store import Store, Taken
from nbmail.values import FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority, Surroundings
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.scores.changes import Changes
from nbmail.worker.scores.scores import Scoring


class Updates:
    """Brings model, scores and window up to date, for all parts that change something.

    `trainings`: folders whose first training is under way. `training_steps`: the undo step that the
    next delivery of such a folder continues. `filed`: returns the mail in suggested folders.
    """

    def __init__(
        self,
        store: Store,
        scoring: Scoring,
        changes: Changes,
        around: Surroundings,
        filed: Callable[[], Collection[int]],
    ) -> None:
        self.store = store
        self.scoring = scoring
        self.changes = changes
        self.around = around
        self._filed = filed
        self.trainings = set[FolderName]()
        self.training_steps = dict[FolderName, int]()
        self.is_rescoring = self._is_rebuild_scheduled = False

    def mail_stored(self, contents: Sequence[Content], taken: Taken) -> None:
        self.changes.untidy = True
        # Of copies the first is stored.
        samples = {
            message: one.sample
            for message, one in zip(taken.messages[::-1], contents[::-1], strict=True)
        }
        fresh = sorted(taken.fresh)
        self.store.word_ids.append(fresh, [samples[message] for message in fresh])
        self.scoring.add(fresh)
        self.changes.rows_changed([*taken.messages, *taken.flagged, *taken.displaced])
        self.changes.gone(taken.unlocated)

    def labels_changed(self, done: LabelChanges) -> None:
        if done.moved:
            self.messages_moved(done.moved)
        if done.changes or done.base:
            self.changes.untidy = True
            self.changes.rows_changed(change.message for change in done.changes)
            self.model_changed(ignored_words_changed=done.base)
            self._schedule_rebuild()
            self._wake_accounts()

    def messages_moved(self, messages: Collection[int], *, is_step: bool = True) -> None:
        """Note that folders or flags changed, by an undo step or not, and have the accounts inform
        their servers.
        """
        self.changes.untidy = True
        self.changes.rows_changed(messages)
        if is_step:
            self.changes.learned()
        self._wake_accounts()

    def model_changed(self, *, ignored_words_changed: bool = False) -> None:
        """Invalidate all scores. Visible ones are updated at the next flush, the others when there
        is time.

        During a first training the others wait until it is over.
        """
        self.scoring.invalidate(ignored_words_changed=ignored_words_changed)
        self.changes.scores_changed()
        self.changes.learned()
        if not (self.is_rescoring or self.trainings):
            self.is_rescoring = True
            self.around.add_job(self._rescore_when_due(), Priority.SCORES)

    def set_costs(self, costs: Costs) -> None:
        self.scoring.costs = costs
        self.model_changed()

    def training_ended(self, *folders: FolderName) -> None:
        self.trainings.difference_update(folders)
        self._schedule_rebuild()
        if not self.scoring.is_current:
            self.model_changed()

    def apply(self) -> JobSteps[None]:
        """Show changed labels and visible scores immediately, then update all other scores.

        A stale model is rebuilt before, so that the user sees the change. It is rebuilt as well if
        only the first labels need rescoring: they are few, and the window shows them.
        """
        model = self.store.model
        if model.is_stale:
            yield from self.rebuild()
        self.changes.flush()
        yield Pause(priority=Priority.SCORES)
        few = len(self.store.labels) <= 2 * MOST and not self.trainings
        if few and model.model.held_out.needs_rescoring and model.model.is_exact:
            yield from self.rebuild()
        yield from self.rescore()
        self.changes.flush()

    def rescore(self) -> JobSteps[None]:
        yield from self.scoring.update(self._filed)
        self.changes.scores_changed()

    def make_exact(self) -> JobSteps[None]:
        if not self.store.model.is_exact:
            yield from self.rebuild()

    def rebuild(
        self, is_needless: Callable[[], object] = lambda: False, *, method: str = ""
    ) -> JobSteps[None]:
        """Build a second model from imported counts and all labels, then replace the current one.

        `method`: another method for the new model. The rebuild starts again if labels change
        meanwhile in the middle of the learning order, and is abandoned when `is_needless` returns
        True.
        """
        model = self.store.model
        labels = self.store.labels
        while not is_needless():
            building = model.begin_rebuild(method_named(method) if method else None)
            total = len(labels)
            learned = 0
            while not is_needless() and building.advance():
                # The work after the last label takes a moment at most: no progress is reported for
                # it.
                shown = (
                    (building.done, max(total, building.done))
                    if building.done > learned
                    else (0, 0)
                )
                learned = building.done
                yield Pause(*shown, Priority.WORK)
            if not (is_needless() or building.is_obsolete):
                model.adopt(building)
                self.model_changed()
                return

    def _schedule_rebuild(self) -> None:
        """Rebuild when idle, if the model needs it, but not during first trainings."""
        if not (self.store.model.is_exact or self.trainings or self._is_rebuild_scheduled):
            self._is_rebuild_scheduled = True
            self.around.add_job(self._rebuild_when_idle(), Priority.IDLE)

    def _rebuild_when_idle(self) -> JobSteps[None]:
        """Rebuild at low priority. Abandoned after another rebuild, and during a training, whose
        end schedules one.
        """
        try:
            for _ in self.rebuild(lambda: self.store.model.is_exact or self.trainings):
                yield Pause()
        finally:
            self._is_rebuild_scheduled = False

    def _rescore_when_due(self) -> JobSteps[None]:
        try:
            yield from self.rescore()
        finally:
            self.is_rescoring = False

    def _wake_accounts(self) -> None:
        for account in self.store.accounts_with_actions():
            self.around.wake(account)
