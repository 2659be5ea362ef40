"""What all jobs of the engine share: the store, the model, the shelf of words, the scores, and who is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.core.judging.model import Model
from nbmail.core.judging.verdict import Costs
from nbmail.settings import Settings
from nbmail.store.model.word_ids import WordShelf
from nbmail.store.store import Store
from nbmail.store.values import Heads, Marked, Placed, Taken
from nbmail.sync.desk import FolderName
from nbmail.worker.engine.announcer import Announcer, Emit, Unheard
from nbmail.worker.engine.job_queue import Agenda, Job, Lane, Slices
from nbmail.worker.engine.memory_trimming import trim_memory
from nbmail.worker.engine.refolding import fold
from nbmail.worker.intake.body_requests import Fetching
from nbmail.worker.marking.label_givers import named
from nbmail.worker.marking.label_job import Bulk
from nbmail.worker.protocol import ClassFigures, Learned, Rows, Scores
from nbmail.worker.scores.scores import Board


class Office:
    """Belongs to the engine's thread, as everything in it."""

    def __init__(
        self,
        store: Store,
        shelf: WordShelf,
        settings: Settings,
        *,
        agenda: Agenda,
        clock: Callable[[], float],
        emit: Emit,
        wake: Callable[[str], None],
        complain: Callable[[Exception], None],
    ) -> None:
        self.store, self.shelf, self.agenda, self.clock, self.wake = store, shelf, agenda, clock, wake
        self.emit = emit
        self._complain = complain
        self.board = Board(shelf)
        self.costs = Costs(false_junk=settings.junk_seen_per_lost)
        self.model = Model()
        self.cache_bytes = settings.cache_megabytes * 1_000_000
        self.moving = settings.move_mail
        self.announcer = Announcer(emit, time.monotonic, self._read_rows, self._read_scores, self._sum_up)
        self.fetching = Fetching(store, emit, wake, clock)
        self.bulks: list[Bulk] = []
        """The long jobs that are labelling messages."""
        self.travelling = False
        """Whether a step is being taken back, or done again, piece by piece."""
        self.trained: dict[FolderName, int] = {}
        """The step of each folder's first training, which goes on with its next delivery."""
        self.training: set[FolderName] = set()
        """The folders whose first training is under way: the model is folded anew when it is over."""
        self.untidy = True
        """Whether something has been written or scored since the last tidying."""
        self._rescoring = self._refolding = False

    def took_in(self, placed: Sequence[Placed], taken: Taken) -> None:
        """Mail has been stored: put what is new on the shelf and score it, announce what is different."""
        self.untidy = True
        samples: dict[int, Sample] = {}
        for one, message in zip(placed, taken.messages, strict=True):
            # Of copies the first is stored.
            samples.setdefault(message, one.content.sample)
        fresh = sorted(taken.fresh)
        self.shelf.append(fresh, [samples[message] for message in fresh])
        self.board.grow()
        self.board.score(self.model, fresh)
        self.announcer.rows_changed([*taken.messages, *taken.flagged, *taken.displaced])
        self.announcer.gone(taken.homeless)

    def took(self, marked: Marked) -> None:
        """Labels or the base have changed: what follows from it is announced at the next flush."""
        if marked.changes or marked.base:
            self._note(marked)
            self._follow_up()

    def took_part(self, marked: Marked) -> None:
        """The same for a part of a long step: for now only rows and what is visible, the rest at its `end_journey`."""
        self._note(marked)
        self._outdate()

    def end_journey(self) -> None:
        """A step was taken back or done again, wholly or as far as it came."""
        self.travelling = False
        self._follow_up()

    def _note(self, marked: Marked) -> None:
        self.untidy = True
        self.announcer.rows_changed(change.message for change in marked.changes)

    def _outdate(self) -> None:
        self.board.outdate()
        self.announcer.scores_changed()
        self.announcer.learned()

    def _follow_up(self) -> None:
        self.model_changed()
        self._settle()
        for account in self.store.outbox.accounts():
            self.wake(account)

    def trained_whole(self, folder: FolderName) -> None:
        """Nothing of the folder is missing any more."""
        self.training.discard(folder)
        self._settle()

    def model_changed(self) -> None:
        """Every score is old: what is visible is scored at the next flush, the rest as soon as there is time."""
        self._outdate()
        if not self._rescoring:
            self._rescoring = True
            self.add_job(self._rescore, Lane.SCORES)

    def replace_model(self, model: Model) -> None:
        """From now on this is the model, with the costs chosen last: it may have been begun before."""
        self.model, model.costs = model, self.costs
        self.model_changed()

    def tidy(self) -> None:
        """For idle moments: write the database's log into its file, let the oldest raw mail and unused memory go."""
        self.untidy = False
        # A training that rests so long may never go on; if it does, another fold follows.
        self.training.clear()
        self._settle()
        self.store.tidy()
        self.store.bodies.evict(self.cache_bytes)
        self.shelf.rest()
        trim_memory()

    def rescore(self) -> Slices:
        """Bring every score up to date and say so."""
        while not self.board.exact:
            yield from self.board.update(lambda: self.model)
        self.announcer.scores_changed()

    def _rescore(self) -> Slices:
        try:
            yield from self.rescore()
        finally:
            self._rescoring = False

    def refold(self) -> None:
        """Fold the unsettled model anew once there is time."""
        if not self._refolding:
            self._refolding = True
            self.add_job(self._refold, Lane.REST)

    def _settle(self) -> None:
        if not (self.model.settled or self.training or self.travelling):
            self.refold()

    def _refold(self) -> Slices:
        try:
            yield from fold(self)
        finally:
            self._refolding = False

    def add_job(self, begin: Callable[[], Any], lane: Lane) -> None:
        """Do something for which nobody waits."""
        self.agenda.add(Job(begin, lane, Unheard(self._complain)))

    def rows(self, heads: Heads) -> Rows:
        """The list's columns with the scores beside them."""
        return Rows(
            messages=heads.messages,
            dates=heads.dates,
            senders=heads.senders,
            subjects=heads.subjects,
            labels=heads.labels,
            folders=heads.folders,
            unread=heads.unread,
            attachments=heads.attachments,
            scores=self.board.scores(heads.messages),
            label_names=heads.label_names,
            folder_names=tuple(FolderName(*name) for name in heads.folder_names),
            others=heads.others,
            other_places=heads.other_places,
            givers=heads.givers,
            giver_names=tuple(map(named, heads.giver_names)),
        )

    def _read_rows(self, messages: list[int]) -> Rows:
        if not self.board.exact:
            self.board.score(self.model, messages)
        return self.rows(self.store.listing.some(messages))

    def _read_scores(self) -> Scores | None:
        if not self.board.exact:
            self.board.score_visible(self.model)
        return self.board.take_altered()

    def _sum_up(self) -> Learned:
        counts, model = self.model.counts, self.model
        figures = [
            ClassFigures(name, counts.messages[row], int(np.count_nonzero(counts.documents[row])))
            for row, name in enumerate(counts.classes)
        ]
        undo, redo = self.store.journal.depth()
        return Learned(
            classes=tuple(figures),
            vocabulary=counts.words,
            held_out=model.held_out,
            calibrated=model.calibrated,
            method=model.method,
            undo=undo,
            redo=redo,
            settled=model.settled,
        )

    def close(self) -> None:
        """Let go of the files."""
        try:
            self.shelf.close()
        finally:
            self.store.close()
