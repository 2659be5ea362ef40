"""Small generated messages whose content depends on the number alone; drivers for the store."""

import contextlib
import itertools
import os
import random

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.sample import Sample
from nbmail.core.mail.message import Heading
from nbmail.core.scoring.model import Model
from nbmail.paths import Paths
from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.labels.bulk_learning import TrainingExample
from nbmail.store.labels.journal import By
from nbmail.store.labels_log.label_records import label_records, last_records
from nbmail.store.labels_log.labels_log import LABELS_LOG
from nbmail.store.labels_log.log_lines import parse_line
from nbmail.store.mail.identity import identify
from nbmail.store.mail.messages import Content
from nbmail.store.mail.raw_mail import pack
from nbmail.store.store import Store
from nbmail.values import Arrival, Delivery, FolderName, LabelSource
from nbmail.worker.model.laboratory import method_named

ACCOUNT = "anna"
INBOX = FolderName(ACCOUNT, "INBOX")
SPAM = FolderName(ACCOUNT, "Junk")
TOKENIZER = 1


def quick_folder():
    """Return a folder in memory where the system has one, for tests with many writes."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def open_store(home, now=1000.0, method="balanced", when_rewritten=lambda: None):
    """Open a store with an exact model."""
    store = Store(Paths.under(home), now, when_rewritten)
    drain(store.model.opening(Model(store.words.vocabulary, method_named(method))))
    return store


def close_store(store):
    """Close a store with a snapshot, as the engine does."""
    store.model.make_exact()
    drain(store.model.write_snapshot())
    store.close()


def raw_mail(number):
    return b"Message-ID: <%d@example.org>\r\nSubject: no. %d\r\n\r\nText of %d\r\n" % (
        number,
        number,
        number,
    )


def content(store, number, words=20):
    """Message `number` with common words and some words that no other message has."""
    chance = random.Random(number)
    chosen = sorted(
        {f"word{int(chance.expovariate(0.05))}" for _ in range(words)} | {f"only{number}"}
    )
    raw = raw_mail(number)
    heading = Heading(
        f"sender{number % 5}@example.org", f"no. {number}", float(number), len(raw), number % 2 == 0
    )
    heading = heading._replace(message_id=f"<{number}@example.org>")
    return Content(identify(raw), heading, sample(store, chosen, chance, number), pack(raw))


def sample(store, chosen, chance, number):
    numbers = store.words.vocabulary.numbers_of(chosen)
    words, occurrences = zip(*sorted((word, chance.randint(1, 4)) for word in numbers), strict=True)
    return Sample(
        np.array(words, np.int32), np.array(occurrences, np.int32), (chance.randint(0, 9), number)
    )


def delivery(numbers, folder=INBOX, validity=1, **more):
    """Messages with these numbers, whose UIDs are the same."""
    arrivals = (Arrival(number, frozenset(), 0.0, raw_mail(number), 0) for number in numbers)
    return Delivery(folder, validity, arrivals=tuple(arrivals), **more)


def take(store, numbers, folder=INBOX, validity=1, now=2.0, **more):
    numbers = list(numbers)
    contents = [content(store, number) for number in numbers]
    return store.take(delivery(numbers, folder, validity, **more), contents, TOKENIZER, now)


def fill(store, count, first=1):
    """Store messages from number `first` on in the inbox. Return their numbers in the store."""
    return take(store, range(first, first + count), now=1.0).messages


def keywords(store):
    """Actions of a mark that sets keywords and moves nothing."""
    return lambda changes: ()


def moved_to_spam(store):
    """Actions of a mark that sets keywords and moves messages to the spam folder."""
    return lambda changes: [
        WantedMove(each, "\\Junk")
        for each in store.folders.locations(change.message for change in changes)
    ]


def rebuilt(store):
    """Rebuild the model without replacing the current one."""
    fold = store.model.begin_rebuild()
    while fold.advance():
        pass
    return fold.model


def learned(model):
    """Return everything that a model learned besides counts, in comparable form."""
    kept = model.content()
    rows = {
        name: tuple((word, value) for word, value in enumerate(row.tolist()) if value)
        for name, row in zip(model.counts.classes, kept.corrections, strict=False)
    }
    # What is missing equals nothing, not even itself.
    scores = [None if np.isnan(score) else score for score in kept.held_out.parts.ravel().tolist()]
    return (
        {name: row for name, row in rows.items() if row},
        scores,
        kept.held_out.spam.tolist(),
        kept.cross_validated,
    )


def logged_labels(store):
    """Return label and position by identity, as `labels.log` has them."""
    lines = (store.paths.data / LABELS_LOG).read_bytes().splitlines(keepends=True)
    last = last_records(record for record in map(parse_line, lines) if record)
    return {
        identity: (record.label, record.position)
        for identity, record in last.items()
        if record.label
    }


def stored_labels(store):
    """Return label and position by identity, as the database has them."""
    records = label_records(store.connection)
    return {record.identity: (record.label, record.position) for record in records}


class Driver:
    """Changes a store as a user does, and tracks the expected labels without a database.

    `given`: label of each message, with its source and time, which undo, redo and restore don't
    change. A shuffled label always has the same position in the learning order, so that its latest
    assignment counts.
    """

    def __init__(self, store, around=contextlib.nullcontext):
        self.store = store
        self.around = around
        self.moment = 100.0
        self.given = {}
        self.undoable = []
        self.redoable = []
        self.shuffled = {}

    @property
    def labels(self):
        return {message: label for message, (label, *_) in self.given.items()}

    def assign(self, given, labels, source, *, shuffled=False):
        """Return the expected labels after these changes."""
        for message, label in labels:
            if given.get(message, (None,))[0] != label:
                given = {one: its for one, its in given.items() if one != message}
                its = self.shuffled.setdefault((message, label), []) if shuffled else []
                its[:] = label, source, self.moment
                given |= {message: its} if label else {}
        return given

    def become(self, given):
        """Add a step, unless nothing changes."""
        if given != self.given:
            self.undoable.append(self.given)
            self.redoable.clear()
            self.given = given

    def mark(self, messages, label):
        before = self.labels
        labels = dict.fromkeys(messages, label)
        self.become(self.assign(self.given, labels.items(), LabelSource("user")))
        with self.around():
            marked = self.store.marks.mark(
                labels, by=By.USER, moment=self.moment, actions=keywords(self.store)
            )
        assert {one.message for one in marked.changes} == {
            one for one in messages if before.get(one) != label
        }

    def mark_in_pieces(self, messages, label, at_once, *, shuffled):
        step = 0
        before = self.given
        more = {"by": By.FOLDER, "shuffled": shuffled, "folder": INBOX}
        for first in range(0, len(messages), at_once):
            chunk = dict.fromkeys(messages[first : first + at_once], label)
            source = LabelSource("folder", INBOX)
            self.given = self.assign(self.given, chunk.items(), source, shuffled=shuffled)
            with self.around():
                step = (
                    self.store.marks.mark(chunk, moment=self.moment, step=step, **more).step or step
                )
        after = self.given
        self.given = before
        self.become(after)

    def learn(self, lessons, *, shuffled=False):
        """Learn messages by their numbers, with their labels."""
        known = [TrainingExample(content(self.store, number), label) for number, label in lessons]
        learning = self.store.learning(tokenizer=TOKENIZER, moment=self.moment, shuffled=shuffled)
        found = self.store.messages.find(one.content.identity for one in known)
        numbering = itertools.count(self.store.messages.last() + 1)
        for one in known:
            if one.content.identity not in found:
                found[one.content.identity] = next(numbering)
        labels = ((found[one.content.identity], one.label) for one in known)
        self.become(self.assign(self.given, labels, LabelSource("files"), shuffled=shuffled))
        with self.around():
            learning.learn([known[:3], known[3:]])

    def undo(self):
        if self.undoable:
            self.redoable.append(self.given)
            self.given = self.undoable.pop()
        with self.around():
            self.store.marks.undo(moment=self.moment)

    def redo(self):
        if self.redoable:
            self.undoable.append(self.given)
            self.given = self.redoable.pop()
        with self.around():
            self.store.marks.redo(moment=self.moment)

    def go_back(self, line, given):
        if {one: label for one, (label, *_) in given.items()} != self.labels:
            self.become(given)
        with self.around():
            self.store.marks.restore(line, moment=self.moment)
