import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting import sums
from nbmail.core.counting.sample import WordRows
from nbmail.core.counting.sums import count_words, sum_taken, sum_words

WEIGHTS = np.append(np.random.default_rng(1).normal(size=40), 0.0)
ROWS = st.lists(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 5)), max_size=12), max_size=12)


def laid_out(lists):
    rows = WordRows.join([np.array([word for word, _ in one], np.int32) for one in lists])
    times = np.array([times for one in lists for _, times in one], np.int32)
    return WordRows(rows.words, rows.starts, times)


def expected(lists, with_times):
    return [
        sum(WEIGHTS[word] * (times if with_times else 1) for word, times in one if word < len(WEIGHTS)) for one in lists
    ]


def doubled(occurrences):
    return occurrences.astype(np.float64)


@given(ROWS, st.booleans(), st.sampled_from([1, 7, 1 << 18]))
def test_sums_are_what_a_loop_would_add(lists, with_times, chunk):
    rows = laid_out(lists)
    before, sums._CHUNK = sums._CHUNK, chunk
    try:
        found = sum_words(WEIGHTS, rows, with_times)
    finally:
        sums._CHUNK = before
    assert np.allclose(found, expected(lists, with_times), atol=1e-12)
    taken = WEIGHTS.take(rows.words, mode="clip")
    assert np.allclose(sum_taken(taken, rows, with_times), expected(lists, with_times), atol=1e-12)
    assert count_words(rows).tolist() == [len(one) for one in lists]


@given(ROWS.filter(lambda lists: len(lists) > 2))
def test_rows_may_be_a_part_of_a_longer_array(lists):
    whole = laid_out(lists)
    part = WordRows(whole.words, whole.starts[1:], whole.occurrences)
    taken = WEIGHTS.take(part.words, mode="clip")
    for found in (sum_words(WEIGHTS, part, True), sum_taken(taken, part, True)):
        assert np.allclose(found, expected(lists[1:], True), atol=1e-12)


def test_without_occurrences_each_word_counts_once():
    rows = WordRows.join([np.array([1, 2], np.int32)])
    assert sum_words(WEIGHTS, rows, True)[0] == WEIGHTS[1] + WEIGHTS[2]


def test_no_message_no_sum():
    assert len(sum_words(WEIGHTS, WordRows.join([]))) == 0
