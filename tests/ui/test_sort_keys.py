"""Sort keys order texts like Python's own sort of the folded texts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbmail.ui.list.contents.sort_keys import KEY_BYTES, LONGEST, ranks, sort_key, sort_text
from nbmail.ui.list.search_words import fold

short = st.text(st.sampled_from("abAB é中\u0301:re[]1-"), max_size=40)
similar = st.tuples(
    st.sampled_from(["", "Completely silent ", "[a list with a long name] Re: "]), short
).map("".join)


def ranks_of(texts):
    return ranks(np.array([sort_key(fold(text)) for text in texts], f"S{KEY_BYTES}")).tolist()


@given(st.lists(similar, max_size=60))
def test_ranks_follow_the_folded_text(texts):
    expected = [
        sort_text(fold(text)).encode()[:KEY_BYTES].decode(errors="ignore") for text in texts
    ]
    assert [expected[place] for place in np.argsort(ranks_of(texts), kind="stable")] == sorted(
        expected
    )


def test_texts_that_differ_late_are_distinguished():
    subjects = [
        "Completely silent personal computer",
        "Completely OT",
        "completely silent personal Zebra",
    ] * 3
    order = np.argsort(ranks_of(subjects), kind="stable")
    assert [subjects[place].split()[-1] for place in order] == ["OT"] * 3 + ["computer"] * 3 + [
        "Zebra"
    ] * 3


def test_answers_accents_quotes_and_spaces_do_not_matter():
    assert sort_text(fold("Re: AW: [2] «Éclair»")) == sort_text(fold("[2] «eclair»"))
    assert sort_text(fold("re[3]: fwd: Zug")) == "zug"
    assert sort_text("a  b\n\tc") == "a b c"
    assert len(sort_text("a" * 1_000_000)) == LONGEST


def test_lone_surrogates_and_empty_lists_have_ranks():
    assert len(ranks_of(["\ud800", "a", ""])) == 3
    assert ranks_of([]) == []
