"""Marks, undo and redo, other clients' marks, journeys through time, imports: each one step, each exact."""

import random
from dataclasses import replace
from functools import partial

import pytest

from nbmail.core.counting.counts import Counts
from nbmail.core.judging.model import Model
from nbmail.errors import KnownError, Trouble
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.values import Batch, By, Change, Marked, Placed
from tests.store.helpers import (
    ACCOUNT,
    TOKENIZER,
    content,
    fill,
    in_pieces,
    keywords,
    learned,
    moved_to_junk,
    open_model,
    open_store,
    rebuilt,
)


class Home:
    """A store with thirty messages and its model."""

    def __init__(self, store):
        self.store = store
        self.model = open_model(store)
        self.messages = fill(store, 30)
        self.moment = 10.0

    def mark(self, which, label, by=By.USER, **more):
        self.moment += 1.0
        messages = [self.messages[place] for place in which]
        return self.store.marks.mark(self.model, messages, label, by=by, moment=self.moment, **more)

    def undo(self):
        self.moment += 1.0
        return self.store.marks.undo(self.model, moment=self.moment)

    def redo(self):
        self.moment += 1.0
        return self.store.marks.redo(self.model, moment=self.moment)

    @property
    def labels(self):
        return {self.messages.index(message): label for message, label in self.store.labels.all().items()}

    def picture(self):
        """Everything that an undo must bring back."""
        places = self.store.labels.all_places()
        return places, self.store.connection.rows("SELECT * FROM counts"), learned(rebuilt(self.store, self.model))

    def check(self):
        assert rebuilt(self.store, self.model).counts == self.model.counts == self.store.counts.load()
        assert Doctor(self.store, 0.0).check().sound


@pytest.fixture
def home(store):
    return Home(store)


def test_a_mark_says_what_it_changed(home):
    home.mark([1], "good")
    marked = home.mark([1, 2, 2, 3], "junk")
    one, two, three = home.messages[1:4]
    assert marked.changes == (Change(one, "good", "junk"), Change(two, None, "junk"), Change(three, None, "junk"))
    assert marked.step == 2
    home.check()


def test_marking_twice_changes_nothing(home):
    home.mark([1, 2], "junk", wishes=keywords(home.store))
    before = home.picture(), home.store.journal.latest(), home.store.outbox.tasks("anna"), home.store.journal.depth()
    assert home.mark([1, 2], "junk", wishes=keywords(home.store)) == Marked()
    assert home.mark([5], None) == Marked()
    after = home.picture(), home.store.journal.latest(), home.store.outbox.tasks("anna"), home.store.journal.depth()
    assert after == before


def test_untraining_uses_what_was_learned(home):
    """Another tokenizer's sample for the same mail changes nothing: the stored one is what goes out."""
    home.mark([1], "junk")
    again = replace(content(home.store, 2), sample=content(home.store, 77).sample)
    home.store.take(Batch(ACCOUNT, "other", 1, TOKENIZER + 1, placed=(Placed(2, frozenset(), again),)), 1.0)
    home.mark([1], None)
    assert home.model.counts == Counts() == home.store.counts.load()
    assert home.store.connection.rows("SELECT * FROM counts") == []


def test_undo_and_redo_many_steps_over_a_restart(store, tmp_path):
    home, chance = Home(store), random.Random(2)
    pictures = [home.picture()]
    for _ in range(25):
        while not home.mark(chance.sample(range(30), 4), chance.choice(["junk", "good", "work", None])).changes:
            pass
        pictures.append(home.picture())
    for place in reversed(range(25)):
        home.undo()
        assert home.picture() == pictures[place]
        if place == 12:
            store.close()
            home.store = store = open_store(tmp_path / "home")
            home.model = open_model(store)
    assert home.undo() == Marked()
    for picture in pictures[1:]:
        home.redo()
        assert home.picture() == picture
    assert home.redo() == Marked()
    home.check()
    store.close()


def test_undoing_the_latest_marks_needs_no_fold(home):
    for place in range(20):
        home.mark([place], "junk" if place % 3 else "good")
    kept = learned(home.model)
    home.mark([20, 21, 22], "junk")
    home.undo()
    assert home.model.settled
    assert learned(home.model) == kept
    home.mark([4], "good")
    assert not home.model.settled
    home.model = home.store.fold(home.model).keep()
    assert home.model.settled
    home.check()


