import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.scoring.log_odds import to_probabilities
from nbmail.core.scoring.verdict import Costs, judge
from nbmail.values import VERDICTS

CPSC_340 = Costs(false_spam=100.0, missed_spam=10.0, ask=np.inf, unsure_spam=0.0)


def named(probabilities, costs):
    return [VERDICTS[place] for place in judge(np.array(probabilities, float), costs)]


def test_the_cost_table_of_cpsc_340():
    """A false spam costs 100, a missed spam 10: at 0.6 it is still good mail, for 40 against 6."""
    assert CPSC_340.values == (100.0, 10.0, np.inf, 0.0)
    assert named([0.6], CPSC_340) == ["ham"]
    # It is spam where (1 - p) * 100 < p * 10: beyond 10 in 11.
    assert named([0.909, 0.91], CPSC_340) == ["ham", "spam"]


def test_by_default_it_is_spam_from_odds_of_fifty_and_ham_below_a_seventh():
    assert named([0.0, 0.1, 0.1249], Costs()) == ["ham"] * 3
    assert named([0.1251, 0.9, 0.98], Costs()) == ["unsure"] * 3
    assert named([0.9803, 1.0], Costs()) == ["spam"] * 2


@pytest.mark.parametrize("cost", [1.0, 2.0, 10.0, 100.0, 1000.0, 5000.0])
def test_the_line_of_spam_is_where_verdicts_turn_and_is_never_out_of_reach(cost):
    costs = Costs(false_spam=cost)
    assert 0.5 <= costs.spam_from < 1.0
    assert [
        one == "spam" for one in named([costs.spam_from - 1e-6, costs.spam_from + 1e-6], costs)
    ] == [False, True]
    assert [
        one == "ham" for one in named([costs.ham_below - 1e-6, costs.ham_below + 1e-6], costs)
    ] == [True, False]


def test_asking_wins_ties_and_nothing_known_is_unsure():
    costs = Costs(false_spam=10.0, missed_spam=1.0, ask=0.1, unsure_spam=0.0)
    assert named([0.1, np.nan], costs) == ["unsure", "unsure"]


@given(
    st.lists(st.floats(0, 1), max_size=20),
    st.floats(0.01, 1000),
    st.floats(0.01, 1000),
    st.one_of(st.floats(0, 10), st.just(np.inf)),
)
def test_no_other_verdict_would_cost_less(probabilities, false_spam, missed_spam, ask):
    found = judge(np.array(probabilities), Costs(false_spam, missed_spam, ask))
    missed_spam = min(missed_spam, false_spam)
    assert found.dtype == np.int8
    for p, place in zip(probabilities, found, strict=True):
        expected = (ask + p, p * missed_spam, (1 - p) * false_spam)
        assert expected[place] == min(expected)


def test_log_odds_of_any_size_become_probabilities():
    found = to_probabilities(np.array([-1e9, -np.log(3), 0.0, np.log(3), 1e9]))
    assert found == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    assert np.isfinite(found).all()
