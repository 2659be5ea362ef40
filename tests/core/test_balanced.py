"""The default method: bounded ratios, exact sums whatever the length, and classes beyond two."""

import numpy as np
import pytest

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.explaining.explaining import explain
from nbmail.core.methods import balanced
from nbmail.core.methods.evidence import LONGEST
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
from tests.core.material import class_scores, mailbox, sample, trained, vocabulary


def test_a_word_in_everything_of_one_side_is_bounded():
    documents = np.array([[0, 30_000, 0], [0, 0, 30_000]])
    counts = Counts.build([SPAM, HAM], [30_000, 30_000], documents, documents)
    assert balanced.Balanced(Vocabulary()).decompose(
        counts, (0, 1), sample([1])
    ).ratios.tolist() == [8.0]


def test_sums_are_exact_however_long_the_messages():
    many = 3 * LONGEST
    model = Model(Vocabulary(map(str, range(many))))
    random = np.random.default_rng(4)
    for label in (SPAM, HAM) * 20:
        model.learn(sample(random.choice(many, many // 20, replace=False)), label)
    lengths = [0, 5, LONGEST, LONGEST + 1, 0, many, 0]
    several = [sample(random.choice(many, length, replace=False)) for length in lengths]
    together = model.log_odds(WordRows.of(several))
    for one, score in zip(several, together.tolist(), strict=True):
        assert model.log_odds(WordRows.of([one]))[0] == score
        why = explain(model, one, many)
        assert why.score == pytest.approx(score, abs=1e-9)
        assert sum(part.contribution for part in why.contributions) == pytest.approx(
            score, abs=1e-9
        )


def test_counts_of_folders_do_not_change_scores_of_spam():
    model = trained("balanced", labels=(SPAM, HAM))
    asked = sample([3, 30, 50])
    pair = model.counts.row(SPAM), model.counts.row(HAM)
    before = model.implementation.decompose(model.counts, pair, asked)
    for one, _ in mailbox(50, seed=5):
        model.learn(one, "work")
    after = model.implementation.decompose(model.counts, pair, asked)
    assert np.array_equal(before.ratios, after.ratios)


@pytest.mark.parametrize(("label", "sign"), [(SPAM, 1), (HAM, -1)])
def test_one_class_alone_ranks_but_gives_no_verdict(label, sign):
    model = Model(vocabulary())
    for _ in range(5):
        model.learn(sample([1, 2, 3]), label)
    alike = sample([1, 2])
    other = sample([7, 8])
    found = model.log_odds(WordRows.of([alike, other]))
    assert sign * found[0] > 0 == found[1]
    assert model.scorer()(WordRows.of([alike, other])).tolist() == found.tolist()
    assert model.verdicts(found).tolist() == [0, 0]
    explanation = explain(model, alike)
    assert explanation.log_odds == explanation.weaker == found[0]
    assert (explanation.verdict, explanation.probability) == ("unsure", None)


def test_a_class_without_examples_left_is_never_chosen():
    model = Model(vocabulary())
    for one, label in mailbox(90, labels=("work", "family")):
        model.learn(one, label)
    model.learn(sample([1, 2]), "lists")
    model.learn(sample([7]), "hobby")
    model.unlearn(sample([1, 2]), "lists")
    assert model.counts.messages[2] == 0
    rows = WordRows.of([one for one, _ in mailbox(30, seed=3)])
    scores = class_scores(model, rows)
    assert set(scores.argmax(axis=1)) <= {0, 1, 3}
    assert (scores[:, 2] < balanced.NEVER / 2).all()
    pair = (model.counts.row("work"), model.counts.row("lists"))
    one = sample([1, 2])
    shares = model.implementation.decompose(model.counts, pair, one)
    for found in (
        model.implementation.odds(model.counts, pair, rows),
        model.implementation.scorer(model.counts, pair)(rows),
    ):
        assert found.tolist() == pytest.approx(
            (scores[:, pair[0]] - scores[:, pair[1]]).tolist(), abs=1e-9
        )
    assert shares.log_odds == pytest.approx(
        model.implementation.odds(model.counts, pair, WordRows.of([one]))[0], abs=1e-9
    )


def test_rows_without_occurrences_count_each_word_once():
    model = trained("balanced", labels=("spam", "ham", "work", "lists"))
    words = [sample([1, 2, 3]), sample([4])]
    joined = WordRows.join([one.words for one in words])
    assert np.array_equal(class_scores(model, joined), class_scores(model, WordRows.of(words)))


@pytest.mark.parametrize("first", ["spam", "ham"])
def test_classes_learned_one_at_a_time_give_corrections(first):
    """All messages of one class come before the first of the other, as people train folders."""
    chance = np.random.default_rng(1)
    told = {"spam": range(10), "ham": range(10, 20)}

    def message(label):
        words = np.union1d(
            chance.choice(told[label], 4, replace=False), chance.choice(range(20, 80), 20)
        )
        return Sample(words.astype(np.int32), np.ones(len(words), np.int32), ())

    model = Model()
    for label in sorted(told, key=lambda one: one != first):
        for _ in range(40):
            model.learn(message(label), label)
    for label, sign in (("spam", 1), ("ham", -1)):
        scores = model.log_odds(model.rows([message(label) for _ in range(50)]))
        assert (sign * scores > 0).mean() >= 0.9