def test_whether_it_is_settled_survives_a_restart(store, tmp_path):
    home = Home(store)
    home.mark(range(10), "junk")
    home.mark([3], "good")
    store.close()
    with open_store(tmp_path / "home") as again:
        model = open_model(again)
        assert not model.settled
        again.fold(model).keep()
    with open_store(tmp_path / "home") as again:
        assert open_model(again).settled


def test_another_method_asks_for_a_fold(store):
    home = Home(store)
    home.mark(range(10), "junk")
    other = Model(store.words.vocabulary, "multinomial")
    store.load_model(other)
    assert not other.settled
    assert other.counts == home.model.counts


def test_a_bulk_mark_in_pieces_is_one_step(home):
    home.mark([0], "good")
    first = home.mark(range(10), "junk", by=By.FOLDER)
    second = home.mark(range(10, 20), "junk", by=By.FOLDER, step=first.step)
    assert second.step == first.step
    assert home.store.journal.depth() == (2, 0)
    home.undo()
    assert home.labels == {0: "good"}
    home.redo()
    assert home.labels == dict.fromkeys(range(20), "junk")
    home.check()


def test_a_new_step_ends_what_could_be_redone(home):
    home.mark([1], "junk")
    home.undo()
    home.mark([2], "good")
    assert home.redo() == Marked()
    assert home.store.journal.depth() == (1, 0)
    assert home.labels == {2: "good"}


def test_another_clients_marks_are_no_steps_and_are_respected(home):
    home.mark([1, 2], "junk")
    assert home.mark([1, 3], "good", by=By.SERVER).step == 0
    assert home.store.journal.depth() == (1, 0)
    home.undo()
    assert home.labels == {1: "good", 3: "good"}, "what the other client said of 1 stays"
    home.redo()
    assert home.labels == {1: "good", 2: "junk", 3: "good"}
    home.check()


def test_a_step_with_nothing_left_of_it_is_passed_over(home):
    home.mark([1], "junk")
    home.mark([2], "junk")
    home.mark([2], "good", by=By.SERVER)
    assert {change.message for change in home.undo().changes} == {home.messages[1]}


def test_the_journal_tells_everything(home):
    home.mark([1], "junk")
    home.mark([1], "good", by=By.FOLDER)
    home.undo()
    home.redo()
    home.mark([1], None, by=By.SERVER)
    lines = [(one.moment, one.before, one.after, one.by) for one in home.store.journal.latest()]
    assert lines == [
        (15.0, "good", None, "server"),
        (14.0, "junk", "good", "redo"),
        (13.0, "good", "junk", "undo"),
        (12.0, "junk", "good", "folder"),
        (11.0, None, "junk", "user"),
    ]
    assert {one.subject for one in home.store.journal.latest()} == {"no. 2"}
    assert len(home.store.journal.latest(2)) == 2


def test_labels_as_of_any_moment(home):
    chance, past = random.Random(3), []
    for _ in range(30):
        past.append((home.moment, home.labels, home.store.labels.all_places()))
        action = chance.choice([home.undo, home.redo, None, None, None])
        if action:
            action()
        home.mark(chance.sample(range(30), 5), chance.choice(["junk", "good", None]))
    for moment, labels, places in past:
        pieces = [one for piece in home.store.labels.at(moment, most=7) for one in piece]
        assert {home.messages.index(one.message): one.label for one in pieces} == labels
        assert [one.position for one in pieces] == sorted(place.position for place in places.values())
    samples = home.store.messages.samples(home.messages)
    assert all(one.sample == samples[one.message] for one in home.store.labels.in_order(most=1000))


@pytest.mark.parametrize("most", [None, 1])
def test_a_step_that_changed_a_message_twice_leads_back_to_before_both(home, most):
    first, second = home.messages[:2]
    marks = home.store.marks
    step = marks.mark(home.model, [first, second], "junk", by=By.FOLDER, moment=5.0).step
    marks.mark(home.model, [first], "good", by=By.FOLDER, moment=6.0, step=step)
    in_pieces(partial(marks.undo, home.model, moment=7.0), most)
    assert home.store.labels.all() == {}
    in_pieces(partial(marks.redo, home.model, moment=8.0), most)
    assert home.store.labels.all() == {first: "good", second: "junk"}


