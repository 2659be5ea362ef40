"""Marks of the user: the store changes labels, then the model, scores and window follow."""

from collections.abc import Sequence

import numpy as np

from nbmail.errors import ErrorCode, KnownError
from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import ActionsOf
from nbmail.values import FolderName, LabelSource, SourcedLabel
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority
from nbmail.worker.marking.changed_verdicts import ChangedVerdicts
from nbmail.worker.marking.label_jobs import LabelJob, LabelJobs
from nbmail.worker.marking.moves_of_marks import MovesOfMarks
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.sorting.put_back import PutBack

# Steps with more labels are learned in an order shuffled with all labels that came the same way.
FEW = 32
# Labels assigned in one transaction of a long job: about 8 ms.
CHUNK = 100


class Marking:
    """Labels messages for the user.

    `queried`: messages that were selected as queries since the start.
    """

    def __init__(
        self,
        updates: Updates,
        jobs: LabelJobs,
        moves: MovesOfMarks,
        put_back: PutBack,
        verdicts: ChangedVerdicts,
    ) -> None:
        self._updates = updates
        self._store = updates.store
        self._clock = updates.around.clock
        self._jobs = jobs
        self._moves = moves
        self._put_back = put_back
        self._verdicts = verdicts
        self.queried: set[int] = set()

    def mark(self, messages: Sequence[int], label: str | None) -> JobSteps[Marked]:
        """Label messages as one undo step; None removes labels.

        Mail that was sorted as spam moves back if it is marked as ham.
        """
        unknown = int(np.count_nonzero(self._store.word_ids.places(messages) < 0))
        if unknown:
            raise KnownError(ErrorCode.NOT_FOUND, f"{unknown} of {len(messages)} messages")
        self._jobs.leave_out(messages)
        return self._label(messages, label)

    def label_folder(
        self, folder: FolderName, label: str, *, only_unlabelled: bool = False
    ) -> JobSteps[Marked]:
        """Label all messages of a folder, or only those without a label. One undo step."""
        messages = self._store.folders.messages(folder)
        if only_unlabelled:
            labelled = self._store.labels.of(messages)
            messages = tuple(message for message in messages if message not in labelled)
        return self._label(messages, label, folder)

    def find_label_source(self, message: int) -> SourcedLabel | None:
        """Return the source of a message's label, or the rule that decides its verdict.

        None without both.
        """
        sourced = self._store.label_sources.find(message)
        if sourced is not None:
            return sourced
        verdict = self._store.sender_rules.matches([message]).get(message)
        return SourcedLabel(verdict, LabelSource("rule")) if verdict else None

    def _label(
        self, messages: Sequence[int], label: str | None, folder: FolderName | None = None
    ) -> JobSteps[Marked]:
        before = self._verdicts.copy_scores()
        job = self._jobs.begin(messages)
        try:
            yield from self._process(job, label, folder)
        finally:
            self._jobs.end(job)
        yield from self._updates.apply()
        changed = yield from self._verdicts.count(before, job.marked)
        return Marked(tuple(job.marked), label, changed)

    def _process(
        self, job: LabelJob, label: str | None, folder: FolderName | None
    ) -> JobSteps[None]:
        """Label the messages of a job in chunks. `folder`: where the labels come from."""
        actions = None if folder else self._moves.actions()
        while job.left:
            self._label_chunk(job, label, folder, actions)
            if job.left:
                yield Pause(job.total - len(job.left), job.total, Priority.WORK)

    def _label_chunk(
        self,
        job: LabelJob,
        label: str | None,
        folder: FolderName | None,
        actions: ActionsOf | None,
    ) -> None:
        """Label the next messages of a job in one transaction. `actions`: moves that follow."""
        messages = job.next_messages(CHUNK)
        with self._store.transaction():
            done = self._store.marks.mark(
                dict.fromkeys(messages, label),
                by=By.FOLDER if folder else By.USER,
                moment=self._clock(),
                step=job.step,
                actions=actions,
                shuffled=job.total > FEW,
                folder=folder,
                asked=self.queried,
            )
            if not folder:
                self._put_back.labels_changed(done.changes)
        job.step = done.step or job.step
        job.marked += [change.message for change in done.changes]
        self._updates.labels_changed(done)
