"""Consequences of changed labels and new mail for model, scores and window."""

from collections.abc import Callable, Collection, Sequence

from nbmail.core.calibration.cross_validation import MOST
from nbmail.core.counting.sample import Sample
from nbmail.core.scoring.verdict import Costs
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.messages import Content
from nbmail.store.model.model_rebuild import ModelRebuild
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
        self.is_rescoring = False
        self._is_rebuild_scheduled = False

    def mail_stored(self, contents: Sequence[Content], taken: Taken) -> None:
        """Score new messages, and announce all that a delivery changed."""
        self.changes.untidy = True
        samples = dict[int, Sample]()
        for message, content in zip(taken.messages, contents, strict=True):
            # Of copies the first is stored.
            samples.setdefault(message, content.sample)
        fresh = sorted(taken.fresh)
        self.store.word_ids.append(fresh, [samples[message] for message in fresh])
        self.scoring.add(fresh)
        self.changes.rows_changed([*taken.messages, *taken.flagged, *taken.displaced])
        self.changes.gone(taken.unlocated)

    def labels_changed(self, done: LabelChanges) -> None:
        """Announce changed labels and moved messages, and have everything else follow."""
        if done.moved:
            self.messages_moved(done.moved)
        if done.changes or done.base:
            self.changes.untidy = True
            self.changes.rows_changed(change.message for change in done.changes)
            self.model_changed(ignored_words_changed=done.base)
            self._schedule_rebuild()
            self._wake_accounts()

    def messages_moved(self, messages: Collection[int], *, is_step: bool = True) -> None:
        """Announce changed folders or flags, by an undo step or not, and wake the accounts."""
        self.changes.untidy = True
        self.changes.rows_changed(messages)
        if is_step:
            self.changes.learned()
        self._wake_accounts()

    def model_changed(self, *, ignored_words_changed: bool = False) -> None:
        """Invalidate all scores. Visible ones are updated at the next flush.

        The others follow when there is time, during a first training only after its end.
        """
        self.scoring.invalidate(ignored_words_changed=ignored_words_changed)
        self.changes.scores_changed()
        self.changes.learned()
        if not self.is_rescoring and not self.trainings:
            self.is_rescoring = True
            self.around.add_job(self._rescore_when_due(), Priority.SCORES)

    def set_costs(self, costs: Costs) -> None:
        self.scoring.costs = costs
        self.model_changed()

    def training_began(self, folder: FolderName, *, is_calibrated: bool) -> None:
        """Note a first training.

        `is_calibrated`: the model had learned both classes before. Otherwise there are no verdicts
        until the training ends.
        """
        self.trainings.add(folder)
        if not is_calibrated:
            self.scoring.withheld = True

    def training_ended(self, *folders: FolderName) -> None:
        """Note that first trainings are over, and make up for what they put off."""
        self.trainings.difference_update(folders)
        self._schedule_rebuild()
        is_first = self.scoring.withheld and not self.trainings
        if is_first:
            self.scoring.withheld = False
        if is_first or not self.scoring.is_current:
            self.model_changed()

    def apply(self) -> JobSteps[None]:
        """Show changed labels and visible scores immediately, then update all other scores.

        A stale model is rebuilt before, so that the user sees the change. It is rebuilt as well if
        only the first labels need rescoring: they are few, and the window shows them.
        """
        if self.store.model.is_stale:
            yield from self.rebuild()
        self.changes.flush()
        yield Pause(priority=Priority.SCORES)
        if self._needs_first_labels_rescored():
            yield from self.rebuild()
        yield from self.rescore()
        self.changes.flush()

    def rescore(self) -> JobSteps[None]:
        """Score all messages by the current model."""
        yield from self.scoring.update(self._filed)
        self.changes.scores_changed()

    def make_exact(self) -> JobSteps[None]:
        """Rebuild the model unless it equals a rebuild."""
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
        while not is_needless():
            factory = method_named(method) if method else None
            building = self.store.model.begin_rebuild(factory)
            yield from self._advance(building, is_needless)
            if not is_needless() and not building.is_obsolete:
                self.store.model.adopt(building)
                self.model_changed()
                return

    def _advance(self, building: ModelRebuild, is_needless: Callable[[], object]) -> JobSteps[None]:
        """Advance a rebuild to its end, or until it is obsolete or needless."""
        total = len(self.store.labels)
        learned = 0
        while not is_needless() and building.advance():
            if building.done > learned:
                learned = building.done
                yield Pause(learned, max(total, learned), Priority.WORK)
            else:
                # The work after the last label takes a moment at most: it has no progress.
                yield Pause(priority=Priority.WORK)

    def _needs_first_labels_rescored(self) -> bool:
        """True if labels need other held-out scores, and are so few that the window shows them."""
        model = self.store.model.model
        are_few = len(self.store.labels) <= 2 * MOST and not self.trainings
        return are_few and model.held_out.needs_rescoring and model.is_exact

    def _schedule_rebuild(self) -> None:
        """Rebuild when idle, if the model needs it, but not during first trainings."""
        if not (self.store.model.is_exact or self.trainings or self._is_rebuild_scheduled):
            self._is_rebuild_scheduled = True
            self.around.add_job(self._rebuild_when_idle(), Priority.IDLE)

    def _rebuild_when_idle(self) -> JobSteps[None]:
        """Rebuild at low priority.

        Abandoned after another rebuild, and during a training, whose end schedules one.
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