def test_back_to_a_moment_is_a_step(home):
    home.mark(range(5), "junk")
    home.mark(range(3, 9), "good")
    then, moment = home.picture(), home.moment
    home.mark(range(2, 7), "work")
    home.mark([20], "junk")
    now = home.picture()
    home.moment = 50.0
    home.store.marks.go_back(home.model, moment, moment=50.0)
    assert home.picture() == then
    assert [one.by for one in home.store.journal.latest(3)] == ["travel"] * 3
    home.undo()
    assert home.picture() == now
    home.redo()
    assert home.picture() == then
    assert home.store.marks.go_back(home.model, 52.0, moment=53.0) == Marked()
    home.check()


def test_a_mark_that_fails_leaves_model_and_file_as_they_were(home):
    home.mark(range(10), "junk")
    home.mark(range(10, 20), "good")
    before, kept = home.picture(), learned(home.model)

    def broken(change):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        home.mark([1, 25], "good", wishes=broken)
    assert home.picture() == before
    assert learned(home.model) == kept
    assert home.model.settled
    home.store.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(KnownError):
        home.undo()
    home.store.connection.execute("PRAGMA query_only = OFF")
    assert learned(home.model) == kept
    home.check()


@pytest.mark.parametrize("name", ["junk", "work"])
def test_a_class_whose_first_mark_failed_is_no_class(store, tmp_path, monkeypatch, name):
    home = Home(store)

    def full():
        raise KnownError(Trouble.DISK_FULL)

    with monkeypatch.context() as patch:
        patch.setattr(store.connection, "_commit", full)
        with pytest.raises(KnownError):
            home.mark([0], name)
    assert home.mark([1], "good").changes == (Change(home.messages[1], None, "good"),)
    assert home.labels == {1: "good"}
    assert home.model.counts.classes == ["good"]
    home.check()


def test_a_home_with_a_name_too_many_opens(tmp_path):
    with open_store(tmp_path) as store:
        home = Home(store)
        home.mark([1], "good")
        store.settings.set("classes", ["junk", "good"])
    with open_store(tmp_path) as store:
        assert open_model(store).counts.classes == ["good"]
        assert Doctor(store, 0.0).check().sound


def test_going_back_takes_back_what_the_server_was_to_be_told(home):
    home.mark([3], "good")
    moment = home.moment
    home.mark([1], "junk", wishes=moved_to_junk(home.store))
    home.mark([2], "junk")
    assert {task.kind for task in home.store.outbox.tasks(ACCOUNT)} == {"keywords", "move"}
    home.moment = 50.0
    home.store.marks.go_back(home.model, moment, moment=50.0, wishes=keywords(home.store))
    tasks = home.store.outbox.tasks(ACCOUNT)
    assert [task.kind for task in tasks] == ["keywords", "keywords"], "set, and cleared again; never moved"
    assert {task.uid for task in tasks} == {2}, "nothing of what the server never heard"
    home.undo()
    assert {task.kind for task in home.store.outbox.tasks(ACCOUNT)} == {"keywords", "move"}


def test_counting_out_what_never_went_in_is_an_error(home):
    home.mark([1], "junk")
    home.store.connection.execute("DELETE FROM counts WHERE word = (SELECT min(word) FROM counts)")
    with pytest.raises(ValueError, match="never counted in"):
        home.mark([1], None)
    assert home.labels == {1: "junk"}


def model_of(store, label, numbers):
    """A model from elsewhere over this store's vocabulary."""
    model = Model(store.words.vocabulary)
    for number in numbers:
        model.learn(content(store, number).sample, label[number % len(label)])
    with store.transaction():
        store.words.write()
    return model


def test_an_import_into_an_empty_home_is_exactly_the_model(home):
    other = model_of(home.store, ["junk", "good"], range(200, 280))
    marked = home.store.marks.take_base(home.model, other.counts, other.keep(), moment=1.0)
    assert marked.base
    assert home.model.counts == other.counts == home.store.counts.load()
    assert learned(home.model) == learned(other)
    assert home.model.settled
    home.check()


