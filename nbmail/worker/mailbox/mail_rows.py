"""List of all messages, read in chunks while other jobs run."""

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nbmail.store.mail.location_columns import join_locations
from nbmail.store.store import Store
from nbmail.values import Rows
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.scores.changes import Changes
from nbmail.worker.scores.scores import Scoring

# Messages read in one time slice: about 5 ms.
CHUNK = 1000


class MailRows:
    """The list of messages, and which of them are on the screen."""

    def __init__(self, store: Store, scoring: Scoring, changes: Changes) -> None:
        self._store = store
        self._scoring = scoring
        self._changes = changes

    def list_mail(self) -> JobSteps[Rows]:
        """List all messages that have a location, newest first.

        The rows are read in chunks, then sorted. Changes made meanwhile are announced after the
        result.
        """
        listing = self._store.listing
        last = self._store.messages.last()
        # The chunks are released afterwards, and their memory by the idle tasks: 95 MB with
        # 1,000,000 messages.
        self._changes.untidy = True
        chunks = list[Rows]()
        with self._changes.repeated():
            for first in range(1, last + 1, CHUNK):
                end = min(first + CHUNK, last + 1)
                chunks.append(listing.some(range(first, end)))
                yield Pause(end - 1, last)
            rows = yield from _join(chunks or [listing.some(())])
            return self._scoring.with_scores(rows)

    def show_rows(self, messages: Sequence[int]) -> None:
        """Set the messages that are visible. The engine scores them first from now on."""
        self._scoring.visible = tuple(messages)
        if not self._scoring.is_current:
            self._changes.scores_changed()


def _join(chunks: list[Rows]) -> JobSteps[Rows]:
    """Join chunks into one list, newest first."""
    dates = np.concatenate([chunk.dates for chunk in chunks])
    messages = np.concatenate([chunk.messages for chunk in chunks])
    order = np.lexsort((-messages, -dates))
    yield Pause()
    # Few people write most mail: one string for each of them.
    all_senders = [sys.intern(sender) for chunk in chunks for sender in chunk.senders]
    yield Pause()
    # To sort 100,000 takes about 5 ms.
    senders = tuple([all_senders[place] for place in order.tolist()])
    all_subjects = [subject for chunk in chunks for subject in chunk.subjects]
    yield Pause()
    subjects = tuple([all_subjects[place] for place in order.tolist()])
    locations, location_sets = join_locations(chunks)
    return replace(
        chunks[-1],
        messages=messages[order],
        dates=dates[order],
        senders=senders,
        subjects=subjects,
        labels=np.concatenate([chunk.labels for chunk in chunks])[order],
        label_sources=np.concatenate([chunk.label_sources for chunk in chunks])[order],
        locations=locations[order],
        attachments=np.concatenate([chunk.attachments for chunk in chunks])[order],
        flagged=np.concatenate([chunk.flagged for chunk in chunks])[order],
        verified=np.concatenate([chunk.verified for chunk in chunks])[order],
        location_sets=location_sets,
    )
