import ast
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import nbmail
from nbmail.core.counting import word_rows
from nbmail.core.counting.word_rows import WordRows

WEIGHTS = np.append(np.random.default_rng(1).normal(size=40), 0.0)
ROWS = st.lists(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 5)), max_size=12), max_size=12
)


def laid_out(lists):
    rows = WordRows.join([np.array([word for word, _ in one], np.int32) for one in lists])
    times = np.array([times for one in lists for _, times in one], np.int32)
    return WordRows(rows.words, rows.starts, times)


def expected(lists, with_times):
    return [
        sum(
            WEIGHTS[word] * (times if with_times else 1)
            for word, times in one
            if word < len(WEIGHTS)
        )
        for one in lists
    ]


@given(ROWS, st.booleans(), st.sampled_from([1, 7, 1 << 18]))
def test_sums_are_what_a_loop_would_add(lists, with_times, chunk):
    rows = laid_out(lists)
    before = word_rows._CHUNK
    word_rows._CHUNK = chunk
    try:
        found = rows.sum(WEIGHTS, aligned=False, times=with_times)
    finally:
        word_rows._CHUNK = before
    assert np.allclose(found, expected(lists, with_times), atol=1e-12)
    taken = WEIGHTS.take(rows.words, mode="clip")
    assert np.allclose(
        rows.sum(taken, aligned=True, times=with_times), expected(lists, with_times), atol=1e-12
    )
    assert rows.lengths().tolist() == [len(one) for one in lists]
    # Rows may be a part of a longer array.
    part = WordRows(rows.words, rows.starts[1:], rows.occurrences)
    if len(lists) > 1:
        for found in (
            part.sum(WEIGHTS, aligned=False, times=with_times),
            part.sum(taken, aligned=True, times=with_times),
        ):
            assert np.allclose(found, expected(lists[1:], with_times), atol=1e-12)


def test_no_message_no_sum_and_without_occurrences_each_word_counts_once():
    assert len(WordRows.join([]).sum(WEIGHTS, aligned=False)) == 0
    rows = WordRows.join([np.array([1, 2], np.int32)])
    assert rows.sum(WEIGHTS, aligned=False, times=True)[0] == WEIGHTS[1] + WEIGHTS[2]


BLAS = {"dot", "matmul", "einsum", "tensordot", "inner", "vdot", "linalg", "convolve", "correlate"}


def test_nothing_is_added_up_by_a_blas():
    """Sums depend on the processor and the batch size: no two runs need to agree."""
    for path in Path(nbmail.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.MatMult), path
            called = (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "np"
            )
            assert not (called and node.attr in BLAS), path
