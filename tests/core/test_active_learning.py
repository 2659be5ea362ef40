"""Query selection: no message twice, no copies, both classes early, near the threshold."""

import numpy as np

from nbmail.core.counting.word_rows import WordRows
from nbmail.core.scoring import active_learning


def choose(scores, sets, free=None, marks=(5, 5), latest=(), wanted=2):
    """Return the selected messages among messages with these words."""
    words = [np.array(sorted(one), np.int32) for one in sets]
    free = np.ones(len(words), np.bool_) if free is None else free

    def words_at(places):
        return WordRows.join([words[place] for place in places.tolist()])

    return active_learning.choose(
        np.asarray(scores, np.float64), words_at, free, marks, latest, wanted=wanted
    )


def unlike(count):
    return [range(20 * place, 20 * place + 20) for place in range(count)]


def test_only_what_is_free_and_nothing_twice():
    free = np.zeros(100, np.bool_)
    free[10:13] = True
    assert sorted(choose(np.zeros(100), unlike(100), free, wanted=5)) == [10, 11, 12]
    assert choose([], []) == []


def test_copies_are_passed_over():
    sets = [range(20)] * 5 + unlike(50)[1:]
    scores = np.append(np.zeros(5), np.full(49, 0.5))
    assert sum(place < 5 for place in choose(scores, sets)) <= 1
    assert min(choose(scores, sets, latest=[np.arange(20, dtype=np.int32)])) >= 5
    assert choose(np.zeros(5), [range(20)] * 5, wanted=1, latest=[np.arange(20)]) == [0], (
        "where all are copies"
    )


def test_a_missing_kind_is_looked_for_where_it_must_be():
    scores = np.linspace(-5, 5, 101)
    assert choose(scores, unlike(101), marks=(8, 0), wanted=1) == [0]
    assert choose(scores, unlike(101), marks=(0, 8), wanted=1) == [100]


def test_questions_go_round_the_doubtful_places():
    scores = np.linspace(-6, 6, 1201)
    free = np.ones(1201, np.bool_)
    asked = []
    for turn in range(10):
        (place,) = choose(scores, unlike(1201), free, marks=(3 + turn, 3), wanted=1)
        asked.append(scores[place])
        free[place] = False
    assert np.allclose(
        np.sort(asked), np.sort([*active_learning.ZONES, *active_learning.ZONES]), atol=0.02
    )


def test_first_questions_are_old_and_new():
    found = choose(np.zeros(600), unlike(600), marks=(0, 0), wanted=6)
    assert min(found) < 150
    assert max(found) > 450
