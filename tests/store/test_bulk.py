import random
from dataclasses import replace

import numpy as np
import pytest

from nbmail.core.counting.sample import Sample, WordRows
from nbmail.core.judging.model import GOOD, JUNK
from nbmail.errors import KnownError, Trouble
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.labels.bulk_learning import BulkLearning, Lesson
from nbmail.store.values import By
from tests.store.helpers import TOKENIZER, content, fill, learned, open_model, open_store


def learn(store, model, labels, at_once):
    """Messages by number and label, so many at once; how many labels that changed."""
    bulk = BulkLearning(store, model, tokenizer=TOKENIZER, moment=5.0)
    lessons = [Lesson(content(store, number), label) for number, label in labels]
    return sum(bulk.learn(lessons[first : first + at_once]) for first in range(0, len(lessons), at_once))


def one_by_one(store, model, labels):
    step, changed = 0, 0
    for number, label in labels:
        numbers, _ = store.messages.add([content(store, number)], TOKENIZER)
        marked = store.marks.mark(model, numbers, label, by=By.FOLDER, moment=5.0, step=step)
        step, changed = step or marked.step, changed + len(marked.changes)
    return changed


def state(store, model):
    rows = WordRows.join([store.messages.samples([number])[number].words for number in range(1, 6)])
    entries = [(one.message, one.before, one.after, one.by) for one in store.journal.latest()]
    return store.labels.all(), store.labels.all_places(), entries, store.journal.depth(), model.log_odds(rows).tolist()


def chosen(seed, count, classes=(JUNK, GOOD)):
    chance = random.Random(seed)
    return [(number, chance.choice(classes)) for number in range(1, count + 1)]


@pytest.mark.parametrize("at_once", [1, 7, 100])
@pytest.mark.parametrize("classes", [(JUNK, GOOD), (JUNK, GOOD, "Work")])
def test_many_at_once_leave_what_one_by_one_leave(tmp_path, at_once, classes):
    labels = chosen(1, 60, classes)
    with open_store(tmp_path / "bulk") as bulk, open_store(tmp_path / "single") as single:
        model, other = open_model(bulk), open_model(single)
        assert learn(bulk, model, labels, at_once) == one_by_one(single, other, labels) == 60
        assert state(bulk, model) == state(single, other)
        assert bulk.counts.load() == single.counts.load() == model.counts
        assert Doctor(bulk, 9.0).check().sound


def stream(store, model, labels, size):
    """The same in one transaction, so many at a time; how many labels that changed."""
    bulk = BulkLearning(store, model, tokenizer=TOKENIZER, moment=5.0)
    lessons = [Lesson(content(store, number), label) for number, label in labels]
    return bulk.learn_stream(lessons[first : first + size] for first in range(0, len(lessons), size))


@pytest.mark.parametrize("size", [1, 7, 100])
def test_a_stream_leaves_what_one_by_one_leaves(tmp_path, size):
    # Some come twice, a few with another label than at first.
    labels = chosen(1, 40) + chosen(2, 10) + chosen(3, 50)[20:]
    with open_store(tmp_path / "bulk") as bulk, open_store(tmp_path / "single") as single:
        model, other = open_model(bulk), open_model(single)
        stream(bulk, model, labels, size)
        one_by_one(single, other, labels)
        assert bulk.labels.all() == single.labels.all()
        assert bulk.counts.load() == single.counts.load() == model.counts == other.counts
        assert Doctor(bulk, 9.0).check().sound


def test_a_stream_that_breaks_off_leaves_nothing(tmp_path):
    def broken():
        yield [Lesson(content(store, number), label) for number, label in chosen(1, 20)]
        raise KnownError(Trouble.BAD_INPUT, "gone")

    with open_store(tmp_path) as store:
        model = open_model(store)
        bulk = BulkLearning(store, model, tokenizer=TOKENIZER, moment=5.0)
        with pytest.raises(KnownError):
            bulk.learn_stream(broken())
        assert (store.labels.all(), len(store.messages), model.counts.messages) == ({}, 0, [])
        assert bulk.learn([Lesson(content(store, 1), JUNK)]) == 1
        assert store.counts.load() == model.counts
        assert Doctor(store, 9.0).check().sound


def test_the_model_on_the_disk_is_the_one_in_memory(tmp_path):
    with open_store(tmp_path) as store:
        model = open_model(store)
        learn(store, model, chosen(2, 80), 30)
        scores = model.log_odds(WordRows.join([content(store, number).sample.words for number in range(1, 81)]))
    with open_store(tmp_path) as store:
        again = open_model(store)
        rows = WordRows.join([content(store, number).sample.words for number in range(1, 81)])
        np.testing.assert_array_equal(again.log_odds(rows), scores)
        assert again.settled


