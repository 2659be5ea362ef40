"""Array of word ids: read as one, whether in the file or in memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.chunks import drain
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.word_rows import MISSING, WordRows
from nbmail.store.model.word_ids import WordIds


def sample(number, words=5, measures=2):
    chance = np.random.default_rng(number)
    chosen = np.unique(chance.integers(0, 50, words)).astype(np.int32)
    return Sample(
        chosen,
        chance.integers(1, 9, len(chosen)).astype(np.int32),
        tuple(range(number, number + measures)),
    )


def same(one, other):
    names = ("words", "starts", "occurrences", "measures")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@settings(max_examples=30)
@given(
    batches=st.lists(st.lists(st.integers(0, 12), max_size=4), max_size=6),
    kept=st.sets(st.integers(0, 5)),
    span=st.tuples(st.integers(0, 24), st.integers(0, 24)),
)
def test_rows_are_read_across_the_border_of_the_file(tmp_path_factory, batches, kept, span):
    path = tmp_path_factory.mktemp("ids") / "words.arrays"
    word_ids = WordIds(path, 3)
    samples = []
    for place, lengths in enumerate(batches):
        first = len(samples)
        samples += [sample(first + number, words) for number, words in enumerate(lengths)]
        word_ids.append([2 * number + 1 for number in range(first, len(samples))], samples[first:])
        if place in kept:
            drain(word_ids.write_file())
            word_ids.rest()
    assert len(word_ids) == len(samples)
    first, last = (min(place, len(samples)) for place in sorted(span))
    assert (
        same(word_ids.rows(first, last, whole=True), WordRows.of(samples[first:last]))
        or first == last
    )
    places = np.arange(len(samples))[::-2]
    assert same(
        word_ids.pick(places, whole=True), WordRows.of([samples[place] for place in places])
    ) or not len(places)
    assert word_ids.places([2 * place + 1 for place in places]).tolist() == places.tolist()
    assert word_ids.places([0, 2, 999]).tolist() == [-1, -1, -1]
    again = WordIds(path, 3)
    assert drain(again.load()) is bool(kept & set(range(len(batches))))
    assert again.messages.tolist() == word_ids.messages[: len(again)].tolist()


def test_messages_that_arrive_during_the_writing_stay(tmp_path):
    word_ids = WordIds(tmp_path / "words.arrays", 1)
    word_ids.append([1, 2], [sample(1), sample(2)])
    writing = word_ids.write_file()
    next(writing)
    word_ids.append([3], [sample(3)])
    drain(writing)
    assert same(word_ids.rows(0, 3, whole=True), WordRows.of([sample(1), sample(2), sample(3)]))


def test_messages_with_fewer_or_more_measures_than_the_first(tmp_path):
    word_ids = WordIds(tmp_path / "words.arrays", 1)
    word_ids.append([1], [sample(1)])
    word_ids.append([2, 3], [sample(2, measures=1), sample(3, measures=3)])
    assert word_ids.rows(0, 3, whole=True).measures.tolist() == [[1, 2], [2, MISSING], [3, 4]]


@pytest.mark.parametrize("stamp", [1, 2])
def test_a_file_of_other_samples_is_not_used(tmp_path, stamp):
    word_ids = WordIds(tmp_path / "words.arrays", 1)
    word_ids.append([1], [sample(1)])
    drain(word_ids.write_file())
    again = WordIds(tmp_path / "words.arrays", stamp)
    assert drain(again.load()) is (stamp == 1)
    assert len(again) == (stamp == 1)
