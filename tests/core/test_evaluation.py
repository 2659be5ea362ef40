import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from nbmail.chunks import drain
from nbmail.cli.sources import indexed_messages
from nbmail.core.counting.sample import Vocabulary, WordRows, sample_of
from nbmail.core.evaluation.comparison import choosing, learning_curve
from nbmail.core.evaluation.first_marks import (
    Draw,
    intervals_of,
    marks_asked_for,
    marks_at_random,
    mean_of,
)
from nbmail.core.evaluation.trials import (
    Case,
    ScoredCase,
    Trial,
    calibration_error,
    false_negative_rate_at,
    learn_all,
    one_minus_auc,
    only_spam_and_ham,
)
from nbmail.core.reading.mail import parse
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
from tests.core.material import mailbox, sample, vocabulary
from tests.needs import need_corpus

FOLDERS = ("work", "family", "lists")


def cases(messages, labels=(SPAM, HAM), seed=1):
    return [Case(label, one) for one, label in mailbox(messages, seed, labels)]


def fresh(method="bernoulli"):
    return Model(vocabulary(), method)


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


def test_online_between_classes_tells_the_margin():
    outcomes = list(Trial(False).online(fresh(), cases(100, FOLDERS)))
    assert (outcomes[0].right, outcomes[0].score) == (None, -np.inf)
    assert sum(outcome.right is None for outcome in outcomes) == 3
    for outcome in outcomes:
        if outcome.right is not None:
            assert outcome.right == (outcome.verdict == outcome.label)
            assert outcome.score >= 0 if outcome.right else outcome.score <= 0


def test_a_timeline_learns_whole_batches_before_the_one_it_tests():
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


def split(names, data, learn, choose):
    trial = Trial(only_spam_and_ham(case.label for case in data))
    return drain(choosing(trial, fresh, names, data, (learn, choose), at_once=7))


def test_a_split_never_learns_what_it_reports():
    data = cases(200)
    choice = split(["bernoulli"], data, 140, 30)
    assert choice.best.method == "bernoulli"
    assert [outcome.label for outcome in choice.outcomes] == [case.label for case in data[170:]]
    model = fresh()
    learn_all(model, data[:170])
    expected = model.log_odds(WordRows.of([case.sample for case in data[170:]]))
    assert [outcome.score for outcome in choice.outcomes] == pytest.approx(expected.tolist())


@pytest.mark.parametrize("labels", [(SPAM, HAM), FOLDERS])
def test_a_split_chooses_by_its_second_part_alone(labels):
    data = cases(300, labels)
    trial = Trial(only_spam_and_ham(labels))
    assert trial.spam_or_ham == (labels is not FOLDERS)
    merits = {}
    for name in ("gaussian", "bernoulli-complete", "categorical"):
        model = fresh(name)
        learn_all(model, data[:200])
        figures = trial.figures(list(trial.judge(model, data[200:250])))
        merits[name] = (
            -figures["one_minus_auc_percent"] if trial.spam_or_ham else figures["accuracy_percent"]
        )
    choice = split(list(merits), data, 200, 50)
    assert [one.method for one in choice.candidates] == list(merits)
    assert choice.best.method == max(merits, key=merits.get)
    assert len(choice.outcomes) == 50
    assert split(["gaussian", "bernoulli"], data, 200, 0).best.method == "gaussian", (
        "nothing to choose by"
    )


def test_in_a_curve_a_class_not_learned_yet_is_put_wrong():
    data = [*cases(30, FOLDERS[:2]), *cases(20, FOLDERS[2:])]
    points = []
    chunks = drain(learning_curve(Trial(False), fresh(), data, 40, [5], points=points, at_once=9))
    assert chunks is None
    assert [one.labels for one in points] == [5, 10]
    for one in points:
        assert one.unseen.accuracy.count == 40
        assert one.unseen.accuracy.found <= 20
        assert one.learned.count == one.labels


