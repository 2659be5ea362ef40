"""A model that went through a file scores like the one it was made from, to the last bit."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.model import Learned, Model
from nbmail.core.sample import Clues, Vocabulary
from nbmail.exchange.conversion import Knowledge, knowledge_of, merge, tables_of
from nbmail.exchange.nbmodel import read_model, write_model

LABELS = ("junk", "good", "lists")


def clues(chance, label):
    words = {f"w{chance.randrange(60)}" for _ in range(20)} | {f"{label}{chance.randrange(9)}" for _ in range(4)}
    ordered = sorted(words)
    return Clues(tuple(ordered), tuple(chance.randrange(1, 5) for _ in ordered), (chance.randrange(9), 7))


def taught(seed, messages, labels=LABELS[:2]):
    chance = random.Random(seed)
    model = Model()
    model.vocabulary.sample(Clues(("never", "counted"), (1, 1), ()))
    for _ in range(messages):
        label = chance.choice(labels)
        model.learn(model.vocabulary.sample(clues(chance, label)), label)
    return model


def scores(model, seed=99):
    chance = random.Random(seed)
    samples = [model.vocabulary.sample(clues(chance, chance.choice(LABELS))) for _ in range(40)]
    log_odds = model.log_odds(model.rows(samples))
    return log_odds, model.probabilities(log_odds)


@pytest.mark.parametrize("messages", [0, 1, 2, 30, 150])
def test_scores_are_identical_after_the_way_through_a_file(tmp_path, messages):
    model = taught(messages, messages)
    write_model(tmp_path / "m.nbmodel", tables_of(model, 1, {}))
    tables = read_model(tmp_path / "m.nbmodel")
    other = Model(Vocabulary(["here", "before"]))
    knowledge = knowledge_of(tables, other.vocabulary)
    other.restore(knowledge.counts, knowledge.learned)
    for mine, theirs in zip(scores(model), scores(other), strict=True):
        assert np.array_equal(mine, theirs, equal_nan=True)


def test_what_is_not_counted_is_not_exported():
    assert "never" not in tables_of(taught(3, 20), 1, {}).words


@given(seeds=st.lists(st.integers(0, 10**6), min_size=2, max_size=4))
def test_counts_of_merged_models_are_those_of_one_that_learned_all(seeds):
    vocabulary = Vocabulary()
    together = Model(vocabulary)
    merged = Knowledge(Model(vocabulary).counts, _nothing())
    for seed in seeds:
        part = Model(vocabulary)
        chance = random.Random(seed)
        for _ in range(12):
            label = chance.choice(LABELS)
            sample = vocabulary.sample(clues(chance, label))
            part.learn(sample, label)
            together.learn(sample, label)
        merged = merge(merged, Knowledge(part.counts, part.keep()))
    assert merged.counts == together.counts


def test_merging_with_nothing_changes_nothing():
    model = taught(5, 80)
    mine, nothing = Knowledge(model.counts, model.keep()), Knowledge(Model().counts, _nothing())
    assert merge(mine, nothing) is mine
    assert merge(nothing, mine) is mine


def test_corrections_of_merged_models_are_averaged_by_class_name():
    one, other = taught(1, 40, ("junk", "good")), taught(2, 10, ("good", "junk"))
    mine = Knowledge(one.counts, Learned(_corrections(one, {"junk": 100}), np.zeros(1), np.zeros(1, bool)))
    theirs = Knowledge(other.counts, Learned(_corrections(other, {"good": 50}), np.zeros(2), np.zeros(2, bool)))
    merged = merge(mine, theirs)
    rows = {name: merged.learned.corrections[row] for row, name in enumerate(merged.counts.classes)}
    assert rows["junk"][0] == 80
    assert rows["good"][0] == 10
    assert len(merged.learned.held_out_scores) == 3


def _corrections(model, first_words):
    table = np.zeros((len(model.counts.classes), 4), np.int64)
    for name, value in first_words.items():
        table[model.counts.row(name), 0] = value
    return table


def _nothing():
    return Learned(np.zeros((0, 0), np.int64), np.zeros(0), np.zeros(0, bool))
