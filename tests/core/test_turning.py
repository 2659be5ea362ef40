import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.judging.verdict_flip import smallest_flip, without
from tests.core.material import sample

SHARES = st.lists(st.integers(-6, 6).map(float), min_size=1, max_size=7)


def score_of(cut, shares):
    return sum(shares[word] for word in cut.words)


def verdict_of(score):
    """Three zones, as between junk and good mail."""
    return "junk" if score > 4 else "good" if score < -2 else "unsure"


def by_trying_all(shares):
    """The size of the smallest set of words without which the verdict is another."""
    whole = verdict_of(sum(shares))
    for size in range(1, len(shares) + 1):
        for gone in itertools.combinations(range(len(shares)), size):
            if verdict_of(sum(share for place, share in enumerate(shares) if place not in gone)) != whole:
                return size
    return 0


@given(SHARES)
def test_no_smaller_set_of_words_turns_a_linear_verdict(shares):
    whole = sample(range(len(shares)))
    now = verdict_of(sum(shares))

    def turned(cut):
        return verdict_of(score_of(cut, shares)) != now

    found = smallest_flip(whole, np.array(shares), turned)
    one_sided = by_trying_all(shares)
    assert len(found) == one_sided
    if len(found):
        assert turned(without(whole, found))


def test_words_are_left_out_with_their_occurrences():
    assert without(sample([3, 5, 8], [1, 2, 3], [7]), np.array([1])) == sample([3, 8], [1, 3], [7])