def test_of_first_marks_none_is_tested():
    data = [Case(label, sample([number])) for number in range(90) for label in (SPAM, HAM)]
    draw = Draw.of(data, 3, 0.5)
    pool, test = (
        {(case.label, case.sample.words[0]) for case in part} for part in (draw.pool, draw.test)
    )
    assert draw.tested == (45, 45)
    assert len(pool) == len(test) == 90
    assert not pool & test


def test_marks_asked_for_are_not_just_the_first():
    """Active learning skips a hundred copies of one ham message at the beginning."""
    tested = cases(200, seed=4)
    copies = [Case(HAM, sample([1, 2, 3]))] * 100
    draw = Draw([*copies, *cases(200, seed=5)], tested)
    ((_, figures),) = marks_asked_for(lambda: fresh("balanced"), draw, [40])
    assert figures["spam_caught_percent"] > 50
    assert figures["ham_lost_percent"] < 2


def test_what_the_first_marks_can_not_tell_is_none():
    data = cases(60)
    ((_, alone),) = marks_at_random(fresh, Draw.of(data, 1, 0.5), [1], 0.5)
    assert (alone["calibration_error_percent"], alone["unsure_percent"]) == (None, 100.0)
    ((_, more),) = marks_at_random(fresh, Draw.of(data, 1, 0.5), [10], 0.5)
    mean = mean_of([alone, more])
    assert mean["calibration_error_percent"] == more["calibration_error_percent"]
    assert mean["unsure_percent"] == (100.0 + more["unsure_percent"]) / 2
    low, high = intervals_of(mean, 30, 30)["unsure_interval"]
    assert 0 <= low < mean["unsure_percent"] < high <= 100


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


# Few different scores, so that ties are common.
CASES = st.lists(st.tuples(st.integers(-5, 5), st.booleans()), max_size=60).map(
    lambda cases: (
        np.array([float(score) for score, _ in cases]),
        np.array([spam for _, spam in cases], bool),
    )
)
BOTH = CASES.filter(lambda case: 0 < case[1].sum() < len(case[1]))


@given(BOTH)
def test_the_area_is_that_of_scikit_learn(case):
    scores, spam = case
    assert one_minus_auc(scores, spam) == pytest.approx(1 - roc_auc_score(spam, scores), abs=1e-12)


@given(BOTH, st.sampled_from([0.0, 0.001, 0.1, 0.5, 1.0]))
def test_no_threshold_misses_less(case, share):
    scores, spam = case
    best = 1.0
    for threshold in [-np.inf, *scores]:
        called = scores > threshold
        if (called & ~spam).sum() <= share * (~spam).sum():
            best = min(best, float((~called & spam).sum() / spam.sum()))
    assert false_negative_rate_at(scores, spam, share) == pytest.approx(best)


def test_one_ham_message_in_a_thousand():
    scores = np.concatenate([np.arange(3000.0), [2995.5, 2996.5, 2997.5, 5000.0]])
    spam = np.arange(len(scores)) >= 3000
    # Three may be lost: the fourth from the top, 2996, is the threshold.
    assert false_negative_rate_at(scores, spam, 0.001) == 0.25
    assert false_negative_rate_at(scores[1:], spam[1:], 0.001) == 0.5, (
        "of 2999 only two may be lost"
    )


def test_without_both_kinds_there_is_no_figure():
    scores = np.array([1.0, 2.0])
    spam = np.array([True, True])
    for case in ((scores, spam), (scores, ~spam), (scores[:0], spam[:0])):
        assert np.isnan(one_minus_auc(*case))
        assert np.isnan(false_negative_rate_at(*case, 0.001))


def test_calibration_is_the_gap_between_promise_and_what_happened():
    # 0.8 was promised four times and came true twice; 0.1 once and did not; one promised nothing.
    promised = np.array([0.8, 0.8, 0.8, 0.8, 0.1, np.nan])
    happened = np.array([True, True, False, False, False, True])
    assert calibration_error(promised, happened) == pytest.approx((4 * 0.3 + 0.1) / 5)
    assert calibration_error(np.array([0.0, 1.0]), np.array([False, True])) == 0.0
    assert np.isnan(calibration_error(np.array([np.nan]), np.array([True])))
