import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.judging.verdict import VERDICTS, Costs, cautious, judge, to_probabilities

CPSC_340 = Costs(false_junk=100.0, missed_junk=10.0, ask=np.inf)


def named(probabilities, costs):
    return [VERDICTS[place] for place in judge(np.array(probabilities, float), costs)]


def test_the_cost_table_of_cpsc_340():
    """A false junk costs 100, a missed junk 10: at 0.6 it is still good mail, for 40 against 6."""
    assert named([0.6], CPSC_340) == ["good"]
    # It is junk where (1 - p) * 100 < p * 10: beyond 10 in 11.
    assert named([0.909, 0.91], CPSC_340) == ["good", "junk"]


def test_the_default_asks_between():
    # Good below a half (asking costs as much as half a missed junk), junk beyond 995 in 1000.
    likely_good, likely_junk = [0.0, 0.1, 0.49], [0.9951, 1.0]
    assert named(likely_good, Costs()) == ["good"] * 3
    assert named([0.51, 0.9, 0.9949], Costs()) == ["unsure"] * 3
    assert named(likely_junk, Costs()) == ["junk"] * 2


def test_asking_wins_ties_and_nothing_known_is_unsure():
    assert named([0.1, np.nan], Costs(false_junk=10.0, missed_junk=1.0, ask=0.1)) == ["unsure", "unsure"]


@given(
    st.lists(st.floats(0, 1), max_size=20),
    st.floats(0.01, 1000),
    st.floats(0.01, 1000),
    st.one_of(st.floats(0, 10), st.just(np.inf)),
)
def test_no_other_verdict_would_cost_less(probabilities, false_junk, missed_junk, ask):
    found = judge(np.array(probabilities), Costs(false_junk, missed_junk, ask))
    assert found.dtype == np.int8
    for p, place in zip(probabilities, found, strict=True):
        expected = (ask, p * missed_junk, (1 - p) * false_junk)
        assert expected[place] == min(expected)


def test_caution_grows_less_with_examples():
    raw = np.array([-40.0, 0.0, 40.0])
    assert cautious(raw, 0, 30).tolist() == [0.0, 0.0, 0.0]
    assert cautious(raw, 30, 30).tolist() == [-20.0, 0.0, 20.0]
    # One example of each makes no junk, however sure the method is.
    assert named(to_probabilities(cautious(raw, 1, 30)), Costs()) == ["good", "unsure", "unsure"]


def test_log_odds_of_any_size_become_probabilities():
    found = to_probabilities(np.array([-1e9, -np.log(3), 0.0, np.log(3), 1e9]))
    assert found == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    assert np.isfinite(found).all()
