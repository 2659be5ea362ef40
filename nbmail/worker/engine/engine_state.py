"""What all jobs of the engine share: the store, the scores, and who is told."""

import ctypes
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.sample import IntArray
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.verdict import Costs
from nbmail.errors import ErrorCode
from nbmail.settings import Settings
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.messages import Content
from nbmail.store.store import Store, Taken
from nbmail.values import FolderName, Rows, Scores
from nbmail.worker.engine.announcer import Announcer, Emit
from nbmail.worker.engine.job_queue import Job, JobCallbacks, JobQueue, JobSteps, Priority, paused
from nbmail.worker.engine.refolding import RebuildScheduler
from nbmail.worker.intake.body_requests import BodyRequests
from nbmail.worker.marking.label_job import LabelJob
from nbmail.worker.model.label_files import copying, is_copy_due
from nbmail.worker.protocol import ClassFigures, EngineFailed, Failed, Learned
from nbmail.worker.reading.text_filling import is_behind, read_in
from nbmail.worker.scores.scores import MailboxScores, ScoresBefore, junk_share

# So many lines of the journal later the snapshot of the model is written anew when there is time.
LINES = 200


class EngineState:
    """Belongs to the engine's thread, as everything in it."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        jobs: JobQueue,
        clock: Callable[[], float],
        emit: Emit,
        wake: Callable[[str], None],
        complain: Callable[[Exception], None],
    ) -> None:
        self.store, self.clock, self.wake, self.emit = store, clock, wake, emit
        self._jobs, self._complain = jobs, complain
        store.when_written_anew = self._tell_of_deletion
        self.scores = MailboxScores(store.word_ids)
        self.costs = Costs(false_junk=settings.junk_seen_per_lost)
        self.share = 0.5
        """The share of junk in recent mail."""
        self.cache_bytes = settings.cache_megabytes * 1_000_000
        self.moving = settings.move_mail
        self.announcer = Announcer(emit, time.monotonic, self._read_rows, self._read_scores, self._sum_up)
        self.body_requests = BodyRequests(store, emit, wake, clock)
        self.refolding = RebuildScheduler(store, self.add_job, self.model_changed)
        self.moved: tuple[ScoresBefore, list[int]] = (self.scores.remember(), [])
        """The messages that the latest step moved to another verdict, with all scores from before it."""
        self._ignored: IntArray | None = None
        self.label_jobs: list[LabelJob] = []
        """The long jobs that are labelling messages."""
        self.trained: dict[FolderName, int] = {}
        """The step of each folder's first training, which goes on with its next delivery."""
        self.asked: set[int] = set()
        """The messages that the user was asked about since the start."""
        self.untidy = True
        """Whether something has been written or scored since the last tidying."""
        self._rescoring = False

    @property
    def model(self) -> Model:
        return self.store.model.model

    def mail_stored(self, contents: Sequence[Content], taken: Taken) -> None:
        """Mail has been stored: score what is new, announce what is different."""
        self.untidy = True
        # Of copies the first is stored.
        samples = {message: one.sample for message, one in zip(taken.messages[::-1], contents[::-1], strict=True)}
        fresh = sorted(taken.fresh)
        self.store.word_ids.append(fresh, [samples[message] for message in fresh])
        self.scores.grow()
        if self.scores.exact:
            self.scores.score(self.model, fresh)
        self.announcer.rows_changed([*taken.messages, *taken.flagged, *taken.displaced])
        self.announcer.gone(taken.homeless)

    def labels_changed(self, done: LabelChanges) -> None:
        """Labels or the base have changed: what follows from it is announced at the next flush."""
        if done.base:
            self._ignored = None
        if done.changes or done.base:
            self.untidy = True
            self.announcer.rows_changed(change.message for change in done.changes)
            self.model_changed()
            self.refolding.fold_later()
            for account in self.store.outbox.accounts():
                self.wake(account)

    def model_changed(self) -> None:
        """Every score is old: what is visible is scored at the next flush, the rest as soon as there is time.

        During a first training that is when it is over.
        """
        if self._ignored is None:
            words = self.store.ignored_words.now()
            self._ignored = np.array(self.store.words.vocabulary.numbers_of(words), np.int32)
        self.model.costs, self.model.share, self.model.ignored = self.costs, self.share, self._ignored
        self.scores.mark_old()
        self.announcer.scores_changed()
        self.announcer.learned()
        if not (self._rescoring or self.refolding.training):
            self._rescoring = True
            self.add_job(self._rescore, Priority.SCORES)

    def end_training(self, *folders: FolderName) -> None:
        """Nothing of these folders is missing any more: what was put off until now follows."""
        self.refolding.training.difference_update(folders)
        self.refolding.fold_later()
        if not self.scores.exact:
            self.model_changed()

    def rescore(self) -> JobSteps:
        """Bring every score up to date, and what they say of the share of junk, and say so."""
        while not self.scores.exact:
            yield from self.scores.update(lambda: self.model)
            self.share = junk_share(self.store, self.model, self.scores)
            if self.share != self.model.share:
                self.model.share = self.share
                yield from self.scores.judge_anew(self.model)
        self.announcer.scores_changed()

    def _rescore(self) -> JobSteps:
        try:
            yield from self.rescore()
        finally:
            self._rescoring = False

    def rest(self) -> None:
        """For idle moments: nobody waits."""
        self.store.connection.look_for_file()
        if self.untidy:
            self.tidy()

    def _tell_of_deletion(self) -> None:
        """Somebody has deleted the file with the labels, perhaps with their copies: both are written anew."""
        self.untidy = True
        self.emit(EngineFailed(Failed(ErrorCode.HOME_DELETED, str(self.store.paths.database))))

    def tidy(self) -> None:
        """Write what can be derived and the database's log, let old raw mail and memory go."""
        self.untidy = False
        # A training that rests so long may never go on; if it does, another fold follows.
        self.end_training(*self.refolding.training)
        store = self.store
        store.tidy()
        if store.raw_mail.size() > self.cache_bytes:
            self.add_job(lambda: paused(store.raw_mail.evicting(self.cache_bytes)), Priority.REST)
        if store.model.is_exact and store.model.lines_behind >= LINES:
            self.add_job(lambda: paused(store.model.keeping()), Priority.REST)
        if is_copy_due(store, self.clock()):
            self.add_job(lambda: paused(copying(store, self.clock())), Priority.REST)
        if store.word_ids.is_behind:
            self.add_job(lambda: paused(store.word_ids.keeping()), Priority.REST)
        store.word_ids.rest()
        if is_behind(store):
            self.add_job(lambda: read_in(store), Priority.REST)
        trim_memory()

    def add_job(self, begin: Callable[[], Any], lane: Priority) -> None:
        self._jobs.add(Job(begin, lane, JobCallbacks(self._complain)))

    def rows(self, rows: Rows) -> Rows:
        return replace(rows, scores=self.scores.scores(rows.messages))

    def _read_rows(self, messages: list[int]) -> Rows:
        if not self.scores.exact:
            self.scores.score(self.model, messages)
        return self.rows(self.store.listing.some(messages))

    def _read_scores(self) -> Scores | None:
        if not self.scores.exact:
            self.scores.score_visible(self.model)
        return self.scores.take_altered()

    def _sum_up(self) -> Learned:
        counts, model = self.model.counts, self.model
        figures = [
            ClassFigures(name, counts.messages[row], int(np.count_nonzero(counts.documents[row])))
            for row, name in enumerate(counts.classes)
        ]
        undo, redo = self.store.steps.depth()
        return Learned(
            classes=tuple(figures),
            vocabulary=counts.words,
            held_out=model.held_out.count(),
            calibrated=model.calibrated,
            method=model.method,
            undo=undo,
            redo=redo,
            is_exact=self.store.model.is_exact,
            junk_from=self.costs.junk_from,
        )

    def close(self) -> None:
        """Keep what was learned and let go of the files."""
        try:
            if not self.store.model.is_kept:
                drain(self.store.model.keeping())
        finally:
            self.store.close()


def trim_memory() -> None:
    """Hand free pages back to the system, where the C library can: 24 MB of 200 with 100,000 messages, in 2 ms."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
