"""The store: everything that is kept, behind one lock. Opened, used and closed by one thread."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from contextlib import AbstractContextManager, suppress
from types import TracebackType

from nbmail.core.judging.model import Model
from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.store.files.connection import Connection
from nbmail.store.files.database_file import make_ready
from nbmail.store.files.disk_errors import file_troubles
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.journal import Journal
from nbmail.store.labels.label_givers import Givers
from nbmail.store.labels.labels import Labels
from nbmail.store.labels.marks import Marks, Tables
from nbmail.store.labels.undo_steps import Steps
from nbmail.store.mail.folders import Folders
from nbmail.store.mail.listing import Listing
from nbmail.store.mail.messages import Messages
from nbmail.store.mail.outbox import Outbox
from nbmail.store.mail.raw_mail import LATEST, Bodies, pack
from nbmail.store.mail.words_table import WordsTable
from nbmail.store.model.class_order import ClassOrder
from nbmail.store.model.counts_reading import CountsReading
from nbmail.store.model.counts_table import CountsTable
from nbmail.store.model.imported_bases import Bases
from nbmail.store.model.label_fold import Fold
from nbmail.store.model.learned import LearnedTable
from nbmail.store.values import Batch, Taken

BODIES = "mail.sqlite3"


class Store:
    """Opens the home's files and holds what works on them, split by subject.

    `settings`, `words`, `messages`, `folders`, `listing`, `labels`, `counts`, `counts_reading`, `learned`, `bases`,
    `journal`, `steps`, `givers`, `outbox`, `marks` share one database, `connection`; `bodies` is the cache of raw mail.
    `notes` say what opening did.
    """

    def __init__(self, paths: Paths, now: float) -> None:
        """Open or create. Raises `KnownError`: HOME_IN_USE, HOME_TOO_NEW, DATABASE_DAMAGED, READ_ONLY, DISK_FULL."""
        self.paths = paths
        with file_troubles(paths.data):
            paths.make()
        self._lock = HomeLock(paths.data / LOCK)
        cut_off = _was_cut_off(paths)
        try:
            self.notes = make_ready(paths.database, now)
            self.connection = Connection(paths.database, durable=True)
        except BaseException:
            self._lock.release()
            raise
        try:
            self.bodies = Bodies(paths.cache / BODIES)
        except BaseException:
            self.connection.close()
            self._lock.release()
            raise
        try:
            self._lay_out()
            self._drop_strays(self.bodies.latest(LATEST if cut_off else 1))
        except BaseException:
            self.close()
            raise

    def _lay_out(self) -> None:
        connection = self.connection
        self.settings = SettingsTable(connection)
        order = ClassOrder(connection, self.settings)
        self.words = WordsTable(connection)
        self.messages = Messages(connection, self.words)
        self.folders = Folders(connection)
        self.labels = Labels(connection, self.settings)
        self.counts = CountsTable(connection, order)
        self.counts_reading = CountsReading(connection, order, self.counts)
        self.learned = LearnedTable(connection, self.settings, self.labels, self.counts, order)
        self.bases = Bases(connection, self.settings, self.labels, self.counts, order)
        self.journal = Journal(connection, self.labels)
        self.steps = Steps(connection, self.labels, self.settings)
        self.givers = Givers(connection, self.labels, self.steps)
        self.listing = Listing(connection, self.folders, self.givers)
        self.outbox = Outbox(connection)
        tables = Tables(
            self.messages,
            self.labels,
            self.counts,
            self.learned,
            self.bases,
            self.journal,
            self.outbox,
            self.steps,
        )
        self.marks = Marks(connection, tables)

    def transaction(self) -> AbstractContextManager[None]:
        """Everything inside happens or nothing does. Nested ones join the outermost."""
        return self.connection.transaction()

    def load_model(self, model: Model) -> None:
        """Bring a model over this store's vocabulary to where the last transaction left it."""
        self.learned.load(model)

    def loading_model(self, model: Model) -> Generator[None, None, None]:
        """The same in pieces; what is counted in between makes it begin again."""
        while True:
            line, base, counting = self.journal.last_line(), self.bases.current, self.counts_reading.pieces()
            while (line, base) == (self.journal.last_line(), self.bases.current):
                try:
                    next(counting)
                except StopIteration as end:
                    self.learned.load(model, end.value)
                    return
                yield

    def fold(self, model: Model) -> Fold:
        """Begin to build the model anew from all labels."""
        return Fold(model, self.bases, self.labels, self.journal, self.learned, settings=self.settings)

    def take(self, batch: Batch, now: float) -> Taken:
        """Keep a batch from an account: new messages, places, flags and how far the folder is, in one transaction."""
        contents = [placed.content for placed in batch.placed]
        bodies = [(content.identity, content.packed or pack(content.raw)) for content in contents]
        with self.connection.transaction():
            # Bodies first: what goes wrong behind them leaves raw mail without a message, never the other way round.
            self.connection.when_rolled_back(lambda: self._drop_strays([identity for identity, _ in bodies]))
            self.bodies.put_packed(bodies, now)
            folder, touched = self.folders.open(batch)
            touched |= self.folders.drop(folder, batch.gone)
            numbers, fresh = self.messages.add(contents, batch.tokenizer)
            places = [(one.uid, number, one.flags) for one, number in zip(batch.placed, numbers, strict=True)]
            self.folders.place(folder, places)
            flagged = self.folders.flag(folder, batch.flags)
            self.folders.close(folder, batch)
            homeless = self.folders.homeless(touched)
        return Taken(tuple(numbers), fresh, frozenset(flagged), homeless, frozenset(touched - homeless))

    def _drop_strays(self, identities: list[bytes]) -> None:
        """Forget raw mail whose message didn't make it. Where the disk refuses that, its next delivery adopts it."""
        known = self.messages.find(identities)
        with suppress(KnownError):
            self.bodies.drop(identity for identity in identities if identity not in known)

    def tidy(self) -> None:
        """Write the logs into the files. For idle moments, so that no mark has to wait for it."""
        self.connection.checkpoint()
        self.bodies.tidy()

    def disk_free(self) -> int:
        """Bytes free where the database lies."""
        return shutil.disk_usage(self.paths.data).free

    def close(self) -> None:
        """Close everything and let the next one in."""
        try:
            self.bodies.close()
            self.connection.close()
        finally:
            self._lock.release()

    def __enter__(self) -> Store:
        """For `with`: closes at the end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()


def _was_cut_off(paths: Paths) -> bool:
    """Whether the last run didn't come to close its files: then it left their logs.

    To look for a thousand messages at every opening would cost a slow disk as many reads.
    """
    files = (paths.database, paths.cache / BODIES)
    return any(file.with_name(f"{file.name}-wal").exists() for file in files)
