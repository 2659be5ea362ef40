"""The array of word ids holds what was put on it, over restarts, and never believes a file that is not whole."""

import errno
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.sample import Sample, WordRows
from nbmail.store.files.array_file import put
from nbmail.store.model.word_ids import WordShelf

samples = st.lists(st.integers(0, 10_000), unique=True, max_size=20).map(
    lambda words: Sample(
        np.array(sorted(words), np.int32), np.arange(1, len(words) + 1, dtype=np.int32), (len(words), -3)
    )
)


def load(shelf):
    steps = shelf.load()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def filled(folder, stored, first=1):
    shelf = WordShelf(folder)
    shelf.clear()
    shelf.append(list(range(first, first + len(stored))), stored)
    return shelf


def same(rows, stored):
    expected = WordRows.of(stored)
    if not stored:
        return len(rows) == 0
    return all(
        np.array_equal(getattr(rows, name), getattr(expected, name))
        for name in ("words", "starts", "occurrences", "measures")
    )


@given(st.lists(st.lists(samples, min_size=1, max_size=5), min_size=1, max_size=6), st.lists(st.integers(0, 10**6)))
def test_what_was_put_there_is_read_back_after_a_restart(tmp_path_factory, batches, picks):
    folder = tmp_path_factory.mktemp("shelf")
    stored = []
    with closing(filled(folder, [])) as shelf:
        for batch in batches:
            shelf.append(list(range(2 * len(stored) + 2, 2 * (len(stored) + len(batch)) + 2, 2)), batch)
            stored += batch
    with closing(WordShelf(folder)) as shelf:
        assert load(shelf)
        assert same(shelf.rows(0, len(shelf), whole=True), stored)
        places = np.array([pick % len(stored) for pick in picks], np.int64)
        assert same(shelf.pick(places, whole=True), [stored[place] for place in places])
        assert list(shelf.places(2 * places + 2)) == list(places)
        assert list(shelf.places([1, 3, 2 * len(stored) + 2])) == [-1, -1, -1]


FILES = ["words.head", "words.ids", "words.times", "words.measures", "words.messages", "words.starts"]
WHOLE = [Sample(np.arange(n, n + 9, dtype=np.int32), np.ones(9, np.int32), (n,)) for n in range(30)]


@pytest.mark.parametrize("name", FILES)
def test_a_torn_or_altered_file_is_not_believed(tmp_path, name):
    filled(tmp_path, WHOLE).close()
    whole = (tmp_path / name).read_bytes()
    for damaged in (b"", whole[:-1], whole[: len(whole) // 2], whole[:20] + bytes([whole[20] ^ 1]) + whole[21:]):
        (tmp_path / name).write_bytes(damaged)
        shelf = WordShelf(tmp_path)
        assert not load(shelf)
        assert len(shelf) == 0
        shelf.append([1], WHOLE[:1])
        assert same(shelf.rows(0, 1, whole=True), WHOLE[:1])
        shelf.close()
        filled(tmp_path, WHOLE).close()
        assert (tmp_path / name).read_bytes() == whole


def test_what_a_crash_left_behind_the_head_is_passed_over(tmp_path):
    shelf = filled(tmp_path, WHOLE)
    head = (tmp_path / "words.head").read_bytes()
    shelf.append([31, 32], WHOLE[:2])
    shelf.close()
    (tmp_path / "words.head").write_bytes(head)
    shelf = WordShelf(tmp_path)
    assert load(shelf)
    assert same(shelf.rows(0, len(shelf), whole=True), WHOLE)
    shelf.append([40], WHOLE[5:6])
    assert same(shelf.rows(30, 31, whole=True), WHOLE[5:6])
    shelf.close()


def test_the_copy_of_another_database_is_not_believed(tmp_path):
    filled(tmp_path, WHOLE).close()
    shelf = WordShelf(tmp_path, stamp=7)
    assert not load(shelf)
    shelf.close()


@pytest.mark.parametrize("refused", range(8))
def test_a_full_disk_costs_only_the_copy(tmp_path, monkeypatch, refused):
    shelf = filled(tmp_path, WHOLE[:10])
    calls = iter(range(100))

    def refuse(file, offset, content):
        if next(calls) == refused:
            raise OSError(errno.ENOSPC, "no space")
        put(file, offset, content)

    monkeypatch.setattr("nbmail.store.files.array_file.put", refuse)
    monkeypatch.setattr("nbmail.store.model.word_ids.put", refuse)
    shelf.append(list(range(11, 21)), WHOLE[10:20])
    shelf.append(list(range(21, 31)), WHOLE[20:])
    assert same(shelf.rows(0, 30, whole=True), WHOLE)
    shelf.close()
    monkeypatch.undo()
    shelf = WordShelf(tmp_path)
    assert load(shelf)
    assert len(shelf) in (10, 20)
    assert same(shelf.rows(0, len(shelf), whole=True), WHOLE[: len(shelf)])
    shelf.close()


def test_resting_forgets_nothing(tmp_path):
    with closing(filled(tmp_path, WHOLE[:10])) as shelf:
        assert same(shelf.rows(0, 10, whole=True), WHOLE[:10])
        shelf.rest()
        shelf.append([40, 41], WHOLE[10:12])
        assert same(shelf.rows(0, 12, whole=True), WHOLE[:12])
