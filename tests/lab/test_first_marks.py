"""Accuracy after the first marks."""

from statistics import mean

from nbmail.core.evaluation.trials import Case
from nbmail.lab.first_marks import Draw, intervals_of, marks_asked_for, marks_at_random, mean_of
from nbmail.values import HAM, SPAM
from tests.core.material import cases, fresh, sample


def test_of_first_marks_none_is_tested():
    data = [Case(label, sample([number])) for number in range(90) for label in (SPAM, HAM)]
    draw = Draw.of(data, 3, 0.5)
    pool, test = (
        {(case.label, case.sample.words[0]) for case in part} for part in (draw.pool, draw.test)
    )
    assert draw.tested == (45, 45)
    assert len(pool) == len(test) == 90
    assert not pool & test


def test_queried_marks_are_not_only_the_first():
    """Active learning skips a hundred copies of one ham message at the beginning.

    One draw of 200 messages says little, so the means of twelve are compared.
    """
    copies = [Case(HAM, sample([1, 2, 3]))] * 100
    caught = []
    lost = []
    for seed in range(0, 120, 10):
        draw = Draw([*copies, *cases(200, seed=seed + 5)], cases(200, seed=seed + 4))
        ((_, figures),) = marks_asked_for(lambda: fresh("balanced"), draw, [40])
        caught.append(figures["spam_caught_percent"])
        lost.append(figures["ham_lost_percent"])
    assert mean(caught) > 55
    assert mean(lost) < 2.5


def test_figures_that_the_first_marks_do_not_give_are_none():
    data = cases(60)
    ((_, alone),) = marks_at_random(fresh, Draw.of(data, 1, 0.5), [1], 0.5)
    assert (alone["calibration_error_percent"], alone["unsure_percent"]) == (None, 100.0)
    ((_, more),) = marks_at_random(fresh, Draw.of(data, 1, 0.5), [10], 0.5)
    both = mean_of([alone, more])
    assert both["calibration_error_percent"] == more["calibration_error_percent"]
    assert both["unsure_percent"] == (100.0 + more["unsure_percent"]) / 2
    low, high = intervals_of(both, 30, 30)["unsure_interval"]
    assert 0 <= low < both["unsure_percent"] < high <= 100
