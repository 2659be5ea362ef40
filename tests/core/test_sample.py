import numpy as np
import pytest

from nbmail.core.counting.sample import MISSING, Clues, Sample, Vocabulary, WordRows
from tests.core.material import sample


def test_words_are_numbered_in_the_order_of_meeting():
    vocabulary = Vocabulary(["old"])
    found = vocabulary.sample(Clues(("new", "old", "newer"), (3, 1, 2), (9,)))
    assert found == sample([0, 1, 2], [1, 3, 2], [9])
    assert [vocabulary.word(number) for number in range(3)] == ["old", "new", "newer"]
    assert vocabulary.words_from(1) == ["new", "newer"]
    assert (len(vocabulary), "new" in vocabulary, "newest" in vocabulary) == (3, True, False)
    assert (vocabulary.number("newer"), vocabulary.number("newest")) == (2, None)


def test_scoring_does_not_grow_the_vocabulary():
    vocabulary = Vocabulary(["b", "a"])
    assert vocabulary.known_sample(Clues(("a", "x", "b"), (5, 1, 2), (3,))) == sample([0, 1], [2, 5], [3])
    assert vocabulary.known_sample(Clues(("x",), (1,), ())) == sample([])
    assert len(vocabulary) == 2


def test_samples_compare_by_what_they_hold():
    one = sample([1, 2], [1, 1], [3])
    assert one == sample([1, 2], [1, 1], [3])
    assert one != sample([1, 3], [1, 1], [3])
    assert one != sample([1, 2], [1, 2], [3])
    assert one != sample([1, 2], [1, 1], [4])
    assert one != "sample"
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
    assert len(rows) == 0
    assert (len(rows.words), rows.measures.shape) == (0, (0, 0))


def test_a_vocabulary_from_words_keeps_their_numbers():
    again = Vocabulary(Vocabulary(["x", "y"]).words_from(0))
    assert again.number("y") == 1


def test_samples_are_frozen():
    with pytest.raises(AttributeError):
        sample([1]).words = np.empty(0, np.int32)  # type: ignore[misc]
    assert isinstance(sample([1]), Sample)
