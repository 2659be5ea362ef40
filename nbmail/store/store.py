"""Store: all data of a data folder, locked by one process and used by one thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from nbmail.chunks import batches
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.sampling import sample_of
from nbmail.core.mail.message import heading_of
from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import thread_of
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.files.connection import Connection, file_error_codes, unreadable_values
from nbmail.store.files.database_file import (
    MODEL,
    RAW_MAIL,
    TEXTS,
    WORD_IDS,
    copy_to_read,
    make_ready,
    quarantine_database,
    start_empty,
)
from nbmail.store.files.home_lock import LOCK, HomeLock, remove_request
from nbmail.store.labels.journal import Change
from nbmail.store.labels.label_import import BulkLearning, LabelImport, LabelsImported, ReadRecords
from nbmail.store.labels.labels_log import LABELS_LOG, LabelsLog
from nbmail.store.labels.marks import LabelChanges, Marks
from nbmail.store.mail.derived_mail import RawMail, TextIndex
from nbmail.store.mail.identity import VERSION, identify, identities_of
from nbmail.store.mail.messages import Content
from nbmail.store.model.arrays import FolderSnapshots
from nbmail.store.model.current_model import CurrentModel
from nbmail.store.model.word_ids import WordIds
from nbmail.store.tables import REVISION, Tables
from nbmail.values import Delivery, NoteKind, OpeningNote

# Written by versions before `labels.log`.
_REACHED = "journal.reached"
# Cached messages parsed at once: as many as of newly arrived mail.
_BATCH = 8


class Taken(NamedTuple):
    """Result of a delivery. `messages` are those of its arrivals in order, `fresh` the new ones.

    `flagged`: messages with changed flags. `unlocated`: messages without a location any more.
    `displaced`: messages that lost a location and have another.
    """

    messages: tuple[int, ...]
    fresh: frozenset[int]
    flagged: frozenset[int]
    unlocated: frozenset[int]
    displaced: frozenset[int] = frozenset()


class Store(Tables):
    """Open files of a data folder: the tables of the database, and `marks`, which changes several
    at once.

    Other files: `raw_mail`, `texts` (search index), `model` with its snapshot, `word_ids`,
    `folder_snapshots`, and `log` (second copy of the labels).
    """

    def __init__(
        self,
        paths: Paths,
        now: float,
        when_rewritten: Callable[[], None] = lambda: None,
        *,
        read_only: bool = False,
    ) -> None:
        """Open or create. Raises `KnownError`: HOME_IN_USE, HOME_TOO_NEW, DATABASE_DAMAGED,
        READ_ONLY, DISK_FULL.

        `when_rewritten`: called after the database was written again because it had been deleted.
        `read_only`: for data folders that can't be written. Changes are refused or lost.
        """
        self.paths = paths
        self._when_rewritten = when_rewritten
        with ExitStack() as opened:
            database, self._notes = self._prepare(opened, now, read_only)
            connection = Connection(
                database, durable=True, read_only=read_only and database == paths.database
            )
            opened.callback(connection.close)
            self.raw_mail = RawMail(paths.cache / RAW_MAIL, read_only=read_only)
            opened.callback(self.raw_mail.close)
            self.texts = TextIndex(paths.data / TEXTS, read_only=read_only)
            opened.callback(self.texts.close)
            with unreadable_values(paths.database):
                super().__init__(connection)
                self.word_ids = WordIds(paths.data / WORD_IDS, self.samples_revision)
                self.model = CurrentModel(self, paths.data / MODEL)
                self.folder_snapshots = FolderSnapshots(paths.data, self.messages)
                self.marks = Marks(self, self._follow, self.model.defer)
                self._label_import = LabelImport(self.marks)
                self.assign_waiting = self._label_import.assign_waiting
                self.log = LabelsLog(paths.data / LABELS_LOG, self, self._label_import)
                opened.callback(self.log.close)
                if read_only:
                    self.log.open_to_read()
                else:
                    self._notes += self.log.open(now)
            self._open = opened.pop_all()
        self.read_only = read_only
        if not read_only:
            connection.when_gone = partial(self._rewrite, now)

    def _prepare(
        self, opened: ExitStack, now: float, read_only: bool
    ) -> tuple[Path, tuple[OpeningNote, ...]]:
        """Lock the folder, and return the database file that can be opened."""
        paths = self.paths
        if not read_only:
            with file_error_codes(paths.data):
                paths.make()
        self._lock = HomeLock(paths.data / LOCK, read_only=read_only)
        remove_request(paths)
        # After a deletion of the folder, this is another lock by the end.
        opened.callback(lambda: self._lock.close())  # noqa: PLW0108
        if read_only:
            return copy_to_read(
                paths.database, Path(opened.enter_context(TemporaryDirectory())), now
            ), ()
        notes = make_ready(paths.database, now)
        with suppress(OSError):
            (paths.data / _REACHED).unlink(missing_ok=True)
        return paths.database, notes

    def transaction(self) -> AbstractContextManager[None]:
        return self.connection.transaction()

    def take(
        self, delivery: Delivery, contents: Sequence[Content], tokenizer: int, now: float
    ) -> Taken:
        """Store a delivery in one transaction. `contents`: in the order of its arrivals.
        `tokenizer`: their version.
        """
        with self.connection.transaction():
            contents = self.recognize(contents)
            # Raw mail first: if the rest fails, it waits for the next delivery.
            self.raw_mail.put(((content.identity, content.packed) for content in contents), now)
            folder, touched = self.folders.open(delivery)
            touched |= self.folders.drop(folder, delivery.gone)
            numbers, fresh = self.messages.add(contents, tokenizer)
            new = {
                number: content
                for number, content in zip(numbers, contents, strict=True)
                if number in fresh
            }
            self.people.store(
                {number: each.known for number, each in new.items() if each.known is not None}
            )
            self.people.set_verified(
                {number: each.verified for number, each in new.items() if each.verified is not None}
            )
            arrivals = zip(delivery.arrivals, numbers, strict=True)
            self.folders.place(folder, [(one.uid, number, one.flags) for one, number in arrivals])
            flagged = self.folders.flag(delivery.folder, delivery.flags)
            self.flags.keep(flagged.union(numbers))
            self.folders.close(folder, delivery)
            self.filed.locate(delivery.folder, folder, numbers)
            unlocated = self.folders.unlocated(touched)
        return Taken(
            tuple(numbers), fresh, frozenset(flagged), unlocated, frozenset(touched - unlocated)
        )

    def recognize(self, contents: Sequence[Content]) -> list[Content]:
        """Return the contents with the identities under which their messages are stored.

        The cached mail of a message that is stored under the former identity decides which content
        it has.
        """
        with self.connection.transaction():
            former = [content.former for content in contents if content.former]
            for identity, (number, *_) in self.messages.without_current(former).items():
                if raw := self.raw_mail.get(identity):
                    self.messages.add_identity(number, identify(raw), VERSION)
            return self.messages.recognize(contents)

    def learning(self, *, tokenizer: int, moment: float, shuffled: bool = False) -> BulkLearning:
        return BulkLearning(
            self.marks, self.replace_samples, self.model, tokenizer, moment, shuffled
        )

    def adopting_cached_messages(self) -> Generator[LabelChanges, None, None]:
        """Store cached messages that a label waits for, and assign the label. Yields the changes of
        each batch.
        """

        def content(identity: bytes, raw: bytes) -> Content:
            mail = parse(raw)
            identities = identities_of(raw)
            former = identities.former if identity == identities.current else b""
            sample = sample_of(mail, self.words.vocabulary)
            return Content(
                identity, heading_of(mail), sample, former=former, thread=thread_of(mail)
            )

        cached = (
            (one.identity, self.raw_mail.get(one.identity)) for one in self.waiting_labels.records()
        )
        contents = (content(identity, raw) for identity, raw in cached if raw)
        for batch in batches(contents, _BATCH):
            with self.transaction():
                numbers, _ = self.messages.add(batch, TOKENIZER_VERSION)
                identities = (content.identity for content in batch)
                changes = self.assign_waiting(dict(zip(identities, numbers, strict=True)))
            yield changes

    def replace_samples(self, samples: Mapping[int, Sample], tokenizer: int | None = None) -> None:
        """Replace the samples of messages. `tokenizer`: another version that made them."""
        before = self.messages.samples(samples)
        with self.connection.transaction():
            self.messages.replace_samples(samples, tokenizer)
            self.settings.set(REVISION, self.samples_revision + 1)
        self.model.follow_samples(
            {message: (before[message], sample) for message, sample in samples.items()}
        )

    @property
    def notes(self) -> tuple[OpeningNote, ...]:
        """Events while the home was opened, and labels that are offered since."""
        missing = self.log.missing()
        return (
            (*self._notes, OpeningNote(NoteKind.LABELS_MISSING, missing))
            if missing
            else self._notes
        )

    def import_labels(self, read: ReadRecords, now: float) -> LabelsImported:
        """Import labels from a table, a log or another home. Undoable."""
        done = self._label_import.run(read, now)
        self.log.append()
        return done

    def _follow(self, changes: Sequence[Change]) -> None:
        self.log.append()
        self.model.follow(changes)

    def _rewrite(self, now: float, write: Callable[[], None]) -> None:
        """Write the database again after it or its folder was deleted: the open files still have
        all data.
        """
        with file_error_codes(self.paths.data):
            self.paths.make()
            if self._lock.is_gone:
                self._lock.close()
                self._lock = HomeLock(self.paths.data / LOCK)
            if self.paths.database.exists():
                quarantine_database(self.paths.database, now)
            write()
            self.log.find_file()
        # Derived files: their next use opens or creates them.
        self.raw_mail.close()
        self.texts.close()
        self.model.delete_snapshot()
        self._when_rewritten()

    def tidy(self) -> None:
        """Write write-ahead logs into their files in idle moments, so that no mark has to wait for
        it.
        """
        # Syncs the transactions that didn't wait for the disk, so that they may be logged.
        self.connection.relieve()
        self.log.append()
        self.log.store_state()
        self.connection.checkpoint()
        self.raw_mail.tidy()
        self.texts.tidy()

    def cached_mail(self, message: int) -> bytes | None:
        identity = self.messages.identities([message]).get(message)
        return None if identity is None else self.raw_mail.get(identity)

    def raw_of(self, message: int) -> bytes:
        """Return the raw mail of a message. Raises `KnownError` NOT_FOUND if it isn't cached."""
        raw = self.cached_mail(message)
        if raw is None:
            raise KnownError(ErrorCode.NOT_FOUND, str(message))
        return raw

    def close(self) -> None:
        with self._open:
            self.connection.look_for_file()
            if self.log.is_open:
                with suppress(KnownError):
                    self.connection.relieve()
                    self.log.append()
                    self.log.store_state()
            self.word_ids.clear()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_to_read(paths: Paths, now: float) -> Store:
    """Open the home for reading, even if it can't be written."""
    try:
        return Store(paths, now)
    except KnownError as error:
        if error.error_code not in (ErrorCode.READ_ONLY, ErrorCode.DISK_FULL) or not os.path.exists(
            paths.database
        ):
            raise
    return Store(paths, now, read_only=True)


def open_home(paths: Paths, now: float, when_rewritten: Callable[[], None]) -> Store:
    """Open the home. A new database with the labels of `labels.log` replaces one that is
    damaged.
    """
    try:
        return Store(paths, now, when_rewritten)
    except KnownError as error:
        if (
            error.error_code is not ErrorCode.DATABASE_DAMAGED
            or not (paths.data / LABELS_LOG).exists()
        ):
            raise
    start_empty(paths, now, fill=True)
    return Store(paths, now, when_rewritten)
