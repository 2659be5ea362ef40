"""An exported and imported model scores like the original, to the last bit."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.chunks import drain
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.metrics import one_minus_auc
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.exchange.conversion import content_of, tables_of
from nbmail.exchange.nbmodel.writing import writing_model
from nbmail.worker.model.laboratory import method_named
from tests.core.material import mailbox, text_sample, vocabulary
from tests.exchange.foreign import read_model
from tests.exchange.merging import merge

LABELS = ("spam", "ham", "lists")


def drawn(vocabulary, chance, label):
    words = {f"w{chance.randrange(60)}" for _ in range(20)} | {
        f"{label}{chance.randrange(9)}" for _ in range(4)
    }
    ordered = sorted(words)
    return text_sample(
        vocabulary, ordered, [chance.randrange(1, 5) for _ in ordered], (chance.randrange(9), 7)
    )


def trained_on(seed, messages, labels=LABELS[:2]):
    chance = random.Random(seed)
    model = Model()
    model.vocabulary.numbers_of(["never", "counted"])
    for _ in range(messages):
        label = chance.choice(labels)
        model.learn(drawn(model.vocabulary, chance, label), label)
    return model


def scores(model, seed=99):
    chance = random.Random(seed)
    samples = [drawn(model.vocabulary, chance, chance.choice(LABELS)) for _ in range(40)]
    log_odds = model.log_odds(model.rows(samples))
    return log_odds, model.probabilities(log_odds)


def test_words_without_counts_are_not_exported():
    assert "never" not in tables_of(trained_on(3, 20), 1).words


@pytest.mark.parametrize("messages", [0, 1, 2, 30, 150])
def test_scores_are_identical_after_export_and_import(tmp_path, messages):
    model = trained_on(messages, messages)
    drain(model.cross_validating())
    drain(writing_model(tmp_path / "m.nbmodel", tables_of(model, 1)))
    tables = read_model(tmp_path / "m.nbmodel")
    other = Model(Vocabulary(["here", "before"]))
    content = content_of(tables, other.vocabulary)
    other.restore(content)
    for mine, theirs in zip(scores(model), scores(other), strict=True):
        assert np.array_equal(mine, theirs, equal_nan=True)


@settings(max_examples=25)
@given(seeds=st.lists(st.integers(0, 10**6), min_size=2, max_size=4))
def test_counts_of_merged_models_equal_those_of_one_model_with_all_mail(seeds):
    vocabulary = Vocabulary()
    together = Model(vocabulary)
    merged = ModelContent.of()
    for seed in seeds:
        part = Model(vocabulary)
        chance = random.Random(seed)
        for _ in range(12):
            label = chance.choice(LABELS)
            sample = drawn(vocabulary, chance, label)
            part.learn(sample, label)
            together.learn(sample, label)
        merged = merge(merged, part.content())
    assert merged.counts == together.counts


def test_corrections_of_merged_models_are_averaged_by_class_name():
    one = trained_on(1, 40, ("spam", "ham"))
    other = trained_on(2, 10, ("ham", "spam"))
    mine = ModelContent(
        one.counts,
        _corrections(one, {"spam": 100}),
        HeldOut.of_scores(np.zeros(1), *np.zeros((2, 1), bool)),
    )
    theirs = ModelContent(
        other.counts,
        _corrections(other, {"ham": 50}),
        HeldOut.of_scores(np.zeros(2), *np.zeros((2, 2), bool)),
    )
    merged = merge(mine, theirs)
    rows = {name: merged.corrections[row] for row, name in enumerate(merged.counts.classes)}
    assert rows["spam"][0] == 80
    assert rows["ham"][0] == 10
    assert len(merged.held_out) == 3


def _corrections(model, first_words):
    table = np.zeros((len(model.counts.classes), 4), np.int64)
    for name, value in first_words.items():
        table[model.counts.row(name), 0] = value
    return table


@settings(max_examples=40)
@given(seeds=st.tuples(*[st.integers(0, 10**6)] * 2), sizes=st.tuples(*[st.integers(1, 40)] * 2))
def test_the_order_of_merged_models_makes_no_difference(seeds, sizes):
    vocabulary = Vocabulary()
    halves = []
    for seed, size in zip(seeds, sizes, strict=True):
        model = Model(vocabulary)
        chance = random.Random(seed)
        for _ in range(size):
            label = chance.choice(LABELS[:2])
            model.learn(drawn(vocabulary, chance, label), label)
        halves.append(model.content())
    one, two = (merge(*pair) for pair in (halves, halves[::-1]))
    assert one.counts == two.counts
    assert np.array_equal(one.held_out.scores, two.held_out.scores, equal_nan=True)
    assert one.held_out.spam.tolist() == two.held_out.spam.tolist()
    for row, name in enumerate(one.counts.classes):
        assert np.array_equal(one.corrections[row], two.corrections[two.counts.row(name)])


@pytest.mark.parametrize("method", ["balanced", "logistic"])
def test_two_large_merged_models_rank_at_least_as_well_as_the_better_one(method):
    """Each message counts as a thousand, so that corrections times messages exceed 64 bits."""
    mail = mailbox(1000, seed=8)
    halves = []
    for part in (slice(0, 400), slice(400, 800)):
        model = Model(vocabulary(), method_named(method))
        model.learn_many(*zip(*mail[part], strict=True))
        counts = model.counts
        grown = [1000 * one for one in counts.messages]
        larger = Counts.build(
            counts.classes, grown, counts.documents * 1000, counts.occurrences * 1000
        )
        halves.append(replace(model.content(), counts=larger))
    wrong = []
    for content in (merge(*halves), *halves):
        model = Model(vocabulary(), method_named(method))
        model.restore(content)
        log_odds = model.log_odds(model.rows([sample for sample, _ in mail[800:]]))
        wrong.append(
            one_minus_auc(log_odds, np.array([label == "spam" for _, label in mail[800:]]))
        )
    assert wrong[0] < 1.1 * min(wrong[1:])
    assert max(wrong) < 0.2
