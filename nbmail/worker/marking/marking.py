"""Marks of the user, undo, redo and restore: the store changes labels, then the model, scores and
window follow.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from nbmail.chunks import batches
from nbmail.core.scoring.verdict import Costs
from nbmail.core.words.phrases import phrase_of
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.actions.sorted_mail import Past, has_mark
from nbmail.store.labels.journal import By, Change
from nbmail.store.labels.marks import ActionsOf, LabelChanges
from nbmail.store.store import Store
from nbmail.values import (
    HAM,
    INBOX,
    JUNK_FOLDER,
    SPAM,
    VERDICTS,
    FolderName,
    LabelSource,
    SenderRule,
    SourcedLabel,
)
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority
from nbmail.worker.model.model_export import back_up
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.marks import Marked, ModelReset, PlannedMove
from nbmail.worker.protocol.verdicts import MAX_CHANGES, VerdictChange
from nbmail.worker.rereading.rereading import Rereading
from nbmail.worker.scores.score_columns import ScoresBefore
from nbmail.worker.sorting.put_back import PutBack

# Steps with more labels are learned in an order shuffled with all labels that came the same way.
FEW = 32
# Labels assigned in one transaction of a long job: about 8 ms.
CHUNK = 100
# Messages read in one time slice to count changed verdicts, or to plan moves: about 3 ms.
COUNTED = 2000
PLANNED = 1000


@dataclass(eq=False, slots=True)
class LabelJob:
    """Progress of a job that labels the messages in `left`. Those marked by hand meanwhile leave
    it, or all by undo.
    """

    left: dict[int, None]
    marked: list[int] = field(default_factory=list)
    step: int = 0


class Marking:
    """Changes labels for the user. `queried`: messages that were selected as queries since the
    start.
    """

    def __init__(
        self, updates: Updates, put_back: PutBack, rereading: Rereading, *, moving: bool
    ) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring
        self._clock = updates.around.clock
        self._put_back = put_back
        self._moving = moving
        self._count_phrases = rereading.count_phrases
        self.queried: set[int] = set()
        self._jobs: list[LabelJob] = []
        # Scores from before the latest step, and the messages whose verdict it changed.
        self._before: ScoresBefore = self._scoring.copy()
        self._changed: list[int] = []

    def mark(self, messages: Sequence[int], label: str | None) -> JobSteps[Marked]:
        """Label messages as one undo step; None removes labels.

        Mail that was sorted as spam moves back if it is marked as ham.
        """
        unknown = int(np.count_nonzero(self._store.word_ids.places(messages) < 0))
        if unknown:
            raise KnownError(ErrorCode.NOT_FOUND, f"{unknown} of {len(messages)} messages")
        for job in self._jobs:
            for message in messages:
                job.left.pop(message, None)
        return self._label(messages, label)

    def label_folder(
        self, folder: FolderName, label: str, *, only_unlabelled: bool = False
    ) -> JobSteps[Marked]:
        """Label all messages of a folder, or only those without a label. One undo step."""
        messages = self._store.folders.messages(folder)
        labelled = self._store.labels.of(messages) if only_unlabelled else {}
        return self._label(
            [message for message in messages if message not in labelled], label, folder
        )

    def undo(self, limit: int | None = None) -> JobSteps[Marked]:
        """Undo the latest step. The result has no messages if there was nothing to undo.

        A step of more than `limit` labels is not undone, only described: `Marked.too_large` is True
        then. A job that still works on the step ends first.
        """
        latest = self._store.steps.next_undo()
        step = self._store.steps.figures(latest.number) if latest and limit is not None else None
        if step is not None and limit is not None and step.messages > limit:
            return Marked((), None, step=step, too_large=True)
        for job in self._jobs:
            if latest is not None and job.step == latest.number:
                job.left.clear()
        self._updates.training_steps.clear()
        return (
            yield from self._change(
                lambda: self._undo_or_redo(self._store.marks.undo, forward=False)
            )
        )

    def redo(self) -> JobSteps[Marked]:
        """Redo the latest undone step."""
        return self._change(lambda: self._undo_or_redo(self._store.marks.redo, forward=True))

    def _undo_or_redo(self, change: Callable[..., LabelChanges], *, forward: bool) -> LabelChanges:
        with self._store.transaction():
            done = change(moment=self._clock())
            step = self._store.steps.figures(done.step, 0)
            if step is not None and step.by == By.SORTING:
                self._put_back.move_back(self._store.sorted_moves.requested(done.step))
            if step is not None and step.by == By.MOVE:
                rescued = self._store.filed.rescued(done.step)
                if forward:
                    self._put_back.redone(rescued)
                else:
                    self._put_back.undone(rescued)
            self._put_back.labels_changed(done.changes)
        return done

    def restore(self, before: int) -> JobSteps[Marked]:
        """Restore all labels to their state before the step of the journal entry with number
        `before`.

        Moves are only reverted: a restore causes no new move.
        """
        for job in self._jobs:
            job.left.clear()
        line = self._store.journal.entry_before(before)
        return self._change(lambda: self._store.marks.restore(line, moment=self._clock()))

    def reset(self) -> JobSteps[ModelReset]:
        """Forget all labels and everything imported, after a backup of the model. One undo step."""
        for job in self._jobs:
            job.left.clear()
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

    def ignore_word(self, word: str, *, ignored: bool = True) -> JobSteps[Marked]:
        """Exclude a word from all scores, or include it again. One undo step."""
        words = self._store.ignored_words
        return self._change(
            lambda: LabelChanges(
                (), words.set(word, added=ignored, moment=self._clock()), base=True
            )
        )

    def set_phrase(self, phrase: str, *, used: bool = True) -> JobSteps[Marked]:
        """Count a phrase like a word in all stored mail, or no longer. One undo step.

        `phrase`: two words or more.
        """
        words = phrase_of(phrase)
        phrases = self._store.phrases
        if not words:
            raise KnownError(ErrorCode.BAD_INPUT, phrase)
        if (words in phrases.now()) == used:
            return Marked((), None)
        return (
            yield from self._change(
                lambda: LabelChanges(
                    (), phrases.set(words, added=used, moment=self._clock()), base=True
                )
            )
        )

    def set_rule(self, rule: SenderRule) -> JobSteps[Marked]:
        """Let a rule decide the verdicts on a sender, or remove it. One undo step.

        The model learns nothing from a rule.
        """
        rules = self._store.sender_rules
        return self._change(
            lambda: LabelChanges((), rules.set(rule, moment=self._clock()), base=True)
        )

    def find_label_source(self, message: int) -> SourcedLabel | None:
        """Return the source of a message's label, or the rule that decides its verdict.

        None without both.
        """
        rule = self._store.sender_rules.matches([message]).get(message)
        ruled = SourcedLabel(rule, LabelSource("rule")) if rule else None
        return self._store.label_sources.find(message) or ruled

    def preview_moves(self) -> JobSteps[tuple[PlannedMove, ...]]:
        """List the moves that the user's own marks up to now would have caused, newest first."""
        # Labels from folders and other programs never cause moves.
        store = self._store
        planned = list[PlannedMove]()
        marked = store.journal.labelled_by(By.USER)
        for start in range(0, len(marked), PLANNED):
            chunk = marked[start : start + PLANNED]
            found = {move.location.message: move for move in moves_of(store, chunk)}
            headings = store.messages.headings(found)
            for message in filter(found.__contains__, chunk):
                move = found[message]
                heading = headings[message]
                kind = "spam" if move.target == JUNK_FOLDER else "inbox"
                planned.append(
                    PlannedMove(message, heading.sender, heading.subject, move.location.name, kind)
                )
            yield Pause(start + len(chunk), len(marked))
        return tuple(planned)

    def set_moving(self, on: bool) -> None:
        """Set whether marks also move messages on the server. Off until the user turns it on."""
        self._moving = on

    def list_changed_verdicts(self) -> tuple[VerdictChange, ...]:
        """List the other messages whose verdict the latest mark, undo or redo changed."""
        messages = self._changed[:MAX_CHANGES]
        places = self._store.word_ids.places(messages)
        both = (self._before, self._scoring.copy())
        verdicts = (
            [VERDICTS[verdict] for verdict in scores.verdicts[places].tolist()] for scores in both
        )
        chances = (
            [None if np.isnan(one) else one for one in scores.probabilities[places].tolist()]
            for scores in both
        )
        return tuple(map(VerdictChange, messages, *verdicts, *chances))

    def _label(
        self, messages: Sequence[int], label: str | None, folder: FolderName | None = None
    ) -> JobSteps[Marked]:
        before = self._scoring.copy()
        job = LabelJob(dict.fromkeys(messages))
        self._jobs.append(job)
        try:
            yield from self._process(job, label, folder)
        finally:
            self._jobs.remove(job)
        yield from self._updates.apply()
        return Marked(
            tuple(job.marked), label, (yield from self._count_changed(before, job.marked))
        )

    def _process(
        self, job: LabelJob, label: str | None, folder: FolderName | None
    ) -> JobSteps[None]:
        actions = None if folder else actions_of(self._store, moving=self._moving)
        total = len(job.left)
        while job.left:
            chunk = dict.fromkeys(islice(job.left, CHUNK), label)
            for message in chunk:
                del job.left[message]
            with self._store.transaction():
                done = self._store.marks.mark(
                    chunk,
                    by=By.FOLDER if folder else By.USER,
                    moment=self._clock(),
                    step=job.step,
                    actions=actions,
                    shuffled=total > FEW,
                    folder=folder,
                    asked=self.queried,
                )
                if not folder:
                    self._put_back.labels_changed(done.changes)
            job.step = done.step or job.step
            job.marked += [change.message for change in done.changes]
            self._updates.labels_changed(done)
            if job.left:
                yield Pause(total - len(job.left), total, Priority.WORK)

    def _change(self, change: Callable[[], LabelChanges]) -> JobSteps[Marked]:
        """Change labels, or whatever else counts, in one transaction."""
        before = self._scoring.copy()
        done = change()
        unread = 0
        revision = self._store.samples_revision
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
        labels = {each.after for each in done.changes}
        messages = tuple(dict.fromkeys((*(each.message for each in done.changes), *done.moved)))
        changed = yield from self._count_changed(before, messages)
        label = labels.pop() if len(labels) == 1 else None
        scores = done.base or bool(done.method or done.costs)
        return Marked(
            messages, label, changed, scores, self._store.steps.figures(done.step), unread=unread
        )

    def _count_changed(self, before: ScoresBefore, exclude: Sequence[int]) -> JobSteps[int]:
        """Count the other messages whose shown verdict changed, and store them for
        `list_changed_verdicts`.

        Labelled messages show their label, and messages without a location are not shown. Until a
        pending rebuild is over, every verdict may change again: the count is 0 then.
        """
        is_exact = self._store.model.is_exact
        found = self._scoring.changed_since(before, exclude).tolist() if is_exact else []
        changed = list[int]()
        for chunk in batches(found, COUNTED):
            unlabelled = set(chunk).difference(self._store.labels.of(chunk))
            changed += sorted(unlabelled - self._store.folders.unlocated(unlabelled))
            yield Pause()
        self._before = before
        self._changed = changed
        return len(changed)


