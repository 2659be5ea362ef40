"""A month of sorting by two computers at one mailbox while everything fails: no letter is lost or there twice."""

import random
import time
from collections import Counter

from nbmail.values import GOOD, JUNK
from tests.e2e.sorting_month import Month, invented


def check(month):
    """Compare mailbox and computers with what was delivered and said. Return the letters moved automatically."""
    found = sum(month.places().values(), Counter())
    assert found == Counter(dict.fromkeys(month.letters, 1))
    for computer in month.computers:
        assert month.labels(computer) == month.past | month.said
    moved = month.moved()
    junk = [number for number in moved if month.letters[number].label == JUNK and number not in month.said]
    assert set(junk) <= set(month.places()[month.server.junk])
    good = [number for number, each in month.letters.items() if each.label == GOOD]
    there = sorted(set(good) & set(month.places()[month.server.junk]))
    month.put_back(there)
    assert not set(good) & set(month.places()[month.server.junk])
    assert sum(month.places().values(), Counter()) == Counter(dict.fromkeys(month.letters, 1))
    return moved


def test_a_short_month_loses_nothing(make_dovecot, tmp_path):
    letters = invented(100)
    month = Month(make_dovecot(), tmp_path, letters[:40], random.Random(1))
    try:
        month.begin()
        for first in range(40, 100, 10):
            month.deliver(letters[first : first + 10])
            if first in (50, 70):
                month.fail()
            month.interfere()
            time.sleep(0.3)
        # A mark at the very moment of an automatic move counts for nothing.
        month.settle()
        month.correct()
        month.settle()
        month.end()
        moved = check(month)
    finally:
        month.close()
    assert {number for number in range(40, 100) if letters[number].label == JUNK} >= moved
    assert len(moved) > 15
