"""Store: all data of a data folder, locked by one process and used by one thread."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from nbmail.core.counting.sample import Sample
from nbmail.core.senders.people import Acquaintance
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.files.connection import Connection
from nbmail.store.files.database_copy import copy_in_use, copy_to_read
from nbmail.store.files.database_file import make_ready
from nbmail.store.files.file_errors import file_error_codes, unreadable_values
from nbmail.store.files.home_handover import remove_request
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.store.files.quarantine import MODEL, TEXTS, WORD_IDS, quarantine_database
from nbmail.store.labels.bulk_learning import BulkLearning
from nbmail.store.labels.journal import Change
from nbmail.store.labels.marks import LabelChanges, Marks
from nbmail.store.labels_log.cached_messages import adopting_cached_messages
from nbmail.store.labels_log.label_import import LabelImport, LabelsImported, ReadRecords
from nbmail.store.labels_log.labels_log import LABELS_LOG, LabelsLog
from nbmail.store.mail.messages import Content
from nbmail.store.mail.raw_mail import RawMail
from nbmail.store.mail.text_index import TextIndex
from nbmail.store.model.current_model import CurrentModel
from nbmail.store.model.folder_snapshots import FolderSnapshots
from nbmail.store.model.word_ids import WordIds
from nbmail.store.tables import REVISION, Tables
from nbmail.values import Delivery, OpeningNote

# File in the cache.
_RAW_MAIL = "mail.sqlite3"


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
    """Open files of a data folder.

    The tables of the database, and `marks`, which changes several at once. Other files: `raw_mail`,
    `texts` (search index), `model` with its snapshot, `word_ids`, `folder_snapshots`, and `log`
    (second copy of the labels).
    """

    def __init__(
        self,
        paths: Paths,
        now: float,
        when_rewritten: Callable[[], None] = lambda: None,
        *,
        read_only: bool = False,
        in_use: bool = False,
    ) -> None:
        """Open or create.

        Raises `KnownError`: HOME_IN_USE, OTHER_VERSION, DATABASE_DAMAGED, READ_ONLY, DISK_FULL.

        `when_rewritten`: called after the database was written again because it had been deleted.
        `read_only`: for data folders that can't be written. Changes are refused or lost. `in_use`:
        read-only, while another process has the data folder open.
        """
        self.paths = paths
        self.read_only = read_only or in_use
        self.notes: tuple[OpeningNote, ...] = ()
        """Events while the home was opened."""
        self._when_rewritten = when_rewritten
        with ExitStack() as opened:
            if in_use:
                folder = Path(opened.enter_context(TemporaryDirectory()))
                database = copy_in_use(paths.database, folder)
            else:
                database = self._prepare(opened)
            self._open_files(opened, database)
            with unreadable_values(paths.database):
                self._open_log(opened, now)
            self._open = opened.pop_all()
        if not self.read_only:
            self.connection.when_gone = partial(self._rewrite, now)

    def _prepare(self, opened: ExitStack) -> Path:
        """Lock the folder, and return the database file that can be opened."""
        paths = self.paths
        if not self.read_only:
            with file_error_codes(paths.data):
                paths.make()
        self._lock = HomeLock(paths.data / LOCK, read_only=self.read_only)
        remove_request(paths)
        # After a deletion of the folder, this is another lock by the end.
        opened.callback(lambda: self._lock.close())  # noqa: PLW0108
        if self.read_only:
            return copy_to_read(paths.database, Path(opened.enter_context(TemporaryDirectory())))
        make_ready(paths.database)
        return paths.database

    def _open_files(self, opened: ExitStack, database: Path) -> None:
        paths = self.paths
        is_original = database == paths.database
        connection = Connection(database, durable=True, read_only=self.read_only and is_original)
        opened.callback(connection.close)
        self.raw_mail = RawMail(paths.cache / _RAW_MAIL, read_only=self.read_only)
        opened.callback(self.raw_mail.close)
        self.texts = TextIndex(paths.data / TEXTS, read_only=self.read_only)
        opened.callback(self.texts.close)
        with unreadable_values(paths.database):
            super().__init__(connection)
            self.word_ids = WordIds(paths.data / WORD_IDS, self.samples_revision)
            self.model = CurrentModel(self, paths.data / MODEL)
            self.folder_snapshots = FolderSnapshots(paths.data, self.samples)
            self.marks = Marks(self, self._follow, partial(self.model.defer, imported=True))
            self._label_import = LabelImport(self.marks)
            self.assign_waiting = self._label_import.assign_waiting
            self.earlier_names = self._label_import.earlier_names

    def _open_log(self, opened: ExitStack, now: float) -> None:
        self.log = LabelsLog(self.paths.data / LABELS_LOG, self, self._label_import)
        opened.callback(self.log.close)
        if self.read_only:
            self.log.open_to_read()
        else:
            self.notes = self.log.open(now)

    def transaction(self) -> AbstractContextManager[None]:
        return self.connection.transaction()

    def take(
        self, delivery: Delivery, contents: Sequence[Content], tokenizer: int, now: float
    ) -> Taken:
        """Store a delivery in one transaction.

        `contents`: in the order of its arrivals. `tokenizer`: their version.
        """
        with self.connection.transaction():
            # Raw mail first: if the rest fails, it waits for the next delivery.
            self.raw_mail.put(((content.identity, content.packed) for content in contents), now)
            folder, touched = self.folders.open(delivery)
            touched |= self.folders.drop(folder, delivery.gone)
            numbers, fresh = self.messages.add(contents, tokenizer)
            self._store_senders(contents, numbers, fresh)
            arrived = zip(delivery.arrivals, numbers, strict=True)
            self.folders.place(folder, [(each.uid, number, each.flags) for each, number in arrived])
            flagged = self.folders.flag(delivery.folder, delivery.flags)
            self.flags.keep(flagged.union(numbers))
            self.folders.close(folder, delivery)
            self.filed.locate(delivery.folder, folder, numbers)
            unlocated = self.folders.unlocated(touched)
        displaced = frozenset(touched - unlocated)
        return Taken(tuple(numbers), fresh, frozenset(flagged), unlocated, displaced)

    def _store_senders(
        self, contents: Sequence[Content], numbers: Sequence[int], fresh: frozenset[int]
    ) -> None:
        """Store what is known of the senders of new messages."""
        known = dict[int, Acquaintance]()
        verified = dict[int, bool]()
        for number, content in zip(numbers, contents, strict=True):
            if number in fresh:
                # The first of equal contents is the one that was stored.
                if content.known is not None:
                    known.setdefault(number, content.known)
                if content.verified is not None:
                    verified.setdefault(number, content.verified)
        self.people.store(known)
        self.people.set_verified(verified)

    def learning(self, *, tokenizer: int, moment: float, shuffled: bool = False) -> BulkLearning:
        return BulkLearning(
            self.marks, self.replace_samples, self.model, tokenizer, moment, shuffled
        )

    def adopting_cached_messages(self, now: float) -> Generator[LabelChanges, None, None]:
        """Store cached messages that a label waits for, and assign the label.

        Yields the changes of each batch.
        """
        return adopting_cached_messages(self, self.raw_mail, self._label_import, now)

    def replace_samples(self, samples: Mapping[int, Sample], tokenizer: int | None = None) -> None:
        """Replace the samples of messages. `tokenizer`: another version that made them."""
        before = self.samples.of(samples)
        with self.connection.transaction():
            self.samples.replace(samples, tokenizer)
            self.settings.set(REVISION, self.samples_revision + 1)
        self.model.follow_samples(
            {message: (before[message], sample) for message, sample in samples.items()}
        )

    def import_labels(self, read: ReadRecords, now: float) -> LabelsImported:
        """Import labels of another home, as an undo step."""
        done = self._label_import.run(read, now)
        self.log.append()
        return done

    def _follow(self, changes: Sequence[Change]) -> None:
        self.log.append()
        self.model.follow(changes)

    def _rewrite(self, now: float, write: Callable[[], None]) -> None:
        """Write the database again after it or its folder was deleted.

        The open files still have all data.
        """
        with file_error_codes(self.paths.data):
            self.paths.make()
            if self._lock.is_gone:
                self._lock.close()
                self._lock = HomeLock(self.paths.data / LOCK)
            if self.paths.database.exists():
                quarantine_database(self.paths.database, now)
            write()
            self.log.restore_file()
        # Derived files: their next use opens or creates them.
        self.raw_mail.close()
        self.texts.close()
        self.model.delete_snapshot()
        self._when_rewritten()

    def tidy(self) -> None:
        """Write write-ahead logs into their files in idle moments, so that no mark has to wait."""
        self._complete_log()
        self.connection.checkpoint()
        self.raw_mail.tidy()
        self.texts.tidy()

    def _complete_log(self) -> None:
        """Append what `labels.log` lacks, and store its state."""
        # Syncs the transactions that didn't wait for the disk, so that they may be logged.
        self.connection.relieve()
        self.log.append()
        self.log.store_state()

    def cached_mail(self, message: int) -> bytes | None:
        """Return the raw mail of a message; None if it isn't cached."""
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
                    self._complete_log()
            self.word_ids.clear()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
