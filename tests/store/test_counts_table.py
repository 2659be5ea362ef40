"""Counting in and out, in any mixture at once, equals counting one by one; below zero is an error."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.store.model.counts_table import Difference
from tests.store.helpers import open_store, quick_folder

SAMPLES = st.builds(
    lambda words, measures: Sample(
        np.array(sorted(words), np.int32), np.array([words[word] for word in sorted(words)], np.int32), tuple(measures)
    ),
    st.dictionaries(st.integers(0, 8), st.integers(1, 5), max_size=6),
    st.lists(st.integers(0, 2**40), min_size=2, max_size=2),
)


@settings(max_examples=80)
@given(st.lists(st.tuples(st.sampled_from(["junk", "good"]), SAMPLES), max_size=12), st.data())
def test_any_mixture_equals_one_by_one(lessons, data):
    with TemporaryDirectory(dir=quick_folder()) as home, open_store(Path(home)) as store, store.transaction():
        expected, inside = Counts(), []
        while lessons or inside:
            differences = []
            for _ in range(data.draw(st.integers(1, 4))):
                if lessons and (not inside or data.draw(st.booleans())):
                    lesson, sign = lessons.pop(), 1
                    inside.append(lesson)
                    expected.learn(lesson[1], lesson[0])
                elif inside:
                    lesson, sign = inside.pop(data.draw(st.integers(0, len(inside) - 1))), -1
                    expected.unlearn(lesson[1], lesson[0])
                else:
                    break
                differences.append(Difference(store.labels.number(lesson[0]), lesson[1], sign))
            store.counts.apply(differences)
            assert store.counts.load() == expected
        assert store.connection.rows("SELECT * FROM counts") == []


def test_below_zero_is_an_error(tmp_path):
    sample = Sample(np.array([1, 4], np.int32), np.array([2, 1], np.int32), (7,))
    with open_store(tmp_path) as store:
        junk = store.labels.number("junk")
        with pytest.raises(Exception, match=r"never counted in|CHECK constraint"):
            store.counts.apply([Difference(junk, sample, -1)])


def long_sample(seed, words):
    chance = np.random.default_rng(seed)
    picked = np.flatnonzero(chance.random(words) < 0.5).astype(np.int32)
    return Sample(picked, chance.integers(1, 9, len(picked)).astype(np.int32), (seed, 2))


@pytest.mark.parametrize("words", [198, 200, 202, 20_000])
def test_very_many_words_at_once(tmp_path, words):
    expected = Counts()
    with open_store(tmp_path) as store, store.transaction():
        junk, good = store.labels.number("junk"), store.labels.number("good")
        first = [long_sample(seed, words) for seed in range(12)]
        for one in first:
            expected.learn(one, "junk")
        store.counts.apply([Difference(junk, one, 1) for one in first])
        assert store.counts.load() == expected
        moved = [(one, klass, sign) for one in first[:11] for klass, sign in ((junk, -1), (good, 1))]
        for one in first[:11]:
            expected.unlearn(one, "junk")
            expected.learn(one, "good")
        store.counts.apply([Difference(klass, one, sign) for one, klass, sign in moved])
        assert store.counts.load() == expected
        both = [Difference(good, long_sample(99, words), 1), Difference(good, first[0], -1)]
        expected.learn(both[0].sample, "good")
        expected.unlearn(first[0], "good")
        store.counts.apply(both)
        assert store.counts.load() == expected
