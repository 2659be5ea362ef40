"""Metrics of scores against those of scikit-learn and worked examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from nbmail.core.evaluation.metrics import calibration_error, false_negative_rate_at, one_minus_auc

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
