from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.counts import Counts
from tests.core.material import WORDS, mailbox, sample, samples

LABELS = ("spam", "ham", "work")


def counted(messages):
    counts = Counts()
    for one, label in messages:
        counts.learn(one, label)
    return counts


def by_hand(messages):
    documents = Counter()
    occurrences = Counter()
    for one, label in messages:
        for word, times in zip(one.words.tolist(), one.occurrences.tolist(), strict=True):
            documents[label, word] += 1
            occurrences[label, word] += times
    return documents, occurrences


def assert_sound(counts):
    """Check that derived values match the tables, and the last column is empty."""
    again = Counts.build(
        counts.classes, counts.messages, counts.documents, counts.occurrences, counts.measures
    )
    assert again == counts
    assert np.array_equal(again.holders[: counts.width], counts.holders)
    assert again.words == counts.words
    assert again.occurrence_totals == counts.occurrence_totals
    assert not counts.documents[:, -1].any()
    assert not counts.holders[-1]


@given(st.lists(st.tuples(samples(), st.sampled_from(LABELS)), max_size=30))
def test_counts_are_what_dictionaries_would_hold(messages):
    counts = counted(messages)
    documents, occurrences = by_hand(messages)
    for row, label in enumerate(counts.classes):
        assert counts.messages[row] == sum(other == label for _, other in messages)
        for word in range(WORDS):
            assert counts.documents[row, word] == documents[label, word]
            assert counts.occurrences[row, word] == occurrences[label, word]
        measured = [one.measures for one, other in messages if other == label]
        for place, column in enumerate(zip(*measured, strict=True)):
            assert counts.measures[row][place] == [
                len(column),
                sum(column),
                sum(x * x for x in column),
            ]
    assert_sound(counts)


def test_one_pass_equals_three_partial_ones_merged():
    messages = mailbox(90, labels=LABELS)
    whole = Counts()
    for part in (messages[:20], messages[20:70], [], messages[70:]):
        whole.merge(counted(part))
    assert whole == counted(messages)
    assert_sound(whole)


WRONG = {
    "a class never met": (sample([1], [1], [5]), "holiday"),
    "a word never learned": (sample([2], [1], [5]), "spam"),
    "a word beyond the tables": (sample([1_000_000], [1], [5]), "spam"),
    "more occurrences than there are": (sample([1], [3], [5]), "spam"),
    "more measures than there are": (sample([1], [1], [5, 5]), "spam"),
    "squares below zero": (sample([1], [1], [9]), "spam"),
    "an empty class": (sample([]), "work"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_unlearning_below_zero_is_an_error_and_changes_nothing(wrong):
    learned = [
        (sample([1], [2], [5]), "spam"),
        (sample([2], [2], [5]), "ham"),
        (sample([3]), "work"),
    ]
    counts = counted(learned)
    counts.unlearn(*learned[2])
    with pytest.raises(ValueError, match="not learned"):
        counts.unlearn(*wrong)
    assert counts == counted(learned[:2])
    assert_sound(counts)


def test_measures_may_be_missing_or_large():
    counts = counted([(sample([1], measures=[4, 5]), "spam"), (sample([1], measures=[6]), "spam")])
    assert counts.measures == [[[2, 10, 52], [1, 5, 25]]]
    counts.unlearn(sample([1], measures=[4, 5]), "spam")
    assert counts == counted([(sample([1], measures=[6]), "spam")])
    counts = counted([(sample([1], measures=[10**15 + 1]), "spam")] * 3)
    assert counts.measures[0][0] == [3, 3 * 10**15 + 3, 3 * (10**15 + 1) ** 2]


def test_equality_ignores_the_order_of_classes_room_and_emptied_classes():
    one = (sample([1]), "spam")
    other = (sample([5000]), "ham")
    far = (sample([90_000]), "work")
    counts = counted([far, other, one])
    counts.unlearn(*far)
    assert counts == counted([one, other])
    assert counts != counted([one])
    assert counts != counted([one, (sample([5001]), "ham")])
    assert counts != counted([(sample([1], measures=[1]), "spam"), other])
    assert counts != "counts"


def test_a_class_that_was_met_last_and_is_empty_again_is_forgotten():
    counts = counted([(sample([1]), "spam"), (sample([2]), "ham"), (sample([3]), "work")])
    counts.unlearn(sample([2]), "ham")
    assert (counts.classes, counts.messages) == (["spam", "ham", "work"], [1, 0, 1])
    counts.unlearn(sample([3]), "work")
    assert counts.classes == ["spam"]
    assert (counts.row("ham"), counts.row("work"), counts.documents.shape[0]) == (None, None, 1)
    counts.learn(sample([4]), "work")
    assert counts.row("work") == 1
    assert_sound(counts)


def test_tables_grow_by_doubling_so_that_memory_stays_bounded():
    counts = Counts()
    for word in range(0, 100_000, 97):
        counts.learn(sample([word]), "spam")
    assert counts.width <= 2 * 100_000 + 2
    assert counts.documents.dtype == np.int32
    assert counts.occurrences.dtype == np.int64
    assert_sound(counts)
