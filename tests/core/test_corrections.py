"""Corrections are whole numbers that are taken back exactly and come out the same however often they are learned."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.counting.counts import Counts
from nbmail.core.methods.corrections import ERROR_UNIT, MARGIN_OF_OPPOSITES, UNIT, Corrections, error_of, scale_of
from tests.core.material import mailbox, sample, samples

labels = st.sampled_from(["junk", "good", "work", "family"])


OPPOSITES = {"junk": "good", "good": "junk"}


def learn(corrections, counts, one, label):
    known = counts.row(label)
    own = len(counts.classes) if known is None else known
    if label in OPPOSITES:
        undo_data = corrections.learn_opposites(own, counts.row(OPPOSITES[label]), one.words)
    else:
        others = [row for row, name in enumerate(counts.classes) if name not in OPPOSITES]
        undo_data = corrections.learn_one_of_many(own, others, one.words)
    counts.learn(one, label)
    return undo_data


def learned(messages):
    corrections, counts = Corrections(), Counts()
    steps = [learn(corrections, counts, one, label) for one, label in messages]
    return corrections, counts, steps


def table(corrections):
    """Return the state without rows and columns of zeros at the end."""
    kept = corrections.state()
    rows = 1 + max(np.flatnonzero(kept.any(axis=1)), default=-1)
    columns = 1 + max(np.flatnonzero(kept.any(axis=0)), default=-1)
    return kept[:rows, :columns].tolist()


def test_errors_are_those_of_the_logistic_curve():
    for margin in np.linspace(-20, 4.999, 200):
        assert error_of(margin, 5.0) / ERROR_UNIT == pytest.approx(1 / (1 + math.exp(margin)), abs=2e-4)
    assert error_of(5.0, 5.0) == error_of(3.0, 2.0) == error_of(1e9, 5.0) == 0
    assert error_of(-1e9, 5.0) == ERROR_UNIT


@settings(max_examples=40)
@given(st.lists(st.tuples(samples(), labels), max_size=25))
def test_every_step_is_taken_back_exactly(messages):
    corrections, counts = Corrections(), Counts()
    states, steps = [], []
    for one, label in messages:
        states.append(table(corrections))
        steps.append(learn(corrections, counts, one, label))
    for (one, label), undo_data, before in zip(reversed(messages), reversed(steps), reversed(states), strict=True):
        counts.unlearn(one, label)
        corrections.unlearn(one.words, undo_data)
        assert table(corrections) == before


def test_a_mirror_is_learned_while_there_are_two_of_many():
    corrections, _, _ = learned(mailbox(200, labels=("work", "family")))
    work, family = corrections.of(0, None), corrections.of(1, None)
    assert np.abs(work).max() > UNIT // 100
    assert np.array_equal(work, -family)


def test_opposites_hold_what_their_own_messages_taught():
    corrections, _, _ = learned(mailbox(200))
    assert all(corrections.of(row, None).min() >= 0 < corrections.of(row, None).max() for row in (0, 1))


def test_one_class_alone_begins():
    corrections, counts = Corrections(), Counts()
    for _ in range(30):
        learn(corrections, counts, sample([1, 2]), "good")
    assert learn(corrections, counts, sample([1, 2]), "good") == ()
    assert corrections.of(0, None)[1:3].min() > UNIT
    assert learn(corrections, counts, sample([1, 2]), "work") == ()


def test_a_message_judged_clearly_right_teaches_nothing():
    corrections, counts = Corrections(), Counts()
    one, other = sample(range(10)), sample(range(20, 30))
    steps = []
    for _ in range(60):
        steps += [learn(corrections, counts, one, "junk"), learn(corrections, counts, other, "good")]
    assert steps[0] and steps[1]
    assert not steps[-1] and not steps[-2]
    assert scale_of(10) * float(corrections.of(0, one.words).sum()) / UNIT >= MARGIN_OF_OPPOSITES


def test_empty_messages_teach_nothing():
    corrections, counts = Corrections(), Counts()
    for label in ("junk", "good", "work", "family"):
        assert learn(corrections, counts, sample([]), label) == ()
    corrections.unlearn(sample([]).words, ())
    assert table(corrections) == []
    assert scale_of(0) == 0.0
    assert corrections.of(5, np.array([1, 2], np.int32)).tolist() == [0, 0]
    assert corrections.of(5, None).tolist() == [0]
