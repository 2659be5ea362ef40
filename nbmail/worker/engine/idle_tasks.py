"""Tasks for the time in which the engine has nothing else to do."""

import ctypes
import sys

from nbmail.worker.engine.engine_parts import Parts
from nbmail.worker.engine.jobs import Priority, paused
from nbmail.worker.mailbox.text_indexing import index_texts, is_index_behind

ENTRIES = 200
"""Journal entries after which the snapshot of the model is written again."""


def run_idle_tasks(parts: Parts) -> None:
    """Check that the database still exists, and tidy up if anything changed."""
    parts.store.connection.look_for_file()
    if parts.changes.untidy:
        tidy(parts)


def tidy(parts: Parts) -> None:
    """Write derived files and write-ahead logs, and release old raw mail and memory."""
    parts.changes.untidy = False
    # A training that pauses this long may never continue. If it does, another rebuild follows.
    parts.updates.training_ended(*parts.updates.trainings)
    parts.store.tidy()
    _queue_writing(parts)
    parts.store.word_ids.rest()
    parts.folder_updates.rebuild_stale()
    if is_index_behind(parts.store):
        parts.add_job(index_texts(parts.store), Priority.IDLE)
    _release_memory()


def _queue_writing(parts: Parts) -> None:
    """Queue the writing of derived files, and the deletion of old raw mail."""
    store = parts.store
    if store.raw_mail.size() > parts.cache_bytes:
        parts.add_job(paused(store.raw_mail.evicting(parts.cache_bytes)), Priority.IDLE)
    if store.model.is_exact and store.model.entries_behind >= ENTRIES:
        parts.add_job(paused(store.model.write_snapshot()), Priority.IDLE)
    if store.word_ids.is_behind:
        parts.add_job(paused(store.word_ids.write_file()), Priority.IDLE)


def _release_memory() -> None:
    """Return free memory to the system if the C library can do that.

    With 100,000 messages this returns 24 of 200 MB in 2 ms.
    """
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