def actions_of(store: Store, *, moving: bool) -> ActionsOf:
    """Return the planner of moves for changed labels. Without `moving` only sorted good mail is
    moved back.
    """

    def actions(changes: Sequence[Change]) -> list[WantedMove]:
        messages = [change.message for change in changes]
        moves = moves_of(store, messages)
        ours = store.sorted.among(Past.IN_JUNK, messages)
        planned = [
            move
            for move in moves
            if moving
            or (
                move.target == INBOX
                and (move.location.message in ours or has_mark(move.location.flags))
            )
        ]
        # Sorted mail whose location is not known yet.
        located = {move.location.message for move in planned}
        ham = store.sorted.among(
            Past.TO_JUNK, [change.message for change in changes if change.after == HAM]
        )
        return planned + store.sorted_moves.returns(ham - located)

    return actions


def moves_of(store: Store, messages: Sequence[int]) -> list[WantedMove]:
    """Plan the moves that a mark of these labelled messages would cause now."""
    labels = store.labels.of(messages)
    locations = store.folders.locations(messages)
    found = list[WantedMove]()
    for each in locations:
        label = labels.get(each.message)
        if label == SPAM and each.special in ("", INBOX):
            found.append(WantedMove(each, JUNK_FOLDER))
        elif label == HAM and each.special == JUNK_FOLDER:
            found.append(WantedMove(each, INBOX))
    return found
