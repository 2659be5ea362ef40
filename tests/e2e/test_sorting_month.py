"""A month of sorting by two computers, with failures: no letter is lost or duplicated."""

import os
import random
import threading
import time
from collections import Counter

import pytest

from nbmail.core.evaluation.proportion import wilson
from nbmail.values import HAM, SPAM
from tests.e2e.sorting_month import Month, fill_disk, invented, real
from tests.needs import need_corpus

PAST = {SPAM: 100, HAM: 200}
DELIVERED = 3000
ROUND = 25


def check(month):
    """Compare mailbox and computers with what was delivered. Return the moved letters."""
    found = sum(month.places().values(), Counter())
    assert found == Counter(dict.fromkeys(month.letters, 1))
    for computer in month.computers:
        assert month.labels(computer) == month.past | month.said
    moved = month.moved()
    spam = [
        number
        for number in moved
        if month.letters[number].label == SPAM and number not in month.said
    ]
    assert set(spam) <= set(month.places()[month.server.spam])
    ham = [number for number, each in month.letters.items() if each.label == HAM]
    there = sorted(set(ham) & set(month.places()[month.server.spam]))
    tested = month.put_back(there)
    assert not set(ham) & set(month.places()[month.server.spam])
    assert sum(month.places().values(), Counter()) == Counter(dict.fromkeys(month.letters, 1))
    return moved, tested


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
        moved, _ = check(month)
    finally:
        month.close()
    assert {number for number in range(40, 100) if letters[number].label == SPAM} >= moved
    assert len(moved) > 15


@pytest.mark.skipif(
    not os.environ.get("NBMAIL_TORTURE"),
    reason="extra: set NBMAIL_TORTURE for a month of real mail",
)
@pytest.mark.parametrize("small_disk", ["300m"], indirect=True)
def test_a_month_of_real_mail_loses_nothing(make_dovecot, tmp_path, small_disk, record_property):
    letters = real(need_corpus("spamassassin"), sum(PAST.values()) + DELIVERED)
    past = [
        each
        for label, count in PAST.items()
        for each in [one for one in letters if one.label == label][:count]
    ]
    delivered = [each for each in letters if each not in past]
    assert len(delivered) == DELIVERED
    homes = (small_disk / "home", tmp_path / "second home")
    month = Month(make_dovecot(), tmp_path, past, random.Random(21), homes=homes, seen_after=20.0)
    try:
        month.begin()
        for number, first in enumerate(range(0, DELIVERED, ROUND)):
            month.deliver(delivered[first : first + ROUND])
            month.supervise()
            if number % 4 == 1:
                month.fail()
            if number % 40 == 20:
                threading.Thread(target=fill_disk, args=(small_disk, 4.0)).start()
            month.interfere()
            month.correct(0.5)
            time.sleep(0.5)
        month.settle(900.0)
        month.end()
        moved, tested = check(month)
    finally:
        month.close()
    kinds = Counter(each.label for each in month.letters.values())
    by_kind = Counter(month.letters[number].label for number in moved)
    low, high = wilson(by_kind[HAM], kinds[HAM])
    record_property("good mail moved", f"{by_kind[HAM]} of {kinds[HAM]} ({low:.2%} to {high:.2%})")
    record_property(
        "the model's own test", f"{tested.lost} of {tested.tested}, up to {tested.high:.2%}"
    )
    record_property("spam moved", f"{by_kind[SPAM]} of {kinds[SPAM]}, {len(month.said)} corrected")
    record_property("starts of the computers", [each.starts for each in month.computers])
    assert by_kind[SPAM] > kinds[SPAM] / 2
