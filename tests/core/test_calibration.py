"""Calibration: order, dial, labels turned over, no cliff, and probabilities that come true."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.calibration.base_rate import estimate_base_rate, shift_base_rate
from nbmail.core.calibration.cross_validation import latest_due
from nbmail.core.calibration.family_weights import without_families
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.held_out_scores import HeldOutScores
from nbmail.core.calibration.line_fitting import fit
from nbmail.core.calibration.prior import MEASURED, SHARED, Prior
from nbmail.core.evaluation.metrics import calibration_error
from nbmail.core.evaluation.proportion import wilson
from nbmail.core.scoring.log_odds import to_probabilities

SPAM_ODDS = 49.5
priors = pytest.mark.parametrize("prior", [SHARED, MEASURED])
pairs = st.lists(st.tuples(st.floats(-40, 40), st.booleans()), max_size=60)


def held_out(scores, spam, asked=None):
    spam = np.asarray(spam, np.bool_)
    return HeldOut.of_scores(
        np.asarray(scores, np.float64),
        spam,
        np.zeros(len(spam), np.bool_) if asked is None else asked,
    )


def fitted(scores, spam, prior=SHARED, **more):
    known = held_out(scores, spam, **more)
    of_spam = int(known.spam.sum())
    return fit(known, (of_spam, len(known) - of_spam), prior)


def drawn(random, count, apart=5.0, spread=3.5):
    """Labels and their scores; the first two are one of each class."""
    spam = random.random(count) < 0.5
    spam[:2] = True, False
    return random.normal(np.where(spam, apart, -apart), spread), spam


def edge(line):
    """The score from which on it is spam by the default dial."""
    return line.centre + math.log(SPAM_ODDS) / line.slope


@priors
@given(pairs)
def test_calibration_preserves_the_order_and_is_finite(prior, labelled):
    line = fitted([score for score, _ in labelled], [spam for _, spam in labelled], prior)
    scores = np.linspace(-60, 60, 241)
    assert (np.diff(line.log_odds(scores)) > 0).all()
    assert np.isfinite(line.deviations(scores)).all()


@given(pairs)
def test_every_step_of_the_dial_is_reached(labelled):
    line = fitted([score for score, _ in labelled], [spam for _, spam in labelled])
    assert (
        line.log_odds(np.array([line.centre + math.log(2500) / line.slope])) > math.log(2499)
    ).all()


@given(pairs)
def test_spam_and_ham_mail_are_treated_alike(labelled):
    even = Prior(0.8, 0.25, 0.0, 2.0, 1.9)
    one = fitted([score for score, _ in labelled], [spam for _, spam in labelled], even)
    other = fitted([-score for score, _ in labelled], [not spam for _, spam in labelled], even)
    assert one.slope == pytest.approx(other.slope, rel=1e-5)
    assert one.centre == pytest.approx(-other.centre, abs=1e-4)


def test_no_number_of_labels_is_a_cliff():
    """Scores of spam change little with each label: by 0.95 at most, one label against all."""
    random = np.random.default_rng(3)
    for _ in range(10):
        scores, spam = drawn(random, 400, spread=3.0)
        edges = [edge(fitted(scores[:size], spam[:size])) for size in range(20, 400)]
        assert np.abs(np.diff(edges)).max() < 1.2


def test_without_scores_there_is_the_prior_and_its_doubt():
    line = HeldOutScores(HeldOut.none(), uncounted=(1, 1)).line(SHARED, 0.5)
    assert line.centre == pytest.approx(SHARED.centre)
    assert 0.7 * SHARED.slope < line.slope < SHARED.slope
    assert line.deviations(np.array([line.centre]))[0] > 1.0
    assert (
        fitted(*drawn(np.random.default_rng(0), 1000)).deviations(np.array([line.centre]))[0] < 0.3
    )


@pytest.mark.parametrize("prior", [SHARED, MEASURED])
def test_probabilities_come_true(prior):
    scores, spam = drawn(np.random.default_rng(1), 3000, 3.0, 2.5)
    line = fitted(scores[:300], spam[:300], prior)
    assert calibration_error(to_probabilities(line.log_odds(scores[300:])), spam[300:]) < 0.04


def test_the_labels_share_of_spam_is_not_taken_for_that_of_the_inbox():
    """A tenth of the labels spam, half of the mail: the line is the one of even labels."""
    scores, spam = drawn(np.random.default_rng(1), 6000, 3.0, 2.5)
    kept = ~spam | (np.arange(6000) % 9 == 0)
    even = Prior(0.8, 0.25, 0.0, 10.0, 0.0)
    assert fitted(scores[kept], spam[kept], even).centre == pytest.approx(
        fitted(scores, spam, even).centre, abs=0.4
    )


def test_queried_labels_have_the_base_rate_of_the_mail_they_were_selected_from():
    """Near the boundary half of the messages are spam, whatever the base rate."""
    random = np.random.default_rng(7)
    scores, spam = drawn(random, 20_000, 3.0, 2.5)
    rare = ~spam | (random.random(20_000) < 1 / 9)
    scores = scores[rare]
    spam = spam[rare]
    chosen = np.abs(scores - 2.0) < 1.5
    scores = scores[chosen]
    spam = spam[chosen]
    known = held_out(scores, spam, np.ones(len(spam), np.bool_))
    loose = Prior(0.8, 0.25, 0.0, 10.0, 0.0)
    assert fit(known, (1, 1), loose, share=0.1).centre == pytest.approx(0.0, abs=0.5)
    assert fit(known, (1, 1), loose, share=0.5).centre > 1.5


def test_the_base_rate_of_the_inbox_is_estimated_from_its_scores():
    random = np.random.default_rng(2)
    spam = random.random(5000) < 0.1
    odds = random.normal(np.where(spam, 4.0, -4.0), np.sqrt(8.0))
    assert estimate_base_rate(odds) == pytest.approx(0.1, abs=0.02)
    assert estimate_base_rate(np.zeros(0)) == 0.5
    assert shift_base_rate(np.zeros(1), 0.1)[0] == pytest.approx(math.log(1 / 9))


def test_a_score_that_is_missing_counts_for_nothing():
    scores, spam = drawn(np.random.default_rng(4), 60)
    holes = np.insert(scores, [3, 20], np.nan)
    line = fit(held_out(holes, np.insert(spam, [3, 20], True)), (30, 30))
    same = fit(held_out(scores, spam), (30, 30))
    assert (line.slope, line.centre) == pytest.approx((same.slope, same.centre), rel=1e-2)


def test_taking_the_latest_back_is_as_if_it_had_never_been():
    scores, spam = drawn(np.random.default_rng(5), 40)
    none = np.zeros(40, np.bool_)
    one = HeldOutScores(HeldOut.none())
    one.append(without_families(scores), spam, none)
    before = one.line(SHARED, 0.5)
    one.append(without_families(np.array([30.0])), np.array([False]), none[:1])
    assert one.line(SHARED, 0.5) != before
    one.drop_latest()
    assert one.line(SHARED, 0.5) == before
    assert one.all.scores.tolist() == scores.tolist()


def test_alike_are_the_scores_nearby_and_never_fewer_than_ten():
    scores = np.arange(100.0)
    spam = np.arange(100) % 2 == 0
    known = HeldOutScores(held_out(scores, spam))
    assert known.nearest(50.2) == (10, 5)
    assert known.nearest(1e6) == (10, 5)
    assert HeldOutScores(held_out(scores[:4], spam[:4])).nearest(0.0) == (4, 2)
    assert HeldOutScores(held_out(np.zeros(500), np.ones(500))).nearest(0.0) == (200, 200)


def test_calibration_is_renewed_after_each_of_the_first_labels_then_sixteen_times_a_doubling():
    due = [count for count in range(1, 5000) if latest_due(count) == count]
    assert due[:128] == list(range(1, 129))
    assert due[128:] == [*range(136, 256, 8), *range(256, 512, 16), *range(512, 1025, 32)]
    assert latest_due(100_000) == 1024


def test_the_interval_of_a_share():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 100) == pytest.approx((0.0, 0.037), abs=0.001)
    assert wilson(97, 100) == pytest.approx((0.915, 0.990), abs=0.001)
