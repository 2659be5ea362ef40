"""Changes of the clock: restores follow the order of the journal, not the time."""

import random

import pytest

from nbmail.store.labels.journal import By
from tests.store.helpers import fill

HOUR = 3600.0
YEARS = 55 * 365 * 86400.0
NOW = 1e9 + 33 * 60.0


def marked(store, clock, steps=33):
    """Mark by this clock. Return the last entry and the labels after each mark."""
    messages = fill(store, 20)
    chance = random.Random(1)
    past = []
    for step in range(steps):
        while not store.marks.mark(
            dict.fromkeys(chance.sample(messages, 4), chance.choice(["spam", "ham", None])),
            by=By.USER,
            moment=clock(step),
        ).changes:
            pass
        past.append((store.journal.last_entry(), store.labels.positions()))
    return past


CLOCKS = {
    "steady": lambda step: 1e9 + 60.0 * step,
    "an hour back": lambda step: 1e9 + 60.0 * step - (HOUR + 7) * (step >= 12),
    "once in 1970": lambda step: 60.0 * step if step in (8, 9, 10) else 1e9 + 60.0 * step,
    "once ahead": lambda step: 1e9 + 60.0 * step + YEARS * (step == 20),
    "to and fro": lambda step: 1e9 + (7919 * step) % 3600 + step / 100,
}


@pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS)
def test_every_restore_reaches_its_entry(store, clock):
    past = marked(store, clock)
    for line, places in past:
        store.marks.restore(line, moment=1.0)
        assert store.labels.positions() == places
        store.marks.undo(moment=2.0)
        assert store.journal.entry_before(line) in [0, *(other for other, _ in past)]


def test_a_restore_reverts_the_whole_step_of_an_entry(store):
    messages = fill(store, 12)
    store.marks.mark({messages[0]: "spam"}, by=By.USER, moment=1.0)
    step = store.marks.mark(dict.fromkeys(messages[:4], "ham"), by=By.FOLDER, moment=2.0).step
    store.marks.mark(dict.fromkeys(messages[4:8], "ham"), by=By.FOLDER, moment=3.0, step=step)
    store.marks.undo(moment=4.0)
    for line, before in ((1, 0), (2, 1), (9, 1), (10, 9), (17, 9)):
        assert store.journal.entry_before(line) == before
