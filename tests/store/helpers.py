"""Small made-up mail for the store's tests: content that the same number always makes the same."""

import os
import random

from nbmail.core.counting.sample import Clues
from nbmail.core.judging.model import Model
from nbmail.paths import Paths
from nbmail.store.mail.identity import identify
from nbmail.store.store import Store
from nbmail.store.values import Batch, Content, Head, Placed, Wish

ACCOUNT, INBOX, SPAM = "anna", "INBOX", "Junk"
TOKENIZER = 1


def quick_folder():
    """A folder in memory where the system has one: there a test that writes thousands of times doesn't wait."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def open_store(home, now=1000.0):
    return Store(Paths.under(home), now)


def open_model(store):
    model = Model(store.words.vocabulary)
    store.load_model(model)
    return model


def raw_mail(number):
    return b"Message-ID: <%d@example.org>\r\nSubject: no. %d\r\n\r\nText of %d\r\n" % (number, number, number)


def content(store, number, words=20):
    """Message `number`: some words that many share, some of its own."""
    chance = random.Random(number)
    chosen = sorted({f"word{int(chance.expovariate(0.05))}" for _ in range(words)} | {f"only{number}"})
    clues = Clues(tuple(chosen), tuple(chance.randint(1, 4) for _ in chosen), (chance.randint(0, 9), number))
    raw = raw_mail(number)
    head = Head(f"sender{number % 5}@example.org", f"no. {number}", float(number), len(raw), number % 2 == 0)
    return Content(identify(raw), head, store.words.vocabulary.sample(clues), raw)


def placed(store, number, uid=None, flags=()):
    return Placed(number if uid is None else uid, frozenset(flags), content(store, number))


def batch(store, numbers, folder=INBOX, validity=1, **more):
    mail = tuple(placed(store, number) for number in numbers)
    return Batch(ACCOUNT, folder, validity, TOKENIZER, placed=mail, **more)


def fill(store, count, first=1):
    """Messages `first` and on, in the inbox; their numbers in the store."""
    return store.take(batch(store, range(first, first + count)), 1.0).messages


def keywords(store):
    """Wishes as the engine has them: the label's keyword wherever the message lies."""

    def wishes(change):
        names = {"junk": "$Junk", "good": "$NotJunk"}
        add = frozenset({names[change.after]} if change.after in names else ())
        remove = frozenset(names.values()) - add
        for location in store.folders.locations([change.message]):
            yield Wish("keywords", location, add, remove)

    return wishes


def moved_to_junk(store):
    """The same, and a move to the junk folder."""

    def wishes(change):
        yield from keywords(store)(change)
        yield from (Wish("move", each, target="\\Junk") for each in store.folders.locations([change.message]))

    return wishes


def rebuilt(store, model):
    """The model folded anew from the base and all labels, without writing it."""
    fold = store.fold(model)
    while fold.advance():
        pass
    return fold.model


def learned(model):
    """What a model learned beside the counts, as something that can be compared."""
    kept = model.keep()
    rows = {
        name: tuple((word, value) for word, value in enumerate(row.tolist()) if value)
        for name, row in zip(model.counts.classes, kept.corrections, strict=False)
    }
    return (
        {name: row for name, row in rows.items() if row},
        kept.held_out_scores.tolist(),
        [bool(one) for one in kept.held_out_junk],
        kept.small,
    )


def in_pieces(turn, most):
    """An undo, redo or journey carried out in pieces of at most so many labels."""
    stored = turn(most=most, after=None)
    while stored.way:
        stored = turn(most=most, after=stored)


class Expectation:
    """What labels must be after each operation: the rules of marking, undo and redo without a database."""

    def __init__(self):
        self.labels = {}
        self.undoable, self.redoable = [], []
        self.past = []

    def mark(self, messages, label):
        after = {message: old for message, old in self.labels.items() if message not in messages}
        if label:
            after.update(dict.fromkeys(messages, label))
        self.become(after)

    def become(self, after):
        """A new step, unless nothing changes."""
        if after != self.labels:
            self.undoable.append(self.labels)
            self.redoable.clear()
            self.labels = after

    def undo(self):
        if self.undoable:
            self.redoable.append(self.labels)
            self.labels = self.undoable.pop()

    def redo(self):
        if self.redoable:
            self.undoable.append(self.labels)
            self.labels = self.redoable.pop()
