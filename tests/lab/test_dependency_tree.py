"""The tree of dependent words."""

import numpy as np

from nbmail.lab.methods.dependency_tree import NO_PARENT, widest_tree
from tests.core.material import once_trained, sample


def test_the_widest_tree_joins_each_word_to_its_closest():
    strengths = np.array([[0, 5, 1, 1], [5, 0, 4, 2], [1, 4, 0, 3], [1, 2, 3, 0]], np.float64)
    assert widest_tree(strengths).tolist() == [NO_PARENT, 0, 1, 2]


def test_a_word_beyond_the_tree_has_no_parent():
    model = once_trained("tree")
    model.implementation.decompose(model.counts, (0, 1), sample([1]))
    words = range(len(model.vocabulary) + 2)
    parents = [model.implementation.parent_of(word) for word in words]
    assert parents[-2:] == [None, None]
    assert sum(parent is None for parent in parents[:-2]) == 1, "the first has no parent"
