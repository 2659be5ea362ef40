"""Trials: each message is scored once, by a model that had not learned it.

* online: score, then learn, in order, as if the user marked each message immediately.
* timeline: learn the first 100 k messages, test the next 100, for every k. Messages of classes not
  seen before don't count (Bekkerman, McCallum and Huang 2004, report IR-418).

The score of a message is its log-odds of spam. With other classes it is the log-odds of the true
class against the likeliest other class, so that correct results are above zero.
"""

import math
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.sample import Sample
from nbmail.core.evaluation.metrics import (
    Interval,
    calibration_error,
    false_negative_rate_at,
    interval,
    one_minus_auc,
    percent,
)
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM, VERDICTS

BATCH = 100
"""Messages of a timeline's step."""


class Case(NamedTuple):
    """A message and the class it belongs to."""

    label: str
    sample: Sample


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """Result for one message, from a model that had not learned it.

    `probability` is that of spam, NaN without examples of both classes. With other classes it is
    that of the true class, and `verdict` is the predicted class. `right`: True if the true class is
    the likeliest one after calibration, None for a class not seen before. `arg_max`: the same by
    the method's own score, without calibration. `batch` is the step of a timeline.
    """

    label: str
    score: float
    probability: float
    verdict: str
    right: bool | None
    batch: int = 0
    arg_max: bool = False


Figures = dict[str, float | Interval | None]
"""Numbers by the names that `evaluate --json` gives them; None for an undefined percent or
interval.
"""


def only_spam_and_ham(labels: Iterable[str]) -> bool:
    return set(labels) <= {SPAM, HAM}


class Trial:
    """Runs a protocol. `spam_or_ham`: True to classify spam, False to predict any class."""

    def __init__(self, spam_or_ham: bool) -> None:
        self.spam_or_ham = spam_or_ham

    def online(self, model: Model, cases: Iterable[Case]) -> Iterator[ScoredCase]:
        for case in cases:
            yield from self.judge(model, [case])
            learn_all(model, [case])

    def timeline(
        self, model: Model, cases: Iterable[Case], size: int = BATCH
    ) -> Iterator[ScoredCase]:
        """Score each batch but the first by all batches before it."""
        rest = iter(cases)
        batch = 0
        while several := list(islice(rest, size)):
            if batch:
                yield from self.judge(model, several, batch)
            learn_all(model, several)
            batch += 1

    def judge(self, model: Model, cases: Sequence[Case], batch: int = 0) -> Iterator[ScoredCase]:
        if self.spam_or_ham:
            return _judge_spam(model, cases, batch)
        return _judge_classes(model, cases, batch)

    def classifying(
        self, model: Model, cases: Sequence[Case], at_once: int
    ) -> Generator[int, None, list[ScoredCase]]:
        """Run `judge` in chunks of `at_once` messages, and yield their numbers."""
        found = list[ScoredCase]()
        for first in range(0, len(cases), at_once):
            found += self.judge(model, cases[first : first + at_once])
            yield len(found) - first
        return found

    def figures(self, outcomes: Sequence[ScoredCase]) -> Figures:
        figures = _figures_of_spam(outcomes) if self.spam_or_ham else _figures_of_classes(outcomes)
        return {"reported": len(outcomes)} | figures


def _figures_of_spam(outcomes: Sequence[ScoredCase]) -> Figures:
    """Return the proportions of a trial; the calibration error is that of its later half."""
    scores = np.array([outcome.score for outcome in outcomes], np.float64)
    spam = np.array([outcome.label == SPAM for outcome in outcomes], np.bool_)
    found: Figures = {"one_minus_auc_percent": percent(one_minus_auc(scores, spam))}
    for name, share in (("0_1", 0.001), ("1", 0.01)):
        missed = false_negative_rate_at(scores, spam, share)
        found[f"fn_percent_at_fp_{name}"] = percent(missed)
        found[f"fn_interval_at_fp_{name}"] = interval(missed, int(spam.sum()))

    probabilities = np.array([outcome.probability for outcome in outcomes], np.float64)
    known = np.flatnonzero(~np.isnan(probabilities))
    later = known[len(known) // 2 :]
    found["calibration_error_percent"] = percent(
        calibration_error(probabilities[later], spam[later])
    )

    verdicts = Counter((outcome.label, outcome.verdict) for outcome in outcomes)
    found["false_spam"] = verdicts[HAM, "spam"]
    found["missed_spam"] = verdicts[SPAM, "ham"]
    found["unsure_spam"] = verdicts[SPAM, "unsure"]
    found["unsure_ham"] = verdicts[HAM, "unsure"]
    return found


def _figures_of_classes(outcomes: Sequence[ScoredCase]) -> Figures:
    """Return the accuracy, averaged over the steps of a timeline, without unseen classes."""
    batches: dict[int, list[bool]] = {}
    for outcome in outcomes:
        if outcome.right is not None:
            batches.setdefault(outcome.batch, []).append(outcome.right)
    shares = [sum(right) / len(right) for right in batches.values()]
    share = sum(shares) / len(shares) if shares else np.nan
    counted = sum(map(len, batches.values()))
    return {"accuracy_percent": percent(share), "accuracy_interval": interval(share, counted)}


def learning(model: Model, cases: Sequence[Case], at_once: int) -> Generator[int, None, None]:
    """Run `learn_all` in chunks of `at_once` messages, and yield their numbers."""
    for first in range(0, len(cases), at_once):
        chunk = cases[first : first + at_once]
        model.learn_many([case.sample for case in chunk], [case.label for case in chunk])
        yield len(chunk)
    for _ in model.cross_validating():
        yield 0


def learn_all(model: Model, cases: Iterable[Case]) -> None:
    """Learn messages in order, then cross-validate the first ones if that is pending."""
    several = list(cases)
    drain(learning(model, several, max(1, len(several))))


def _judge_spam(model: Model, cases: Sequence[Case], batch: int) -> Iterator[ScoredCase]:
    log_odds = model.log_odds(model.rows([case.sample for case in cases]))
    scores = log_odds.tolist()
    probabilities = model.probabilities(log_odds).tolist()
    verdicts = model.verdicts(log_odds)
    for case, score, probability, place in zip(cases, scores, probabilities, verdicts, strict=True):
        is_spam = case.label == SPAM
        yield ScoredCase(
            label=case.label,
            score=score,
            probability=probability,
            verdict=VERDICTS[place],
            right=(probability > 0.5) == is_spam,
            batch=batch,
            arg_max=(score > 0) == is_spam,
        )


def _judge_classes(model: Model, cases: Sequence[Case], batch: int) -> Iterator[ScoredCase]:
    samples = [case.sample for case in cases]
    chances = model.class_log_chances(samples)
    by_score = chances
    if {SPAM, HAM} <= set(model.counts.classes):
        by_score = model.class_log_chances(samples, calibrated=False)
    for case, row, uncalibrated in zip(cases, chances, by_score, strict=True):
        own = model.counts.row(case.label)
        if own is None:
            yield ScoredCase(case.label, -np.inf, np.nan, "unsure", None, batch)
            continue
        others = np.delete(row, own)
        likeliest = int(row.argmax())
        yield ScoredCase(
            label=case.label,
            score=float(row[own] - others.max()) if len(others) else 0.0,
            probability=math.exp(row[own]),
            verdict=model.counts.classes[likeliest],
            right=likeliest == own,
            batch=batch,
            arg_max=bool(uncalibrated.argmax() == own),
        )
