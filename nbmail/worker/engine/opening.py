"""Opening a data folder: the parts of the engine, the first rows immediately, then model and
scores; and idle tasks.
"""

import ctypes
import sys

import numpy as np

from nbmail.chunks import drain
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.verdict import Costs
from nbmail.settings import Settings
from nbmail.store.labels.journal import Change
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause, Priority, Surroundings, paused
from nbmail.worker.folders.folder_suggestions import FolderSuggestions, OnSuggested
from nbmail.worker.mailbox.filing import Filing
from nbmail.worker.mailbox.intake import Intake
from nbmail.worker.mailbox.mail_rows import MailRows, index_texts, is_index_behind
from nbmail.worker.mailbox.message_reader import MessageReader, forget_opened
from nbmail.worker.mailbox.rereading import Rereading
from nbmail.worker.mailbox.senders import TrustedServers
from nbmail.worker.marking.marking import Marking
from nbmail.worker.marking.server_labels import ForeignMoves
from nbmail.worker.model.label_files import offer_daily_tables
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.model.model_control import ModelControl
from nbmail.worker.model.quality import Quality
from nbmail.worker.model.scores import Scoring, append_missing
from nbmail.worker.model.updates import Changes, Updates
from nbmail.worker.model.word_statistics import WordStatistics
from nbmail.worker.protocol.events import Changed, Opened
from nbmail.worker.sorting.sorter import Sorter
from nbmail.worker.sorting.sorting_control import SortingControl

# Journal entries after which the snapshot of the model is written again.
ENTRIES = 200
# Twice the rows of a large screen.
FIRST_ROWS = 200
# The latest messages of the word ids are compared with the database: an older database put back is
# detected.
COMPARED = 16


class Parts:
    """Parts of the engine, by subject. All belong to the engine's thread."""

    def __init__(self, store: Store, settings: Settings, around: Surroundings) -> None:
        self.store = store
        self.emit = around.emit
        self.add_job = around.add_job
        self.scoring = scoring = Scoring(store, Costs(*settings.costs))
        # All parts emit through the suggested folders, also the one that decides what to file by
        # them.
        decide: OnSuggested = lambda messages, found: self.sorting.decide(messages, found)  # noqa: E731, PLW0108
        self.folders = FolderSuggestions(store, scoring, around.emit, around.add_job, decide)
        around = around._replace(emit=self.folders.forward)
        self.changes = changes = Changes(around.emit, scoring)
        self.updates = updates = Updates(store, scoring, changes, around, self.folders.filed)
        self.trust = TrustedServers(store)
        self.rereading = Rereading(updates, self.trust, self.folders)
        self.sorter = Sorter(store, scoring, changes, around)
        self.marking = Marking(updates, self.sorter, self.rereading, moving=settings.move_mail)
        self.offers = ForeignMoves(updates, self.sorter.account)
        self.sorting = SortingControl(updates, self.sorter, self.folders, self.offers.resume)
        self.filing = Filing(updates)
        self.list = MailRows(store, scoring, changes)
        self.quality = Quality(updates)
        self.model = ModelControl(updates, self.rereading, self.marking.queried)
        self.words = WordStatistics(store)
        self.reader = MessageReader(
            store, scoring, around.clock, self.trust, self.rereading.fetches
        )
        self.intake = Intake(updates, self.rereading, self.offers, self.sorter)
        for account in settings.accounts:
            self.trust.name(account.name, account.named_servers)
            self.sorter.resume(account)
            if not account.path:
                self.folders.choose_folders(account.name, account.suggested_folders)
        self._cache_bytes = settings.cache_megabytes * 1_000_000

    def rest(self) -> None:
        """Check that the database still exists, and tidy up if anything changed: nothing else is to
        be done.
        """
        self.store.connection.look_for_file()
        if self.changes.untidy:
            self.tidy()

    def tidy(self) -> None:
        """Write derived files and write-ahead logs, and release old raw mail and memory."""
        self.changes.untidy = False
        # A training that pauses this long may never continue. If it does, another rebuild follows.
        self.updates.training_ended(*self.updates.trainings)
        store = self.store
        store.tidy()
        if store.raw_mail.size() > self._cache_bytes:
            self.add_job(paused(store.raw_mail.evicting(self._cache_bytes)), Priority.IDLE)
        if store.model.is_exact and store.model.entries_behind >= ENTRIES:
            self.add_job(paused(store.model.write_snapshot()), Priority.IDLE)
        if store.word_ids.is_behind:
            self.add_job(paused(store.word_ids.write_file()), Priority.IDLE)
        store.word_ids.rest()
        self.folders.rebuild_stale()
        if is_index_behind(store):
            self.add_job(index_texts(store), Priority.IDLE)
        # Free memory goes to the system if the C library can do that: 24 MB of 200 with 100,000
        # messages, in 2 ms.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
        if trim is not None:
            trim(0)

    def close(self) -> None:
        try:
            drain(self.store.model.write_snapshot())
            drain(self.folders.writing())
        finally:
            self.store.close()


def show_first_rows(parts: Parts) -> None:
    offer_daily_tables(parts.store)
    parts.emit(Opened(parts.store.notes))
    first = parts.store.listing.newest(FIRST_ROWS)
    if len(first.messages):
        parts.emit(Changed(rows=parts.scoring.with_scores(first)))


def load_model(parts: Parts, method: str) -> JobSteps[None]:
    store = parts.store
    yield from paused(store.words.loading())
    yield from paused(store.model.opening(Model(store.words.vocabulary, method_named(method))))
    yield from load_word_ids(store)
    parts.updates.model_changed()
    yield from parts.updates.rescore()
    parts.offers.resume()
    forget_opened(store.paths.cache)
    parts.add_job(adopt_cached_messages(parts), Priority.IDLE)
    parts.add_job(parts.rereading.learn_servers(), Priority.IDLE)
    parts.add_job(parts.folders.opening(), Priority.IDLE)
    parts.add_job(parts.rereading.read_threads(), Priority.IDLE)


def adopt_cached_messages(parts: Parts) -> JobSteps[None]:
    """Learn cached messages whose labels were restored without them, as after the loss of the
    database.
    """
    done = list[Change]()
    for changes in parts.store.adopting_cached_messages():
        known = len(parts.store.word_ids)
        drain(append_missing(parts.store, parts.store.word_ids))
        parts.scoring.add(parts.store.word_ids.messages[known:].tolist())
        done += changes.changes
        yield Pause()
    parts.updates.labels_changed(LabelChanges(tuple(done)))


def load_word_ids(store: Store) -> JobSteps[None]:
    """Load the copy of all word ids, or make it again if it belongs to another database."""
    yield from paused(store.word_ids.load())
    latest = store.word_ids.messages[-COMPARED:]
    samples = store.messages.samples(latest.tolist())
    rows = {
        message: store.word_ids.pick(store.word_ids.places([message])).words
        for message in latest.tolist()
    }
    if not all(
        message in samples and np.array_equal(samples[message].words, rows[message])
        for message in rows
    ):
        store.word_ids.clear()
    yield from append_missing(store, store.word_ids)
    if len(store.word_ids) != len(store.messages):
        store.word_ids.clear()
        yield from append_missing(store, store.word_ids)
    yield Pause()