def test_labels_come_on_top_of_an_import_and_it_can_be_undone(store, tmp_path):
    home = Home(store)
    home.mark(range(8), "junk")
    before = home.picture()
    other = model_of(store, ["junk", "good", "work"], range(200, 260))
    home.store.marks.take_base(home.model, other.counts, other.keep(), moment=1.0)
    assert not home.model.settled
    home.model = store.fold(home.model).keep()
    home.mark(range(8, 12), "good")
    home.check()
    store.close()
    home.store = store = open_store(tmp_path / "home")
    home.model = open_model(store)
    home.undo()
    home.undo()
    assert home.model.counts == rebuilt(store, home.model).counts
    assert home.picture() == before
    home.redo()
    counts = model_of(store, ["junk", "good", "work"], range(200, 260)).counts
    for place in range(8):
        counts.learn(store.messages.samples([home.messages[place]])[home.messages[place]], "junk")
    assert home.model.counts == counts
    home.check()
    store.close()


def test_a_fold_takes_in_what_is_marked_meanwhile(home):
    home.mark(range(20), "junk")
    home.mark([3], "good")
    fold = home.store.fold(home.model)
    fold.advance(most=5)
    home.mark([25], "good")
    assert not fold.disturbed
    model = fold.keep()
    assert learned(model) == learned(rebuilt(home.store, home.model))
    fold = home.store.fold(model)
    fold.advance(most=5)
    home.mark([2], "good")
    assert fold.disturbed
    with pytest.raises(ValueError, match="changed under"):
        fold.keep()


def test_classes_come_back_in_the_order_the_model_had_them(store, tmp_path):
    """What a method keeps may speak of classes by row."""
    store.labels.number("work")
    home = Home(store)
    other = model_of(store, ["news", "junk"], range(200, 220))
    home.mark([1], "junk")
    home.mark([2], "work")
    store.marks.take_base(home.model, other.counts, other.keep(), moment=1.0)
    home.mark([3], "good")
    order = list(home.model.counts.classes)
    assert order[:2] == list(other.counts.classes) == list(store.bases.load()[0].classes)
    assert rebuilt(store, home.model).counts.classes == order
    store.close()
    with open_store(tmp_path / "home") as again:
        assert open_model(again).counts.classes == order


def test_without_an_import_too(store, tmp_path):
    home = Home(store)
    for name in ("good", "work", "junk"):
        store.labels.number(name)
    for place, name in enumerate(("junk", "work", "good")):
        home.mark([place], name)
    store.close()
    with open_store(tmp_path / "home") as again:
        assert open_model(again).counts.classes == ["junk", "work", "good"] == home.model.counts.classes


def in_any_order(home, counted):
    """Junk and good mail by folder, some of it marked before, some marked and taken back since."""
    home.mark([3, 12], "good")
    for label, which in (("junk", range(12)), ("good", range(12, 24))):
        step = 0
        for first in (which[:5], which[5:]):
            marked = home.mark(first, label, By.FOLDER, step=step, mixed=True, counted=counted)
            step = marked.step
    home.mark([5], "good")
    home.undo()
    return home.labels


def test_what_was_only_counted_is_folded_to_the_same(store, tmp_path):
    counted = Home(store)
    with open_store(tmp_path / "other") as other:
        one_by_one = Home(other)
        assert in_any_order(counted, True) == in_any_order(one_by_one, False)
        assert learned(rebuilt(store, counted.model)) == learned(rebuilt(other, one_by_one.model))
        assert store.labels.all_places() == other.labels.all_places()
    assert not counted.model.settled
    counted.check()


def test_what_was_only_counted_scores_and_waits_for_a_fold(home, tmp_path):
    home.mark(range(10), "junk", By.FOLDER, mixed=True, counted=True)
    home.mark(range(10, 20), "good", By.FOLDER, mixed=True, counted=True)
    samples = list(home.store.messages.samples(home.messages[:20]).values())
    scores = home.model.log_odds(home.model.rows(samples))
    assert scores[:10].min() > scores[10:].max()
    assert not open_model(home.store).settled
    model = home.store.fold(home.model).keep()
    assert model.held_out != (0, 0)
    assert open_model(home.store).settled
    assert Doctor(home.store, 0.0).check().sound


def test_a_counted_label_that_changes_is_counted_out_again(home):
    home.mark(range(10), "junk", By.FOLDER, mixed=True, counted=True)
    home.mark(range(4), "good", By.FOLDER, mixed=True, counted=True)
    home.mark([1], None)
    home.check()
    home.undo()
    home.undo()
    home.check()
    assert set(home.labels.values()) == {"junk"}
