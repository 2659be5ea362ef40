"""Idle tasks: checks that the files still exist, derived files, caches and memory."""

import ctypes
import sys

from nbmail.errors import ErrorCode
from nbmail.store.store import Store
from nbmail.worker.engine.announcer import Changes, Emit
from nbmail.worker.engine.job_queue import AddJob, Priority, paused
from nbmail.worker.folders.folder_suggestions import FolderSuggestions
from nbmail.worker.mailbox.text_search import index_texts, is_index_behind
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.events import EngineFailed
from nbmail.worker.protocol.ticket import Failed

# Journal entries after which the snapshot of the model is written again.
ENTRIES = 200


class IdleTasks:
    """Runs when the engine has had nothing to do for a while."""

    def __init__(
        self,
        store: Store,
        updates: Updates,
        changes: Changes,
        *,
        folders: FolderSuggestions,
        emit: Emit,
        add_job: AddJob,
        cache_bytes: int,
    ) -> None:
        self._store, self._updates, self._changes = store, updates, changes
        self._folders = folders
        self._emit, self._add_job, self._cache_bytes = emit, add_job, cache_bytes
        store.when_rewritten = self._report_deletion

    def run(self) -> None:
        """Check that the database still exists, and tidy up if anything changed."""
        self._store.connection.look_for_file()
        if self._changes.untidy:
            self.tidy()

    def _report_deletion(self) -> None:
        """Report that the database was deleted and written again, with `labels.log` if needed."""
        self._changes.untidy = True
        self._emit(EngineFailed(Failed(ErrorCode.HOME_DELETED, str(self._store.paths.database))))

    def tidy(self) -> None:
        """Write derived files and write-ahead logs, and release old raw mail and memory."""
        self._changes.untidy = False
        # A training that pauses this long may never continue. If it does, another rebuild follows.
        self._updates.training_ended(*self._updates.trainings.running)
        store = self._store
        store.tidy()
        if store.raw_mail.size() > self._cache_bytes:
            self._add_job(paused(store.raw_mail.evicting(self._cache_bytes)), Priority.IDLE)
        if store.model.is_exact and store.model.entries_behind >= ENTRIES:
            self._add_job(paused(store.model.write_snapshot()), Priority.IDLE)
        if store.word_ids.is_behind:
            self._add_job(paused(store.word_ids.write_file()), Priority.IDLE)
        store.word_ids.rest()
        self._folders.rebuild_stale()
        if is_index_behind(store):
            self._add_job(index_texts(store), Priority.IDLE)
        trim_memory()


def trim_memory() -> None:
    """Return free memory to the system if the C library can: 24 MB of 200 with 100,000 messages, in 2 ms."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
