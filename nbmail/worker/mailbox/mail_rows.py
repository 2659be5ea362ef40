"""List of all messages, read in chunks while other jobs run."""

import sys
from collections.abc import Callable, Sequence

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.store.mail.listing import renumbered
from nbmail.store.store import Store
from nbmail.values import Rows
from nbmail.worker.engine.announcer import Changes
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.mailbox.text_search import find_text
from nbmail.worker.model.updates import Scoring

# Messages read in one time slice: about 5 ms.
CHUNK = 1000


class MailRows:
    """The list of messages, and search in it."""

    def __init__(self, store: Store, scoring: Scoring, changes: Changes) -> None:
        self._store, self._scoring, self._changes = store, scoring, changes

    def list_mail(self) -> JobSteps[Rows]:
        """Read all rows in chunks, then sort them. Changes made meanwhile are announced after the result."""
        listing, last = self._store.listing, self._store.messages.last()
        # The chunks are released afterwards, and their memory by the idle tasks: 95 MB with 1,000,000 messages.
        self._changes.untidy = True
        chunks = []
        with self._changes.repeated():
            for first in range(1, last + 1, CHUNK):
                chunks.append(listing.some(range(first, min(first + CHUNK, last + 1))))
                yield Pause(min(first + CHUNK, last), last)
            return self._scoring.with_scores((yield from _join(chunks or [listing.some(())])))

    def find_text(self, show: Callable[[tuple[int, ...]], object], words: str) -> JobSteps[tuple[int, ...]]:
        """Find messages. `show` is called with those found up to now."""
        self._changes.untidy = True
        return find_text(self._store, words, show)

    def show_rows(self, messages: Sequence[int]) -> None:
        """Set the visible messages, and have them scored now if their scores are stale."""
        self._scoring.all.visible = tuple(messages)
        if not self._scoring.all.is_current:
            self._changes.scores_changed()


def _join(chunks: list[Rows]) -> JobSteps[Rows]:
    """Join chunks into one list, newest first."""
    dates = np.concatenate([chunk.dates for chunk in chunks])
    messages = np.concatenate([chunk.messages for chunk in chunks])
    order = np.lexsort((-messages, -dates))
    yield Pause()
    # Few people write most mail: one string for each of them.
    senders = yield from _sorted([sys.intern(sender) for chunk in chunks for sender in chunk.senders], order)
    subjects = yield from _sorted([subject for chunk in chunks for subject in chunk.subjects], order)
    others, other_places = renumbered(chunks)
    return Rows(
        messages=messages[order],
        dates=dates[order],
        senders=senders,
        subjects=subjects,
        labels=np.concatenate([chunk.labels for chunk in chunks])[order],
        folders=np.concatenate([chunk.folders for chunk in chunks])[order],
        unread=np.concatenate([chunk.unread for chunk in chunks])[order],
        attachments=np.concatenate([chunk.attachments for chunk in chunks])[order],
        flagged=np.concatenate([chunk.flagged for chunk in chunks])[order],
        scores=chunks[-1].scores,
        label_names=chunks[-1].label_names,
        folder_names=chunks[-1].folder_names,
        others=others[order],
        other_places=other_places,
        label_sources=np.concatenate([chunk.label_sources for chunk in chunks])[order],
        source_names=chunks[-1].source_names,
        junk_folders=chunks[-1].junk_folders,
        verified=np.concatenate([chunk.verified for chunk in chunks])[order],
    )


def _sorted(texts: list[str], order: LongArray) -> JobSteps[tuple[str, ...]]:
    """Sort texts by `order`. 100,000 take about 5 ms."""
    yield Pause()
    return tuple([texts[place] for place in order.tolist()])
