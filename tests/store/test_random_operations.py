"""A thousand random operations: after each, the counts equal a rebuild from the labels, in memory and on the disk."""

import shutil
import tempfile
from functools import partial
from pathlib import Path

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from nbmail.store.doctor.doctor import Doctor
from nbmail.store.labels.bulk_learning import BulkLearning, Lesson
from nbmail.store.values import By
from tests.store.helpers import (
    ACCOUNT,
    INBOX,
    SPAM,
    TOKENIZER,
    Expectation,
    batch,
    content,
    fill,
    in_pieces,
    keywords,
    learned,
    open_model,
    open_store,
    quick_folder,
    rebuilt,
)

NAMES = st.sampled_from(["junk", "good", "work"])
LABELS = st.one_of(NAMES, st.none())
PIECES = st.sampled_from([None, 1, 4])
MESSAGES = st.lists(st.integers(0, 29), min_size=1, max_size=5)


def some_pieces(turn, count):
    """The first pieces of an undo, redo or journey, one label each; whether it was stopped before its end."""
    stored = turn(most=1, after=None)
    for _ in range(count - 1):
        stored = turn(most=1, after=stored) if stored.way else stored
    return bool(stored.way)


class Operations(RuleBasedStateMachine):
    """Marks of all kinds on thirty messages."""

    def __init__(self):
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="nbmail-operations-", dir=quick_folder()))
        self.store = open_store(self.home)
        self.model = open_model(self.store)
        self.messages = fill(self.store, 30)
        self.expected = Expectation()
        self.moment = 100.0
        self.past = []

    def teardown(self):
        try:
            diagnosis = Doctor(self.store, self.moment).check()
            assert diagnosis.sound, diagnosis
        finally:
            self.store.close()
            shutil.rmtree(self.home)

    def tick(self):
        self.past.append((self.moment, self.expected.labels))
        self.moment += 1.0

    @rule(places=MESSAGES, label=LABELS)
    def mark(self, places, label):
        self.tick()
        before, messages = self.expected.labels, [self.messages[place] for place in places]
        marked = self.store.marks.mark(
            self.model, messages, label, by=By.USER, moment=self.moment, wishes=keywords(self.store)
        )
        self.expected.mark(messages, label)
        assert {one.message for one in marked.changes} == {one for one in messages if before.get(one) != label}

    @rule(lessons=st.lists(st.tuples(st.integers(1, 36), NAMES), max_size=8))
    def learn_in_bulk(self, lessons):
        self.tick()
        contents = [content(self.store, number) for number, _ in lessons]
        bulk = BulkLearning(self.store, self.model, tokenizer=TOKENIZER, moment=self.moment)
        bulk.learn([Lesson(one, label) for one, (_, label) in zip(contents, lessons, strict=True)])
        numbers = self.store.messages.find(one.identity for one in contents)
        learned_now = {numbers[one.identity]: label for one, (_, label) in zip(contents, lessons, strict=True)}
        self.expected.become({**self.expected.labels, **learned_now})

    @rule(label=LABELS, mixed=st.booleans(), counted=st.booleans())
    def mark_a_folder_in_pieces(self, label, mixed, counted):
        self.tick()
        messages, step = self.store.folders.messages(ACCOUNT, INBOX), 0
        for first in range(0, len(messages), 7):
            piece = messages[first : first + 7]
            marked = self.store.marks.mark(
                self.model, piece, label, by=By.FOLDER, moment=self.moment, step=step, mixed=mixed, counted=counted
            )
            step = step or marked.step
        self.expected.mark(messages, label)

    @rule(most=PIECES)
    def undo(self, most):
        self.tick()
        in_pieces(partial(self.store.marks.undo, self.model, moment=self.moment), most)
        self.expected.undo()

    @rule(most=PIECES)
    def redo(self, most):
        self.tick()
        in_pieces(partial(self.store.marks.redo, self.model, moment=self.moment), most)
        self.expected.redo()

    @rule(pieces=st.integers(1, 4))
    def stop_an_undo_and_go_on(self, pieces):
        self.tick()
        if some_pieces(partial(self.store.marks.undo, self.model, moment=self.moment), pieces):
            self.counts_equal_a_rebuild()
            in_pieces(partial(self.store.marks.undo, self.model, moment=self.moment), 4)
        self.expected.undo()

    @rule(pieces=st.integers(1, 4))
    def stop_a_redo_and_take_it_back(self, pieces):
        """What could be redone can be redone then as before."""
        self.tick()
        if not some_pieces(partial(self.store.marks.redo, self.model, moment=self.moment), pieces):
            self.expected.redo()
            return
        self.counts_equal_a_rebuild()
        in_pieces(partial(self.store.marks.undo, self.model, moment=self.moment), 4)

    @rule(data=st.data(), pieces=st.integers(1, 4))
    def stop_a_journey(self, data, pieces):
        self.tick()
        to, _ = data.draw(st.sampled_from(self.past))
        some_pieces(partial(self.store.marks.go_back, self.model, to, moment=self.moment), pieces)
        self.expected.become(self.store.labels.all())

    @rule(data=st.data(), most=PIECES)
    def go_back(self, data, most):
        self.tick()
        to, labels = data.draw(st.sampled_from(self.past))
        in_pieces(partial(self.store.marks.go_back, self.model, to, moment=self.moment), most)
        self.expected.become(labels)

    @rule()
    def fold_anew(self):
        self.model = self.store.fold(self.model).keep()

    @rule(validity=st.integers(2, 9))
    def change_validity(self, validity):
        self.store.take(batch(self.store, range(1, 31), SPAM, validity), self.moment)

    @rule()
    def reopen(self):
        before = learned(self.model)
        self.store.close()
        self.store = open_store(self.home, self.moment)
        self.model = open_model(self.store)
        assert not self.model.settled or learned(self.model) == before

    @invariant()
    def labels_are_as_expected(self):
        assert self.store.labels.all() == self.expected.labels

    @invariant()
    def counts_equal_a_rebuild(self):
        anew = rebuilt(self.store, self.model)
        assert anew.counts == self.model.counts == self.store.counts.load()
        if self.model.settled:
            assert learned(anew) == learned(self.model)


# Shrinking a failure here takes minutes; the printed blob finds it again, and `Phase.shrink` can be added then.
Operations.TestCase.settings = settings(max_examples=25, stateful_step_count=40, phases=(Phase.generate,))
TestOperations = Operations.TestCase
