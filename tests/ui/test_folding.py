"""Sorting by folded text agrees with Python's own sort."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbmail.ui.folding import WIDTH, fold, ranks, sort_keys, sort_text

texts = st.lists(st.text(st.sampled_from("abAB é中\u0301:re[]1-"), max_size=40), max_size=60)


@given(texts)
def test_ranks_follow_the_first_bytes_of_the_folded_text(given_texts):
    folded = [fold(text) for text in given_texts]
    wanted = [sort_text(text).encode()[:WIDTH].rstrip(b"\0") for text in folded]
    found = ranks(sort_keys(folded)).tolist()
    assert [sum(other < mine for other in wanted) for mine in wanted] == found


def test_answers_accents_and_quotes_do_not_matter():
    assert sort_text(fold("Re: AW: [2] «Éclair»")) == sort_text(fold("[2] «eclair»"))
    assert sort_text(fold("re[3]: fwd: Zug")) == "zug"


def test_a_lone_surrogate_does_no_harm():
    assert len(ranks(sort_keys(["\ud800", "a", ""]))) == 3


def test_no_texts_no_ranks():
    assert ranks(sort_keys([])).tolist() == []
    assert sort_keys([]).shape == (0, WIDTH // 8)
    assert sort_keys([]).dtype == np.uint64
