"""Accuracy after the first marks, chosen at random or by active learning.

Each draw has a separate pool and test set. A model learns labels of the pool and classifies the
test set, at even odds of spam and good mail.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.sample import LongArray, WordRows
from nbmail.core.evaluation.trials import (
    Case,
    Interval,
    calibration_error,
    false_negative_rate_at,
    interval,
    learn_all,
    percent,
)
from nbmail.core.scoring.active_learning import REMEMBERED, choose
from nbmail.core.scoring.calibration import estimate_base_rate
from nbmail.core.scoring.explanation import judge, to_probabilities
from nbmail.core.scoring.model import Model
from nbmail.values import SPAM, VERDICTS

SIZES = (10, 20, 50, 100, 300, 1000)
MOST_TESTED = 1200
"""Most messages of each class in a test, which also takes at most half of them."""
_AT_ONCE = 2


Percents = dict[str, float | None]
"""Percents by their names, None where one is undefined."""


def mean_of(several: Sequence[Percents]) -> Percents:
    columns = {
        name: [value for one in several if (value := one[name]) is not None] for name in several[0]
    }
    return {name: float(np.mean(column)) if column else None for name, column in columns.items()}


def intervals_of(figures: Percents, spam: int, ham: int) -> dict[str, Interval | None]:
    """Return a confidence interval for each share. Draws share their mail, so more draws don't
    narrow it.
    """
    tested = {"ham_lost": ham, "unsure": spam + ham}
    shares = {
        name.removesuffix("_percent"): share
        for name, share in figures.items()
        if "calibration" not in name
    }
    return {
        f"{name}_interval": None if share is None else interval(share / 100, tested.get(name, spam))
        for name, share in shares.items()
    }


@dataclass(frozen=True, slots=True)
class Draw:
    """Pool and test set of one draw."""

    pool: Sequence[Case]
    test: Sequence[Case]

    @property
    def tested(self) -> tuple[int, int]:
        spam = sum(case.label == SPAM for case in self.test)
        return spam, len(self.test) - spam

    @classmethod
    def of(cls, cases: Sequence[Case], number: int, spam_share: float) -> "Draw":
        """Return draw `number`. `spam_share`: share of spam in its pool."""
        random = np.random.default_rng(number)
        spam, ham = (
            [case for case in cases if (case.label == SPAM) is kind] for kind in (True, False)
        )
        test = []
        pools = []
        for kind in (spam, ham):
            order = random.permutation(len(kind)).tolist()
            tested = min(MOST_TESTED, len(kind) // 2)
            test += [kind[place] for place in order[:tested]]
            pools.append([kind[place] for place in order[tested:]])
        # As many of each as the share allows.
        size = min(len(pools[0]) / spam_share, len(pools[1]) / (1 - spam_share))
        pool = pools[0][: round(size * spam_share)] + pools[1][: round(size * (1 - spam_share))]
        return cls([pool[place] for place in random.permutation(len(pool)).tolist()], test)


def marks_at_random(
    fresh: Callable[[], Model], draw: Draw, sizes: Sequence[int], spam_share: float
) -> Iterator[tuple[int, Percents]]:
    """Yield the figures for each size that the pool allows. `spam_share`: share of spam among the
    labels.
    """
    for size, model in models_at_random(fresh, draw, sizes, spam_share):
        yield size, figures_of(model, draw.test)


def models_at_random(
    fresh: Callable[[], Model], draw: Draw, sizes: Sequence[int], spam_share: float, order: int = 0
) -> Iterator[tuple[int, Model]]:
    """Yield a model for each size that the pool allows.

    `spam_share`: share of spam among its labels. `order`: seed for the order of the labels.
    """
    kinds = [[case for case in draw.pool if (case.label == SPAM) is kind] for kind in (True, False)]
    for size in sizes:
        wanted = max(1, round(size * spam_share)), size - max(1, round(size * spam_share))
        if any(count > len(kind) for count, kind in zip(wanted, kinds, strict=True)):
            return
        cases = [case for count, kind in zip(wanted, kinds, strict=True) for case in kind[:count]]
        model = fresh()
        learn_all(
            model,
            [
                cases[place]
                for place in np.random.default_rng([size, order]).permutation(size).tolist()
            ],
        )
        yield size, model


def marks_asked_for(
    fresh: Callable[[], Model], draw: Draw, sizes: Sequence[int]
) -> Iterator[tuple[int, Percents]]:
    """Yield the figures for each size that the pool allows, with labels selected by active
    learning.
    """
    model = fresh()
    samples = [case.sample for case in draw.pool]
    rows = model.rows(samples)
    free = np.ones(len(samples), np.bool_)
    asked = list[int]()
    spam = np.array([case.label == SPAM for case in draw.pool], np.bool_)

    def words_at(places: LongArray) -> WordRows:
        return WordRows.join([samples[place].words for place in places.tolist()])

    for size in sizes:
        while len(asked) < min(size, len(samples)):
            marks = int(np.count_nonzero(spam[asked])), int(np.count_nonzero(~spam[asked]))
            scores = model.log_odds(rows)
            calibrate = model.calibrate(scores, 0.5)
            if model.calibrated:
                model.base_rate = estimate_base_rate(calibrate[free], marks, len(asked))
            latest = [samples[place].words for place in asked[-REMEMBERED:]]
            wanted = min(_AT_ONCE, size - len(asked))
            zoned = model.query_scores(scores)
            for place in choose(zoned, words_at, free, marks, latest, wanted=wanted):
                model.learn(draw.pool[place].sample, draw.pool[place].label, asked=True)
                free[place] = False
                asked.append(place)
            drain(model.cross_validating())
        if len(asked) < size:
            return
        yield size, figures_of(model, draw.test)


def figures_of(model: Model, test: Sequence[Case]) -> Percents:
    spam = np.array([case.label == SPAM for case in test], np.bool_)
    scores = model.log_odds(model.rows([case.sample for case in test]))
    chances = (
        to_probabilities(model.calibrate(scores, 0.5))
        if model.calibrated
        else np.full(len(test), np.nan)
    )
    verdicts = judge(chances, model.costs)
    called = {name: verdicts == place for place, name in enumerate(VERDICTS)}
    shares = {
        "ham_lost_percent": called["spam"][~spam],
        "spam_caught_percent": called["spam"][spam],
        "spam_called_ham_percent": called["ham"][spam],
        "unsure_percent": called["unsure"],
    }
    return {
        name: percent(float(np.mean(each)) if len(each) else np.nan)
        for name, each in shares.items()
    } | {
        "calibration_error_percent": percent(calibration_error(chances, spam)),
        "allowed_at_0_1_percent": percent(1 - false_negative_rate_at(scores, spam, 0.001)),
        "allowed_at_0_5_percent": percent(1 - false_negative_rate_at(scores, spam, 0.005)),
    }
