"""Calibrated scores keep their order, promise no more than is known, and mean what they say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.evaluation.ranking import calibration_error
from nbmail.core.judging.calibration import ENOUGH, Calibration, fit
from nbmail.core.judging.verdict import to_probabilities

pairs = st.lists(st.tuples(st.floats(-30, 30), st.booleans()), min_size=1, max_size=300)


def drawn(messages, seed, slope=0.5, offset=0.0, share=0.5):
    """Scores of which `slope * score + offset` are the true log-odds."""
    random = np.random.default_rng(seed)
    scores = random.normal((np.log(share / (1 - share)) - offset) / slope, 4.0, messages)
    return scores, random.random(messages) < to_probabilities(slope * scores + offset)


def learn(calibration, score, junk):
    calibration.learn_many(np.array([score], np.float64), np.array([junk], np.bool_))


def learned(scores, junk):
    calibration = Calibration()
    for score, one in zip(scores, junk, strict=True):
        learn(calibration, score, one)
    return calibration


def online(scores, junk):
    """Each probability from the scores before it, NaN until there are enough."""
    calibration, found = Calibration(), np.full(len(scores), np.nan)
    for place, (score, one) in enumerate(zip(scores, junk, strict=True)):
        if calibration.ready:
            found[place] = to_probabilities(calibration.apply(scores[place : place + 1]))[0]
        learn(calibration, score, one)
    return found


def later_error(probabilities, junk):
    half = len(junk) // 2
    return 100 * calibration_error(probabilities[half:], junk[half:])


@given(pairs, st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_the_map_keeps_every_order_and_never_says_never(held_out, asked):
    scores, junk = np.array([score for score, _ in held_out]), np.array([one for _, one in held_out])
    asked = np.sort(np.array(asked))
    found = fit(scores, junk).log_odds(asked)
    assert np.isfinite(found).all()
    assert (np.diff(found)[np.diff(asked) > 1e-3] > 0).all()
    chances = to_probabilities(found)
    assert (chances > 0).all() and (chances < 1).all()


@given(pairs)
def test_no_probability_beyond_what_the_number_of_messages_allows(held_out):
    scores, junk = np.array([score for score, _ in held_out]), np.array([one for _, one in held_out])
    chances = to_probabilities(fit(scores, junk).log_odds(np.array([-1000.0, 1000.0])))
    assert chances[0] >= 0.99 * 0.2 / (0.4 + (~junk).sum())
    assert 1 - chances[1] >= 0.99 * 0.2 / (0.4 + junk.sum())


@pytest.mark.parametrize(
    ("slope", "offset", "share"),
    [(0.01, 0.0, 0.5), (2.0, 1.0, 0.5), (1.0, -3.0, 0.3), (0.7, 0.0, 0.04), (0.7, 0.0, 0.97)],
)
def test_probabilities_mean_what_they_say_whatever_the_scores_scale(slope, offset, share):
    scores, junk = drawn(4000, 3, slope, offset, share)
    assert 0 < junk.sum() < 4000
    assert later_error(online(scores, junk), junk) < 2.0


def test_probabilities_follow_when_scores_and_shares_change():
    first, second = drawn(3000, 1, 1.0, 2.0, 0.9), drawn(3000, 2, 0.5, -1.0, 0.15)
    scores, junk = (np.concatenate(both) for both in zip(first, second, strict=True))
    changing = online(scores, junk)
    assert 100 * calibration_error(changing[4500:], junk[4500:]) < 6.0
    stale = to_probabilities(fit(*first).log_odds(scores[4500:]))
    assert 100 * calibration_error(stale, junk[4500:]) > 10.0


def test_a_shape_that_no_logistic_curve_has_is_followed():
    random = np.random.default_rng(5)
    scores = random.uniform(-5, 5, 8000)
    junk = random.random(8000) < np.where(scores < -2, 0.02, np.where(scores < 3, 0.5, 0.99))
    chances = to_probabilities(fit(scores, junk).log_odds(np.array([-4.0, 0.0, 1.5, 4.5])))
    assert np.allclose(chances, [0.02, 0.5, 0.5, 0.99], atol=0.05)


def test_nothing_is_promised_before_each_class_has_enough():
    calibration = learned([1.0] * 100, [True] * 100)
    for score in range(ENOUGH - 1):
        learn(calibration, -score, False)
    assert not calibration.ready
    assert calibration.held_out == (100, ENOUGH - 1)
    assert calibration.apply(np.array([3.5])).tolist() == [3.5]
    assert calibration.alike(1.0) == (0, 0)
    learn(calibration, -1.0, False)
    assert calibration.ready
    assert calibration.apply(np.array([3.5]))[0] != 3.5


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(-9, 9), st.booleans()), min_size=1, max_size=40), st.integers(0, 400))
def test_taking_back_restores_the_map(later, messages):
    scores, junk = drawn(messages, 7)
    calibration = learned(scores, junk)
    asked = np.linspace(-12, 12, 50)
    before = calibration.apply(asked)
    for score, one in later:
        learn(calibration, score, one)
        calibration.apply(asked)
    for _ in later:
        calibration.unlearn_latest()
    assert np.array_equal(calibration.apply(asked), before)
    assert np.array_equal(calibration.scores, scores) and np.array_equal(calibration.junk, junk)
    again = Calibration(calibration.scores, calibration.junk)
    assert np.array_equal(again.apply(asked), before)
    assert again.held_out == calibration.held_out
    if messages:
        calibration.unlearn_latest()
        learn(calibration, scores[-1], not junk[-1])
        other = learned(scores, np.append(junk[:-1], not junk[-1]))
        assert np.array_equal(calibration.apply(asked), other.apply(asked))


def test_a_class_that_comes_late_is_waited_for():
    junk = np.append(np.zeros(5000, np.bool_), np.ones(ENOUGH, np.bool_))
    scores = np.append(np.linspace(-9, 0, 5000), np.linspace(0, 5, ENOUGH))
    calibration = learned(scores, junk)
    low, high = to_probabilities(calibration.apply(np.array([-5.0, 5.0])))
    assert low < 0.01 and high > 0.5


def test_messages_that_scored_alike_are_counted():
    scores = np.append(np.linspace(-10, -5, 500), np.linspace(5, 10, 300))
    calibration = learned(scores, scores > 0)
    assert calibration.alike(-20.0) == (10, 0)
    assert calibration.alike(20.0) == (10, 10)
    assert calibration.alike(-7.0) == (200, 0)
    assert calibration.alike(9.8) == (72, 72)
    assert calibration.alike(0.0) == (10, 5)


@pytest.mark.parametrize("scores", [[0.0] * 80, [1e5] * 40 + [-1e5] * 40])
def test_odd_scores_do_no_harm(scores):
    junk = np.arange(80) % 2 == 0
    found = to_probabilities(fit(np.array(scores), junk).log_odds(np.array([-1e5, 0.0, 1e5])))
    assert np.isfinite(found).all()


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=1, max_size=400),
    st.sampled_from([1.0, 0.1, 1 / 3, 1e-3]),
    st.sampled_from(["as they come", "good first", "junk first"]),
)
def test_the_map_does_not_jump_where_many_scores_are_equal(held_out, unit, order):
    if order != "as they come":
        held_out.sort(key=lambda one: one[1], reverse=order == "junk first")
    scores, junk = np.array([score for score, _ in held_out]) * unit, np.array([one for _, one in held_out])
    found = fit(scores, junk)
    near = unit * 1e-9
    assert found.log_odds(scores + near) == pytest.approx(found.log_odds(scores - near), abs=1e-6)


@pytest.mark.parametrize("later", [True, False])
def test_of_equal_scores_the_share_is_promised_in_whatever_order_they_came(later):
    junk = (np.arange(300) >= 150) == later
    chance = to_probabilities(fit(np.zeros(300), junk).log_odds(np.zeros(1)))[0]
    # A little off the half: what came later weighs more.
    assert 0.0 < (chance - 0.5) * (1 if later else -1) < 0.05
