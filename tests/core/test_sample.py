import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbmail
from nbmail.core.counting import sample as samples
from nbmail.core.counting.sample import MISSING, WordRows, count_words, sum_taken, sum_words
from tests.core.material import sample


def test_samples_compare_by_what_they_hold():
    one = sample([1, 2], [1, 1], [3])
    assert one == sample([1, 2], [1, 1], [3])
    for other in (sample([1, 3], [1, 1], [3]), sample([1, 2], [1, 2], [3]), sample([1, 2], [1, 1], [4]), "sample"):
        assert one != other
    with pytest.raises(TypeError):
        hash(one)


def test_rows_lay_messages_end_to_end():
    rows = WordRows.of([sample([4, 5], [1, 2], [7]), sample([]), sample([6], [3], [8, 9])])
    assert len(rows) == 3
    assert rows.words.tolist() == [4, 5, 6]
    assert rows.starts.tolist() == [0, 2, 2, 3]
    assert rows.occurrences.tolist() == [1, 2, 3]
    assert rows.measures.tolist() == [[7, MISSING], [MISSING, MISSING], [8, 9]]
    assert rows.words.dtype == rows.occurrences.dtype == np.int32


def test_no_rows():
    rows = WordRows.of([])
    assert (len(rows), len(rows.words), rows.measures.shape) == (0, 0, (0, 0))


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
    before, samples._CHUNK = samples._CHUNK, chunk
    try:
        found = sum_words(WEIGHTS, rows, with_times)
    finally:
        samples._CHUNK = before
    assert np.allclose(found, expected(lists, with_times), atol=1e-12)
    taken = WEIGHTS.take(rows.words, mode="clip")
    assert np.allclose(sum_taken(taken, rows, with_times), expected(lists, with_times), atol=1e-12)
    assert count_words(rows).tolist() == [len(one) for one in lists]
    # Rows may be a part of a longer array.
    part = WordRows(rows.words, rows.starts[1:], rows.occurrences)
    if len(lists) > 1:
        for found in (sum_words(WEIGHTS, part, with_times), sum_taken(taken, part, with_times)):
            assert np.allclose(found, expected(lists[1:], with_times), atol=1e-12)


def test_no_message_no_sum_and_without_occurrences_each_word_counts_once():
    assert len(sum_words(WEIGHTS, WordRows.join([]))) == 0
    rows = WordRows.join([np.array([1, 2], np.int32)])
    assert sum_words(WEIGHTS, rows, True)[0] == WEIGHTS[1] + WEIGHTS[2]


BLAS = {"dot", "matmul", "einsum", "tensordot", "inner", "vdot", "linalg", "convolve", "correlate"}


def test_nothing_is_added_up_by_a_blas():
    """Its sums depend on the processor, and on how many others it makes at once: no two runs need agree."""
    for path in Path(nbmail.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.MatMult), path
            called = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
            assert not (called and node.attr in BLAS), path
