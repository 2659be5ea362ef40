"""Sources of labels: the journal agrees with a record of every step."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.store.labels.journal import UNKNOWN_SOURCE, By
from nbmail.store.labels.label_import import TrainingExample
from nbmail.values import FolderName, LabelSource, SourcedLabel
from tests.store.helpers import ACCOUNT, TOKENIZER, content, fill, open_store, quick_folder

MESSAGES = range(8)
FOLDERS = (FolderName(ACCOUNT, "Spam"), FolderName(ACCOUNT, "Archive"))
USER, SERVER = LabelSource("user"), LabelSource("server")


class Witness:
    """Carries operations out and keeps, for every message, the label it must have and from whom."""

    def __init__(self, store):
        self.store, self.moment = store, 10.0
        self.messages = fill(store, len(MESSAGES))
        self.known, self.done, self.undone = {}, [], []
        self.past = [(0, {})]

    def places(self):
        return self.store.labels.places(self.messages)

    def mark(self, which, label, label_source):
        messages, before = [self.messages[place] for place in which], self.places()
        labels = dict.fromkeys(messages, label)
        marked = self.store.marks.mark(labels, by=By(label_source.by), moment=self.moment, folder=label_source.folder)
        after, step = self.places(), {}
        for message in (one.message for one in marked.changes):
            now = (after[message], SourcedLabel(label, label_source, self.moment)) if label else None
            step[message] = (self.known.get(message), now)
            assert before.get(message) == (step[message][0][0] if step[message][0] else None)
        self.become({message: pair for message, (_, pair) in step.items()})
        if step and label_source.by != "server":
            self.done.append(step)
            self.undone.clear()

    def become(self, pairs):
        self.known = {message: pair for message, pair in (self.known | pairs).items() if pair}

    def undo(self):
        self.store.marks.undo(moment=self.moment)
        self.turn(self.done, self.undone, By.UNDO, 1, 0)

    def redo(self):
        self.store.marks.redo(moment=self.moment)
        self.turn(self.undone, self.done, By.REDO, 0, 1)

    def turn(self, taken, put, by, here, there):
        """Steps of which nothing stands any more are passed over."""
        while taken:
            step, changed = taken.pop(), {}
            put.append(step)
            for message, pairs in step.items():
                if place_of(self.known.get(message)) == place_of(pairs[here]):
                    changed[message] = brought_back(pairs[there], by, self.moment)
            self.become(changed)
            if any(label_of(step[message][0]) != label_of(step[message][1]) for message in changed):
                return

    def go_back(self, steps):
        line, then = self.past[max(0, len(self.past) - 1 - steps)]
        self.store.marks.restore(line, moment=self.moment)
        step = {
            message: (self.known.get(message), brought_back(then.get(message), By.RESTORE, self.moment))
            for message in self.messages
            if place_of(then.get(message)) != place_of(self.known.get(message))
        }
        if any(label_of(before) != label_of(after) for before, after in step.values()):
            self.become({message: pair for message, (_, pair) in step.items()})
            self.done.append(step)
            self.undone.clear()

    def check(self):
        self.past.append((self.store.journal.last_entry(), dict(self.known)))
        self.moment += 1.0
        found = {message: self.store.label_sources.find(message) for message in self.messages}
        assert found == {message: self.known[message][1] if message in self.known else None for message in found}
        assert listed(self.store.listing.all()) == {
            message: self.known[message][1].label_source if message in self.known else None for message in found
        }


def place_of(pair):
    return pair[0] if pair else None


def label_of(pair):
    return pair[1].label if pair else None


def brought_back(pair, by, moment):
    return (pair[0], pair[1]._replace(back_by=by, back_moment=moment)) if pair else None


def listed(heads):
    return {
        message: heads.source_names[label_source] if label_source >= 0 else None
        for message, label_source in zip(heads.messages.tolist(), heads.label_sources.tolist(), strict=True)
    }


some = st.lists(st.sampled_from(MESSAGES), min_size=1, max_size=5, unique=True)
labels = st.sampled_from(["junk", "good", None])
label_sources = st.sampled_from(
    [USER, SERVER, LabelSource("folder"), *(LabelSource("folder", folder) for folder in FOLDERS)]
)
marks = st.tuples(st.just("mark"), some, labels, label_sources)
turns = st.tuples(st.sampled_from(["undo", "redo"]))
journeys = st.tuples(st.just("go_back"), st.integers(0, 12))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(marks, turns, journeys), max_size=14))
def test_marks_undo_redo_and_journeys(operations):
    with tempfile.TemporaryDirectory(dir=quick_folder()) as home, open_store(Path(home)) as store:
        witness = Witness(store)
        for name, *given_with in operations:
            getattr(witness, name)(*given_with)
            witness.check()


def test_what_the_journal_does_not_know_is_not_made_up(store):
    witness = Witness(store)
    witness.mark([0, 1], "junk", USER)
    message, other = witness.messages[:2]
    store.connection.execute("DELETE FROM journal WHERE message = ?", (message,))
    store.connection.execute("UPDATE journal SET after = NULL, position_after = NULL WHERE message = ?", (other,))
    assert store.label_sources.find(message) == store.label_sources.find(other) == SourcedLabel("junk", UNKNOWN_SOURCE)
    assert listed(store.listing.all())[message] == UNKNOWN_SOURCE
    assert store.label_sources.find(witness.messages[2]) is None
    assert store.label_sources.find(999) is None


def test_files_that_were_handed_in(store):
    known = fill(store, 1)[0]
    lessons = [TrainingExample(content(store, number), "junk") for number in (1, 2)]
    store.learning(tokenizer=TOKENIZER, moment=5.0).learn([lessons])
    for message in (known, known + 1):
        assert store.label_sources.find(message) == SourcedLabel("junk", LabelSource("files"), 5.0)
    store.learning(tokenizer=TOKENIZER, moment=6.0).learn([[TrainingExample(content(store, 1), "good")]])
    assert store.label_sources.find(known) == SourcedLabel("good", LabelSource("files"), 6.0)


def test_folders_are_known_at_the_next_opening_each_at_its_place(tmp_path):
    with open_store(tmp_path) as store:
        witness = Witness(store)
        for number in range(12):
            witness.mark([number % 8], ("junk", "good")[number // 8], LabelSource("folder", FOLDERS[number % 2]))
        names = store.label_sources.names()
        rows = listed(store.listing.all())
    with open_store(tmp_path) as store:
        assert store.label_sources.names() == names
        assert names[-2:] == tuple(LabelSource("folder", folder) for folder in FOLDERS)
        assert listed(store.listing.all()) == rows
        assert listed(store.listing.some(witness.messages[:3])) == {one: rows[one] for one in witness.messages[:3]}


@pytest.mark.parametrize("far", [1, 50])
def test_a_few_of_many_rows(store, far):
    messages = fill(store, 200)
    store.marks.mark(dict.fromkeys(messages[::far], "junk"), by=By.USER, moment=1.0)
    store.marks.mark({messages[0]: "good"}, by=By.SERVER, moment=2.0)
    rows = listed(store.listing.some([messages[0], messages[100], messages[101]]))
    assert rows == {messages[0]: SERVER, messages[100]: USER, messages[101]: USER if far == 1 else None}
