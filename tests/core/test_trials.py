"""Trials: each message is scored before it is learned."""

import numpy as np
import pytest

from nbmail.cli.messages.index_files import indexed_messages
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.evaluation.metrics import calibration_error, false_negative_rate_at, one_minus_auc
from nbmail.core.evaluation.trials import Case, ScoredCase, Trial, learn_all
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
from tests.core.material import cases, fresh
from tests.needs import need_corpus

FOLDERS = ("work", "family", "lists")


def test_online_scores_each_message_before_learning_it():
    data = cases(60)
    outcomes = list(Trial(True).online(fresh(), data))
    model = fresh()
    for case, outcome in zip(data, outcomes, strict=True):
        score = model.log_odds(WordRows.of([case.sample]))
        assert outcome.score == score[0]
        assert np.array_equal([outcome.probability], model.probabilities(score), equal_nan=True)
        assert outcome.verdict == ("unsure", "ham", "spam")[model.verdicts(score)[0]]
        assert outcome.label == case.label
        learn_all(model, [case])


def test_an_online_trial_of_several_classes_reports_the_margin():
    outcomes = list(Trial(False).online(fresh(), cases(100, FOLDERS)))
    assert (outcomes[0].right, outcomes[0].score) == (None, -np.inf)
    assert sum(outcome.right is None for outcome in outcomes) == 3
    for outcome in outcomes:
        if outcome.right is not None:
            assert outcome.right == (outcome.verdict == outcome.label)
            assert outcome.score >= 0 if outcome.right else outcome.score <= 0


def test_a_timeline_learns_all_batches_before_the_one_it_tests():
    data = cases(250, FOLDERS)
    outcomes = list(Trial(False).timeline(fresh(), data, size=100))
    assert [outcome.batch for outcome in outcomes] == [1] * 100 + [2] * 50
    model = fresh()
    learn_all(model, data[:200])
    expected = model.class_log_chances([case.sample for case in data[200:]]).argmax(axis=1)
    assert [outcome.verdict for outcome in outcomes[100:]] == [
        model.counts.classes[place] for place in expected
    ]


@pytest.mark.parametrize("user", ["lokay-m", "farmer-d", "beck-s"])
def test_probabilities_of_real_folders_come_true(user):
    words = Vocabulary()
    promised = []
    right = []
    entries = indexed_messages(need_corpus("enron") / f"index.{user}")
    cases = [
        Case(entry.label, sample_of(parse(entry.path.read_bytes()), words)) for entry in entries
    ]
    model = Model(words)
    for first in range(0, len(cases), 100):
        batch = [
            case for case in cases[first : first + 100] if model.counts.row(case.label) is not None
        ]
        chances = np.exp(model.class_log_chances([case.sample for case in batch]))
        promised += chances.max(axis=1, initial=0).tolist()
        right += [
            model.counts.classes[row.argmax()] == case.label
            for row, case in zip(chances, batch, strict=True)
        ]
        learn_all(model, cases[first : first + 100])
    assert calibration_error(np.array(promised), np.array(right)) < 0.055


def test_a_timeline_skips_classes_never_seen_and_takes_the_mean_over_its_steps():
    def outcome(right, batch):
        return ScoredCase("work", 0.0, np.nan, "work", right, batch)

    outcomes = (
        [outcome(True, 1)] * 3 + [outcome(False, 1)] + [outcome(None, 1)] * 9 + [outcome(False, 2)]
    )
    figures = Trial(False).figures(outcomes)
    assert figures["accuracy_percent"] == pytest.approx(100 * (3 / 4 + 0) / 2)
    assert figures["reported"] == 14
    assert Trial(False).figures([])["accuracy_percent"] is None


def test_figures_of_spam_and_ham():
    outcomes = list(Trial(True).online(fresh(), cases(100)))
    figures = Trial(True).figures(outcomes)
    scores = np.array([outcome.score for outcome in outcomes])
    spam = np.array([outcome.label == SPAM for outcome in outcomes])
    assert figures["one_minus_auc_percent"] == pytest.approx(100 * one_minus_auc(scores, spam))
    for name, share in (("0_1", 0.001), ("1", 0.01)):
        missed = figures[f"fn_percent_at_fp_{name}"]
        assert missed == pytest.approx(100 * false_negative_rate_at(scores, spam, share))
        assert (
            figures[f"fn_interval_at_fp_{name}"][0]
            <= missed
            <= figures[f"fn_interval_at_fp_{name}"][1]
        )
    seen = [(outcome.label, outcome.verdict) for outcome in outcomes]
    counted = {"false_spam": (HAM, "spam"), "missed_spam": (SPAM, "ham")}
    counted |= {f"unsure_{label}": (label, "unsure") for label in (SPAM, HAM)}
    assert {name: figures[name] for name in counted} == {
        name: seen.count(each) for name, each in counted.items()
    }
    alone = Trial(True).figures(list(Trial(True).online(fresh(), cases(30, (HAM,)))))
    assert (
        alone["one_minus_auc_percent"]
        is alone["fn_percent_at_fp_1"]
        is alone["calibration_error_percent"]
        is None
    )
    assert alone["unsure_ham"] == 30


def test_calibration_is_measured_on_the_later_half_of_what_had_a_probability():
    def outcome(label, probability):
        return ScoredCase(label, 0.0, probability, "unsure", None)

    early = [outcome(HAM, np.nan)] * 10 + [outcome(HAM, 1.0)] * 2
    late = [outcome(SPAM, 0.9), outcome(HAM, 0.4)]
    assert Trial(True).figures(early + late)["calibration_error_percent"] == pytest.approx(
        100 * (0.1 + 0.4) / 2
    )
