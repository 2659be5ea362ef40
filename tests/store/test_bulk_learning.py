"""Bulk learning leaves the same as storing and marking one message at a time."""

import random

import pytest

from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.doctor import diagnose
from nbmail.store.labels.bulk_learning import TrainingExample
from nbmail.values import HAM, SPAM
from tests.store.helpers import TOKENIZER, content, fill
from tests.store.test_kills import is_exact


def learn(store, labels, at_once=100):
    """Learn messages by number and label in one transaction.

    Return the number of changed labels.
    """
    lessons = [TrainingExample(content(store, number), label) for number, label in labels]
    chunks = (lessons[first : first + at_once] for first in range(0, len(lessons), at_once))
    return store.learning(tokenizer=TOKENIZER, moment=5.0).learn(chunks)


def chosen(seed, count, classes=(SPAM, HAM)):
    chance = random.Random(seed)
    return [(number, chance.choice(classes)) for number in range(1, count + 1)]


@pytest.mark.parametrize(
    "labels", [chosen(1, 60), chosen(1, 60) + chosen(2, 10)], ids=["new", "some again"]
)
def test_deferred_labels_are_learned_between_transactions(store, labels):
    for first in range(0, len(labels), 20):
        learn(store, labels[first : first + 20])
        store.model.learn_deferred()
    store.model.make_exact()
    is_exact(store)


def test_an_interrupted_import_leaves_nothing(store):
    def broken():
        yield [TrainingExample(content(store, number), label) for number, label in chosen(1, 20)]
        raise KnownError(ErrorCode.BAD_INPUT, "gone")

    learning = store.learning(tokenizer=TOKENIZER, moment=5.0)
    with pytest.raises(KnownError):
        learning.learn(broken())
    assert (store.labels.all(), len(store.messages), store.model.model.counts.messages) == (
        {},
        0,
        [],
    )
    assert learning.learn([[TrainingExample(content(store, 1), SPAM)]]) == 1
    store.model.make_exact()
    is_exact(store)
    assert diagnose(store, 9.0).sound


def test_messages_are_learned_once_and_not_read_again(store, monkeypatch):
    learned = []
    read = []
    learn_many = Model.learn_many
    rows = store.connection.rows
    monkeypatch.setattr(
        Model,
        "learn_many",
        lambda model, *given: learned.extend(given[1]) or learn_many(model, *given),
    )
    monkeypatch.setattr(
        store.connection, "rows", lambda sql, *given: read.append(sql) or rows(sql, *given)
    )
    learn(store, chosen(1, 1100), at_once=250)
    store.model.make_exact()
    assert len(learned) == 1100, "an empty store"
    learn(store, [(number, SPAM) for number in range(1101, 1401)], at_once=100)
    store.model.make_exact()
    assert len(learned) == 1400, "new labels at the end of the learning order"
    assert not any("FROM samples" in sql for sql in read)
    is_exact(store)


def test_a_message_of_an_account_is_learned_with_its_stored_words(store):
    (number,) = fill(store, 1)
    stored = store.samples.of([number])[number]
    other = content(store, 1)
    lesson = TrainingExample(
        type(other)(other.identity, other.heading, content(store, 2).sample), SPAM
    )
    assert store.learning(tokenizer=TOKENIZER, moment=5.0).learn([[lesson]]) == 1
    store.model.make_exact()
    assert store.samples.of([number])[number] == stored
    assert store.model.model.counts.documents[0, stored.words].min() == 1
    assert diagnose(store, 9.0).sound
