"""List of all messages, read in chunks while other jobs run."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from nbmail.core.mail.html_page import read_page
from nbmail.core.mail.message import Mail
from nbmail.core.mail.parser import parse
from nbmail.store.mail.location_columns import join_locations
from nbmail.store.mail.search_terms import sought
from nbmail.store.store import Store
from nbmail.values import Rows
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority
from nbmail.worker.scores.changes import Changes
from nbmail.worker.scores.scores import Scoring

# Messages read in one time slice: about 5 ms.
CHUNK = 1000


class MailRows:
    """The list of messages, and search in it."""

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
        chunks = []
        with self._changes.repeated():
            for first in range(1, last + 1, CHUNK):
                chunks.append(listing.some(range(first, min(first + CHUNK, last + 1))))
                yield Pause(min(first + CHUNK, last), last)
            return self._scoring.with_scores((yield from _join(chunks or [listing.some(())])))

    def find_text(
        self, show: Callable[[tuple[int, ...]], object], words: str
    ) -> JobSteps[tuple[int, ...]]:
        """Find the messages that contain all words, in no particular order.

        Words in quotes must be adjacent; the last word may be the beginning of one. The search
        covers texts, subjects, names of people and of attachments, and ignores case and accents.
        Texts that are not indexed yet are indexed meanwhile: `show` gets the messages found up to
        then.
        """
        self._changes.untidy = True
        store = self._store
        found = list[int]()
        searched = 0
        shown = -SHOWN
        wanted = sought(words)
        if not wanted:
            return ()
        while True:
            for last, some in store.texts.find(wanted, searched):
                searched = last
                found = found + some
                yield Pause()
            is_behind = is_index_behind(store)
            done = store.texts.upto
            total = store.messages.last()
            so_far = tuple(dict.fromkeys(found))
            if not is_behind:
                return so_far
            if done - shown >= SHOWN:
                shown = done
                show(so_far)
            yield Pause(done, total, Priority.WORK)
            yield from _index_some(store)

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


# Messages indexed in one transaction, about 4 ms, and bytes parsed in one time slice, up to 10 ms.
TOGETHER = 32
CHUNK_BYTES = 50_000
# After so many messages the write-ahead log is written into the file.
CHECKPOINT = 20 * TOGETHER
# Messages indexed between two partial results of a search.
SHOWN = 1000


def is_index_behind(store: Store) -> bool:
    """True if there are messages to index. An index with messages that a power cut erased is
    cleared.
    """
    upto = store.texts.upto
    last = store.messages.last()
    if upto > last:
        store.texts.recreate()
    return upto != last


def index_texts(store: Store) -> JobSteps[None]:
    while is_index_behind(store):
        yield from _index_some(store)
    store.texts.tidy()


def _index_some(store: Store) -> JobSteps[None]:
    """Index the next few messages, in the order of their numbers."""
    first = store.texts.upto + 1
    heads = store.messages.headings(range(first, first + TOGETHER))
    texts = list[tuple[int, str, str]]()
    weight = 0
    for message, identity in sorted(store.messages.identities(heads).items()):
        raw = store.raw_mail.get(identity)
        # Of a message that is not cached any more, the list knows sender and subject.
        text = f"{heads[message].sender}\n{heads[message].subject}"
        recipients = ""
        if raw:
            text, recipients = searched_text(parse(raw))
        texts.append((message, text, recipients))
        weight += len(raw or b"")
        if weight >= CHUNK_BYTES:
            weight = 0
            yield Pause()
    # A search and the background job may have read the same messages.
    upto = store.texts.upto
    store.texts.add(each for each in texts if each[0] > upto)
    yield Pause()
    while store.texts.merge():
        yield Pause()
    if first % CHECKPOINT < TOGETHER:
        store.texts.relieve()


def searched_text(mail: Mail) -> tuple[str, str]:
    """Return what is searched of a message: sender, subject, names of attachments and texts; and
    its recipients.
    """
    texts = [
        read_page(part.text).text if part.kind == "text/html" else part.text for part in mail.texts
    ]
    parts = (
        mail.header("from"),
        mail.header("subject"),
        *(file.name for file in mail.files),
        *texts,
    )
    return "\n".join(parts), f"{mail.header('to')}\n{mail.header('cc')}"