def test_what_was_learned_is_passed_over_and_another_label_replaces_the_first(tmp_path):
    with open_store(tmp_path) as store:
        model = open_model(store)
        assert learn(store, model, [(1, JUNK), (1, JUNK), (2, JUNK), (2, GOOD)], 10) == 3
        assert learn(store, model, [(1, JUNK), (2, GOOD)], 10) == 0
        assert learn(store, model, [(1, GOOD)], 10) == 1
        assert sorted(store.labels.all().values()) == [GOOD, GOOD]
        assert Doctor(store, 9.0).check().sound


def test_nothing_new_is_no_step(tmp_path):
    with open_store(tmp_path) as store:
        model = open_model(store)
        assert learn(store, model, [], 10) == 0
        learn(store, model, [(1, JUNK)], 10)
        learn(store, model, [(1, JUNK)], 10)
        assert store.journal.depth() == (1, 0)


def test_all_of_it_is_one_step_to_undo(tmp_path):
    with open_store(tmp_path) as store:
        model = open_model(store)
        learn(store, model, chosen(3, 50), 20)
        store.marks.undo(model, moment=6.0)
        assert len(store.labels) == 0
        assert Doctor(store, 9.0).check().sound


def test_a_message_that_came_by_an_account_is_learned_with_its_stored_words(tmp_path):
    with open_store(tmp_path) as store:
        model = open_model(store)
        (number,) = fill(store, 1)
        stored = store.messages.samples([number])[number]
        other = content(store, 2).sample
        lesson = Lesson(content(store, 1), JUNK)
        changed = Lesson(type(lesson.content)(lesson.content.identity, lesson.content.head, other), JUNK)
        assert BulkLearning(store, model, tokenizer=2, moment=5.0).learn([changed]) == 1
        assert store.messages.samples([number])[number] == stored
        assert store.counts.load().documents[0, stored.words].min() == 1
        assert Doctor(store, 9.0).check().sound


def test_what_fails_leaves_disk_and_model_as_they_were(tmp_path, monkeypatch):
    with open_store(tmp_path) as store:
        model = open_model(store)
        learn(store, model, chosen(4, 30), 30)
        before = state(store, model)

        def fail(*_):
            raise KnownError("disk-full", "here")

        monkeypatch.setattr(store.learned, "write_words", fail)
        with pytest.raises(KnownError):
            learn(store, model, [(number, JUNK) for number in range(31, 40)], 10)
        monkeypatch.undo()
        assert state(store, model) == before
        assert model.counts == store.counts.load()
        assert Doctor(store, 9.0).check().sound


def wide(number):
    """A message with half of ten thousand words."""
    chance = np.random.default_rng(number)
    words = np.flatnonzero(chance.random(10_000) < 0.5).astype(np.int32)
    return Sample(words, np.ones(len(words), np.int32), (number,))


def test_what_touches_most_words_is_kept_as_a_whole_and_marks_go_on_from_there(tmp_path):
    with open_store(tmp_path) as store:
        model = open_model(store)
        store.words.vocabulary.numbers_of(f"rare{number}" for number in range(10_000))
        lessons = [
            Lesson(replace(content(store, number), sample=wide(number)), label) for number, label in chosen(5, 9)
        ]
        BulkLearning(store, model, tokenizer=TOKENIZER, moment=5.0).learn(lessons)
        assert store.connection.value("SELECT count(*) FROM folded_corrections") == 2
        assert store.connection.value("SELECT count(*) FROM corrections") == 0
        learn(store, model, [(number, JUNK) for number in range(20, 60)], 7)
        store.marks.undo(model, moment=6.0)
        store.marks.mark(model, [10], GOOD, by=By.USER, moment=7.0)
        kept = learned(model)
        assert Doctor(store, 9.0).check().sound
    with open_store(tmp_path) as store:
        assert learned(open_model(store)) == kept


def test_a_whole_that_fails_to_be_kept_leaves_what_there_was(tmp_path, monkeypatch):
    with open_store(tmp_path) as store:
        model = open_model(store)
        learn(store, model, chosen(6, 30), 30)
        store.words.vocabulary.numbers_of(f"rare{number}" for number in range(10_000))
        before, kept = state(store, model), learned(model)

        def fail(*_):
            raise KnownError("disk-full", "here")

        monkeypatch.setattr(store.learned, "_write_rest", fail)
        lessons = [Lesson(replace(content(store, number), sample=wide(number)), JUNK) for number in range(40, 44)]
        with pytest.raises(KnownError):
            BulkLearning(store, model, tokenizer=TOKENIZER, moment=5.0).learn(lessons)
        monkeypatch.undo()
        assert (state(store, model), learned(model)) == (before, kept)
        learn(store, model, [(number, JUNK) for number in range(50, 60)], 10)
        assert Doctor(store, 9.0).check().sound
