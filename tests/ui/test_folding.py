"""Sorting by folded text agrees with Python's own sort, to the last letter."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbmail.ui.list.mail_columns import KEYS, LONGEST, ranks, sort_keys, sort_text
from nbmail.ui.list.search_words import fold

short = st.text(st.sampled_from("abAB é中\u0301:re[]1-"), max_size=40)
alike = st.tuples(st.sampled_from(["", "Completely silent ", "[a list with a long name] Re: "]), short).map("".join)
texts = st.lists(alike, max_size=60)


def ranked(given_texts):
    folded = [fold(text) for text in given_texts]
    return ranks(sort_keys(folded), folded.__getitem__).tolist()


@given(texts)
def test_ranks_follow_the_folded_text(given_texts):
    wanted = [sort_text(fold(text)) for text in given_texts]
    assert [sorted(set(wanted)).index(text) for text in wanted] == ranked(given_texts)


def test_what_differs_far_behind_is_told_apart():
    subjects = ["Completely silent personal computer", "Completely OT", "completely silent personal Zebra"] * 3
    order = np.argsort(ranked(subjects), kind="stable")
    assert [subjects[place].split()[-1] for place in order] == ["OT"] * 3 + ["computer"] * 3 + ["Zebra"] * 3


def test_answers_accents_quotes_and_spaces_do_not_matter():
    assert sort_text(fold("Re: AW: [2] «Éclair»")) == sort_text(fold("[2] «eclair»"))
    assert sort_text(fold("re[3]: fwd: Zug")) == "zug"
    assert sort_text("a  b\n\tc") == "a b c"
    assert len(sort_text("a" * 1_000_000)) == LONGEST


def test_a_lone_surrogate_does_no_harm():
    assert len(ranked(["\ud800", "a", ""])) == 3


def test_no_texts_no_ranks():
    assert ranked([]) == []
    assert sort_keys([]).shape == (0, KEYS)
    assert sort_keys([]).dtype == np.uint64
