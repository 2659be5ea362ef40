"""Sorting starts with a well-tested model, and never moves mail that the user needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.evaluation.proportion import wilson
from nbmail.core.sorting.exemptions import Stay, stay_reason
from nbmail.core.sorting.readiness import readiness


@pytest.mark.parametrize(("lost", "tested"), [(0, 190), (3, 440)])
def test_sorting_may_begin_after_enough_tested_messages(lost, tested):
    assert readiness(lost, tested).is_ready
    assert not readiness(lost, tested // 2).is_ready
    assert not readiness(lost + 3, tested).is_ready


@given(st.integers(0, 20), st.integers(0, 2000), st.floats(0.005, 0.2))
def test_the_missing_marks_are_just_enough(lost, more, limit):
    tested = lost + more
    found = readiness(lost, tested, limit)
    assert wilson(lost, tested + found.marks_missing)[1] <= limit
    assert found.is_ready or wilson(lost, tested + found.marks_missing - 1)[1] > limit
    assert (found.low, found.high) == wilson(lost, tested)


def test_the_strongest_exception_keeps_a_message_in_the_inbox():
    assert stay_reason(()) is None
    assert all(stay_reason({reason}) is reason for reason in Stay)
    assert stay_reason(set(Stay)) is Stay.PUT_BACK
