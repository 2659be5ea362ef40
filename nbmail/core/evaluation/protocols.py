"""How good is a method on given mail? Three protocols, all of which score a message before they learn it.

* online: score, then learn, in order: what a user meets who marks everything at once.
* timeline: learn the first 100 k messages, test the next 100, for every k; messages of classes not seen before don't
  count (Bekkerman, McCallum and Huang 2004, report IR-418).
* split: learn the first part, let the second choose the method, look at the last once (the golden rule).

The score of a message is its log-odds of junk; with other classes, those of its own class against the likeliest other:
above zero it was put where it belongs.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.core.evaluation.ranking import calibration_error, missed_at, one_minus_auc
from nbmail.core.judging.model import GOOD, JUNK, Model
from nbmail.core.judging.verdict import VERDICTS
from nbmail.pieces import drain

BATCH = 100
"""Messages of a timeline's step."""


@dataclass(frozen=True, slots=True)
class Case:
    """A message and the class it belongs to."""

    label: str
    sample: Sample


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """What was said of one message before its label was known.

    `probability`, of junk, is NaN and `verdict` unsure where nothing can be promised; with other classes it is that
    of the message's own class, and the verdict is the class the message was put into. `right` is None for a message
    of a class not seen before, which nobody can put right. `batch` is the step of a timeline.
    """

    label: str
    score: float
    probability: float
    verdict: str
    right: bool | None
    batch: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run comes to, in percent: of junk against good mail, or `accuracy` alone of other classes.

    `calibration_error` is that of the later half of the messages that had a probability. `false_junk` is good mail
    called junk, `missed_junk` junk called good; what was left unsure is counted apart. `accuracy` is of other
    classes: the mean over the steps of a timeline, of all messages that count in the other protocols.
    """

    reported: int
    one_minus_auc: float | None = None
    missed_at_0_1: float | None = None
    missed_at_1: float | None = None
    calibration_error: float | None = None
    false_junk: int | None = None
    missed_junk: int | None = None
    unsure_junk: int | None = None
    unsure_good: int | None = None
    accuracy: float | None = None
    of_junk: bool = True


def only_junk_and_good(labels: Iterable[str]) -> bool:
    """Whether it is junk against good mail, not the sorting into other classes."""
    return set(labels) <= {JUNK, GOOD}


class Trial:
    """Runs a protocol. `junk_or_good` says what is asked: is it junk, or which class is it."""

    def __init__(self, junk_or_good: bool) -> None:
        self.junk_or_good = junk_or_good

    def online(self, model: Model, cases: Iterable[Case]) -> Iterator[ScoredCase]:
        """Score each message, then learn it."""
        for case in cases:
            yield from self.judge(model, [case])
            learn_all(model, [case])

    def timeline(self, model: Model, cases: Iterable[Case], size: int = BATCH) -> Iterator[ScoredCase]:
        """Score each batch but the first by all batches before it."""
        rest = iter(cases)
        batch = 0
        while several := list(islice(rest, size)):
            if batch:
                yield from self.judge(model, several, batch)
            learn_all(model, several)
            batch += 1

    def split(
        self,
        models: Iterable[Model],
        cases: Sequence[Case],
        learn: int,
        choose: int,
        tried: Callable[[Model, Sequence[ScoredCase]], None] = lambda model, outcomes: None,
    ) -> tuple[Model, list[ScoredCase]]:
        """Learn the first messages, choose the model that does best on the next and let it learn those, judge the rest.

        The models come one by one, so that only the best and the next are held in memory. `tried` is told of each.
        """
        second, last = learn, learn + choose
        best, highest = None, -np.inf
        for model in models:
            learn_all(model, cases[:second])
            outcomes = list(self.judge(model, cases[second:last]))
            tried(model, outcomes)
            merit = self._merit(outcomes)
            if best is None or merit > highest:
                best, highest = model, merit
        if best is None:
            raise ValueError("no model to choose")
        learn_all(best, cases[second:last])
        return best, list(self.judge(best, cases[last:]))

    def judge(self, model: Model, cases: Sequence[Case], batch: int = 0) -> Iterator[ScoredCase]:
        """What the model says of these messages now."""
        yield from (_judge_junk if self.junk_or_good else _judge_classes)(model, cases, batch)

    def figures(self, outcomes: Sequence[ScoredCase]) -> Figures:
        """What the outcomes come to."""
        if not self.junk_or_good:
            return Figures(len(outcomes), accuracy=_percent(_accuracy(outcomes)), of_junk=False)
        scores = np.array([outcome.score for outcome in outcomes], np.float64)
        junk = np.array([outcome.label == JUNK for outcome in outcomes], np.bool_)
        probabilities = np.array([outcome.probability for outcome in outcomes], np.float64)
        known = np.flatnonzero(~np.isnan(probabilities))
        later = known[len(known) // 2 :]
        verdicts = Counter((outcome.label, outcome.verdict) for outcome in outcomes)
        return Figures(
            reported=len(outcomes),
            one_minus_auc=_percent(one_minus_auc(scores, junk)),
            missed_at_0_1=_percent(missed_at(scores, junk, 0.001)),
            missed_at_1=_percent(missed_at(scores, junk, 0.01)),
            calibration_error=_percent(calibration_error(probabilities[later], junk[later])),
            false_junk=verdicts[GOOD, "junk"],
            missed_junk=verdicts[JUNK, "good"],
            unsure_junk=verdicts[JUNK, "unsure"],
            unsure_good=verdicts[GOOD, "unsure"],
        )

    def _merit(self, outcomes: Sequence[ScoredCase]) -> float:
        figures = self.figures(outcomes)
        merit = figures.accuracy if figures.one_minus_auc is None else -figures.one_minus_auc
        return -np.inf if merit is None else merit


def learn_all(model: Model, cases: Iterable[Case]) -> None:
    """Learn messages in their order, and score the first anew where that is due."""
    several = list(cases)
    model.learn_many([case.sample for case in several], [case.label for case in several])
    drain(model.cross_validating())


def _judge_junk(model: Model, cases: Sequence[Case], batch: int) -> Iterator[ScoredCase]:
    scores = model.log_odds(model.rows([case.sample for case in cases]))
    columns = zip(cases, scores.tolist(), model.probabilities(scores).tolist(), model.verdicts(scores), strict=True)
    for case, score, probability, place in columns:
        verdict = VERDICTS[place]
        yield ScoredCase(case.label, score, probability, verdict, verdict == case.label, batch)


def _judge_classes(model: Model, cases: Sequence[Case], batch: int) -> Iterator[ScoredCase]:
    chances = model.class_log_chances([case.sample for case in cases])
    for case, row in zip(cases, chances, strict=True):
        own = model.counts.row(case.label)
        if own is None:
            yield ScoredCase(case.label, -np.inf, np.nan, "unsure", None, batch)
            continue
        others = np.delete(row, own)
        margin = float(row[own] - others.max()) if len(others) else 0.0
        place = int(row.argmax())
        yield ScoredCase(case.label, margin, math.exp(row[own]), model.counts.classes[place], place == own, batch)


def _accuracy(outcomes: Sequence[ScoredCase]) -> float:
    """The share put right among those that count, as the mean over batches."""
    batches: dict[int, list[bool]] = {}
    for outcome in outcomes:
        if outcome.right is not None:
            batches.setdefault(outcome.batch, []).append(outcome.right)
    shares = [sum(right) / len(right) for right in batches.values()]
    return sum(shares) / len(shares) if shares else np.nan


def _percent(share: float) -> float | None:
    return None if np.isnan(share) else 100.0 * share
