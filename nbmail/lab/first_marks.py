"""Accuracy after the first marks, chosen at random or by active learning.

Each draw has a separate pool and test set. A model learns labels of the pool and classifies the
test set, at even odds of spam and good mail.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nbmail.chunks import drain
from nbmail.core.calibration.base_rate import estimate_base_rate
from nbmail.core.counting.arrays import LongArray
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.evaluation.metrics import (
    Interval,
    calibration_error,
    false_negative_rate_at,
    interval,
    percent,
)
from nbmail.core.evaluation.trials import Case, learn_all
from nbmail.core.scoring.active_learning import REMEMBERED, choose
from nbmail.core.scoring.log_odds import to_probabilities
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.verdict import judge
from nbmail.values import SPAM, VERDICTS

SIZES = (10, 20, 50, 100, 300, 1000)
MOST_TESTED = 1200
"""Most messages of each class in a test, which also takes at most half of them."""
_AT_ONCE = 2

Percents = dict[str, float | None]
"""Percents by their names, None where one is undefined."""


def mean_of(several: Sequence[Percents]) -> Percents:
    means: Percents = {}
    for name in several[0]:
        defined = [value for one in several if (value := one[name]) is not None]
        means[name] = float(np.mean(defined)) if defined else None
    return means


def intervals_of(figures: Percents, spam: int, ham: int) -> dict[str, Interval | None]:
    """Return a confidence interval for each share.

    Draws share their mail, so more draws don't narrow it.
    """
    tested = {"ham_lost": ham, "unsure": spam + ham}
    found: dict[str, Interval | None] = {}
    for figure, value in figures.items():
        if "calibration" in figure:
            continue
        name = figure.removesuffix("_percent")
        count = tested.get(name, spam)
        found[f"{name}_interval"] = None if value is None else interval(value / 100, count)
    return found


@dataclass(frozen=True, slots=True)
class Draw:
    """Pool and test set of one draw."""

    pool: Sequence[Case]
    test: Sequence[Case]

    @property
    def tested(self) -> tuple[int, int]:
        """Numbers of tested spam and ham messages."""
        spam = sum(case.label == SPAM for case in self.test)
        return spam, len(self.test) - spam

    @classmethod
    def of(cls, cases: Sequence[Case], number: int, spam_share: float) -> "Draw":
        """Return draw `number`. `spam_share`: share of spam in its pool."""
        random = np.random.default_rng(number)
        test: list[Case] = []
        pools: list[list[Case]] = []
        for kind in _spam_and_ham(cases):
            order = random.permutation(len(kind)).tolist()
            tested = min(MOST_TESTED, len(kind) // 2)
            test += [kind[place] for place in order[:tested]]
            pools.append([kind[place] for place in order[tested:]])
        # As many of each as the share allows.
        spam, ham = pools
        size = min(len(spam) / spam_share, len(ham) / (1 - spam_share))
        pool = spam[: round(size * spam_share)] + ham[: round(size * (1 - spam_share))]
        order = random.permutation(len(pool)).tolist()
        return cls([pool[place] for place in order], test)


def _spam_and_ham(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    spam = [case for case in cases if case.label == SPAM]
    ham = [case for case in cases if case.label != SPAM]
    return spam, ham


def marks_at_random(
    fresh: Callable[[], Model], draw: Draw, sizes: Sequence[int], spam_share: float
) -> Iterator[tuple[int, Percents]]:
    """Yield the figures for each size that the pool allows.

    `spam_share`: share of spam among the labels.
    """
    for size, model in models_at_random(fresh, draw, sizes, spam_share):
        yield size, figures_of(model, draw.test)


def models_at_random(
    fresh: Callable[[], Model], draw: Draw, sizes: Sequence[int], spam_share: float, order: int = 0
) -> Iterator[tuple[int, Model]]:
    """Yield a model for each size that the pool allows.

    `spam_share`: share of spam among its labels. `order`: seed for the order of the labels.
    """
    spam, ham = _spam_and_ham(draw.pool)
    for size in sizes:
        wanted_spam = max(1, round(size * spam_share))
        wanted_ham = size - wanted_spam
        if wanted_spam > len(spam) or wanted_ham > len(ham):
            return
        cases = spam[:wanted_spam] + ham[:wanted_ham]
        shuffled = np.random.default_rng([size, order]).permutation(size).tolist()
        model = fresh()
        learn_all(model, [cases[place] for place in shuffled])
        yield size, model


def marks_asked_for(
    fresh: Callable[[], Model], draw: Draw, sizes: Sequence[int]
) -> Iterator[tuple[int, Percents]]:
    """Yield the figures for each size that the pool allows, with labels from active learning."""
    model = fresh()
    samples = [case.sample for case in draw.pool]
    rows = model.rows(samples)
    is_free = np.ones(len(samples), np.bool_)
    asked: list[int] = []
    spam = np.array([case.label == SPAM for case in draw.pool], np.bool_)

    def words_at(places: LongArray) -> WordRows:
        return WordRows.join([samples[place].words for place in places.tolist()])

    for size in sizes:
        while len(asked) < min(size, len(samples)):
            asked_spam = int(np.count_nonzero(spam[asked]))
            marks = (asked_spam, int(np.count_nonzero(~spam[asked])))
            scores = model.log_odds(rows)
            if model.calibrated:
                calibrated = model.calibrate(scores, 0.5)
                model.base_rate = estimate_base_rate(calibrated[is_free], marks, len(asked))
            latest = [samples[place].words for place in asked[-REMEMBERED:]]
            wanted = min(_AT_ONCE, size - len(asked))
            queried = model.query_scores(scores)
            for place in choose(queried, words_at, is_free, marks, latest, wanted=wanted):
                model.learn(draw.pool[place].sample, draw.pool[place].label, asked=True)
                is_free[place] = False
                asked.append(place)
            drain(model.cross_validating())
        if len(asked) < size:
            return
        yield size, figures_of(model, draw.test)


def figures_of(model: Model, test: Sequence[Case]) -> Percents:
    spam = np.array([case.label == SPAM for case in test], np.bool_)
    scores = model.log_odds(model.rows([case.sample for case in test]))
    chances = np.full(len(test), np.nan)
    if model.calibrated:
        chances = to_probabilities(model.calibrate(scores, 0.5))
    verdicts = judge(chances, model.costs)
    is_called_spam = verdicts == VERDICTS.index("spam")
    is_called_ham = verdicts == VERDICTS.index("ham")
    is_unsure = verdicts == VERDICTS.index("unsure")
    shares = {
        "ham_lost_percent": is_called_spam[~spam],
        "spam_caught_percent": is_called_spam[spam],
        "spam_called_ham_percent": is_called_ham[spam],
        "unsure_percent": is_unsure,
    }
    found: Percents = {}
    for name, flags in shares.items():
        found[name] = percent(float(np.mean(flags)) if len(flags) else np.nan)
    found["calibration_error_percent"] = percent(calibration_error(chances, spam))
    found["allowed_at_0_1_percent"] = percent(1 - false_negative_rate_at(scores, spam, 0.001))
    found["allowed_at_0_5_percent"] = percent(1 - false_negative_rate_at(scores, spam, 0.005))
    return found
