import numpy as np
import pytest

from nbmail.core.counting.sample import MISSING, WordRows
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
