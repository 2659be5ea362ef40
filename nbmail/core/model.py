"""The model: a vocabulary, counts, and what a method makes of them.

The model is a fold over (sample, label) pairs in the order in which the labels were given. `counts` depend only on
which pairs there are; corrections and held-out scores also on their order. So:

* `learn` at the end of the order is always exact;
* `unlearn` with the `Step` of the latest `learn` takes it back exactly;
* `unlearn` of anything else leaves the counts exact and sets `settled` to False: the owner of the labels then folds
  them anew (`fresh()`, learn all, swap), which one pass over all labelled samples does.

Everything learned is whole numbers, so that taking back is exact and a rebuild comes out identical on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nbmail.core import verdict as verdicts
from nbmail.core.calibration import ENOUGH, Calibration
from nbmail.core.counts import Counts
from nbmail.core.explaining import Telling
from nbmail.core.explanation import Explanation
from nbmail.core.methods import registry
from nbmail.core.methods.method import Kept, Pair, Scorer, Shares
from nbmail.core.sample import FloatArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.turning import marks_to_turn, smallest_flip
from nbmail.core.verdict import VERDICTS, Costs, VerdictArray

JUNK, GOOD = "junk", "good"


@dataclass(frozen=True, slots=True)
class Step:
    """What one `learn` did besides counting, enough to take it back. `log_odds` is the score before learning.

    The first of `details` says whether the score was kept for calibration; the others are the method's.
    """

    log_odds: float
    details: tuple[int, ...] = ()


@dataclass(slots=True)
class Learned:
    """What is learned beside the counts, for the store to keep: arrays by class and word, held-out scores, scalars.

    `corrections` has one row a class and one column a word. `small` holds a few JSON values.
    """

    corrections: LongArray
    held_out_scores: FloatArray
    held_out_junk: Any
    small: dict[str, Any] = field(default_factory=dict)


class Model:
    """Scores samples and learns labels. Not thread-safe: the engine owns it."""

    def __init__(self, vocabulary: Vocabulary | None = None, method: str = registry.DEFAULT) -> None:
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self.method = method
        self.counts = Counts()
        self.costs = Costs()
        self.settled = True
        self._method = registry.create(method, self.vocabulary)
        self._calibration = Calibration()

    def fresh(self) -> Model:
        """An empty model over the same vocabulary with the same settings."""
        model = Model(self.vocabulary, self.method)
        model.costs = self.costs
        return model

    def learn(self, sample: Sample, label: str) -> Step:
        """Learn that this message is of this class; the step holds its score from before."""
        shares = self._shares(sample)
        log_odds = shares.log_odds if shares else float(self._alone(self.rows([sample]))[0])
        held_out = label in (JUNK, GOOD) and self._fewest() > 0
        details = self._method.learn(self.counts, sample, label, shares)
        self.counts.learn(sample, label)
        if held_out:
            self._calibration.learn(log_odds, label == JUNK)
        return Step(log_odds, (int(held_out), *details))

    def count(self, sample: Sample, label: str) -> None:
        """Count the message and leave the rest to the fold that must follow: a third of the time of learning."""
        self.counts.learn(sample, label)
        self.settled = False

    def unlearn(self, sample: Sample, label: str, step: Step | None = None) -> None:
        """Forget it. Exact if `step` is that of the latest `learn`; else see the module's text."""
        self.counts.unlearn(sample, label)
        held_out, details = (step.details[0], step.details[1:]) if step and step.details else (0, None)
        exact = self._method.unlearn(self.counts, sample, label, details)
        if held_out:
            self._calibration.unlearn_latest()
        self.settled = self.settled and exact and details is not None

    def keep(self) -> Learned:
        """What to store beside the counts."""
        kept = self._method.keep()
        return Learned(kept.corrections, self._calibration.scores, self._calibration.junk, kept.small)

    def restore(self, counts: Counts, learned: Learned) -> None:
        """Take up what was kept. `settled` is False where a method needs more than that: fold the labels anew."""
        self.counts = counts
        self._calibration = Calibration(learned.held_out_scores, learned.held_out_junk)
        self.settled = self._method.restore(counts, Kept(learned.corrections, learned.small))

    def rows(self, samples: list[Sample]) -> WordRows:
        """Lay samples end to end with as much of their evidence as the method wants."""
        if self._method.wants_occurrences or self._method.wants_measures:
            return WordRows.of(samples)
        return WordRows.join([sample.words for sample in samples])

    def log_odds(self, rows: WordRows) -> FloatArray:
        """Uncalibrated log-odds of junk, for many messages at once; for ranking alone while one class was never met."""
        pair = self._pair(JUNK, GOOD)
        return self._alone(rows) if pair is None else self._method.odds(self.counts, pair, rows)

    def scorer(self) -> Scorer:
        """`log_odds` for one piece of a mailbox after another, until the model changes: weights are derived once."""
        pair = self._pair(JUNK, GOOD)
        return self._alone if pair is None else self._method.scorer(self.counts, pair)

    def class_scores(self, rows: WordRows) -> FloatArray:
        """A score for each message (row) and class (column, as in `counts.classes`); the highest is the class."""
        return self._method.scores(self.counts, rows)

    def probabilities(self, log_odds: FloatArray) -> FloatArray:
        """Calibrated probabilities of junk; NaN everywhere until each class has enough held-out scores."""
        if not self.calibrated:
            return np.full(len(log_odds), np.nan)
        return verdicts.to_probabilities(self._calibration.apply(log_odds))

    @property
    def calibrated(self) -> bool:
        """Whether each class has enough held-out scores for an honest probability."""
        return self._calibration.ready

    @property
    def held_out(self) -> tuple[int, int]:
        """How many held-out scores calibration rests on: of junk, of good mail."""
        return self._calibration.held_out

    def verdicts(self, log_odds: FloatArray) -> VerdictArray:
        """Places in `verdict.VERDICTS` by least expected cost; all unsure while a class has no example."""
        fewest = self._fewest()
        if fewest == 0:
            return np.zeros(len(log_odds), np.int8)
        honest = self._calibration.apply(log_odds) if self.calibrated else verdicts.cautious(log_odds, fewest, ENOUGH)
        return verdicts.judge(verdicts.to_probabilities(honest), self.costs)

    def explain(self, sample: Sample, strongest: int = 12, wanted: str = JUNK, other: str = GOOD) -> Explanation:
        """Take the sample's score apart, between junk and good mail or any two classes."""
        pair = self._pair(wanted, other)
        if pair is None:
            return self._explain_alone(sample, wanted, other)
        shares = self._method.shares(self.counts, pair, sample)
        parts = Telling(sample, shares, self.counts, self.vocabulary, pair).parts(strongest)
        honest, probability = self._honest(shares.log_odds, wanted, other)
        return Explanation(
            wanted=wanted,
            other=other,
            prior=shares.prior,
            contributions=parts.shown,
            weaker_count=parts.weaker_count,
            weaker=parts.weaker,
            calibration=honest - shares.log_odds,
            log_odds=honest,
            probability=probability,
            verdict=self._verdict(shares.log_odds, wanted, other),
            alike=self._calibration.alike(shares.log_odds) if (wanted, other) == (JUNK, GOOD) else (0, 0),
            flip_without=self._flip_without(sample, shares, wanted, other),
            marks_to_flip=self._marks_to_flip(sample, shares, wanted, other),
        )

    def _explain_alone(self, sample: Sample, wanted: str, other: str) -> Explanation:
        """Nothing to compare with: the words are summed up, there is no verdict."""
        sign = {(JUNK, GOOD): 1.0, (GOOD, JUNK): -1.0}.get((wanted, other), 0.0)
        total = sign * float(self._alone(self.rows([sample]))[0])
        words = len(sample.words) if total else 0
        return Explanation(wanted, other, 0.0, (), words, total, 0.0, total, None, "unsure")

    def _pair(self, wanted: str, other: str) -> Pair | None:
        rows = self.counts.row(wanted), self.counts.row(other)
        return None if rows[0] is None or rows[1] is None else (rows[0], rows[1])

    def _alone(self, rows: WordRows) -> FloatArray:
        """Log-odds while at most one of junk and good mail was met."""
        for label, sign in ((JUNK, 1.0), (GOOD, -1.0)):
            row = self.counts.row(label)
            if row is not None:
                return sign * self._method.alone(self.counts, row, rows)
        return np.zeros(len(rows))

    def _shares(self, sample: Sample) -> Shares | None:
        pair = self._pair(JUNK, GOOD)
        return None if pair is None else self._method.shares(self.counts, pair, sample)

    def _fewest(self, wanted: str = JUNK, other: str = GOOD) -> int:
        """How many examples the smaller of two classes has."""
        pair = self._pair(wanted, other)
        return 0 if pair is None else min(self.counts.messages[row] for row in pair)

    def _honest(self, log_odds: float, wanted: str, other: str) -> tuple[float, float | None]:
        """Calibrated log-odds and probability; as given and None where there is no calibration."""
        if (wanted, other) != (JUNK, GOOD) or not self.calibrated:
            return log_odds, None
        honest = self._calibration.apply(np.array([log_odds]))
        return float(honest[0]), float(verdicts.to_probabilities(honest)[0])

    def _verdict(self, log_odds: float, wanted: str, other: str) -> str:
        """By cost between junk and good mail; between other classes simply the likelier."""
        if (wanted, other) == (JUNK, GOOD):
            return VERDICTS[int(self.verdicts(np.array([log_odds]))[0])]
        if self._fewest(wanted, other) == 0 or log_odds == 0:
            return "unsure"
        return wanted if log_odds > 0 else other

    def _verdict_of(self, sample: Sample, wanted: str, other: str) -> str:
        pair = self._pair(wanted, other)
        assert pair is not None
        return self._verdict(self._method.shares(self.counts, pair, sample).log_odds, wanted, other)

    def _flip_without(self, sample: Sample, shares: Shares, wanted: str, other: str) -> tuple[str, ...]:
        now = self._verdict(shares.log_odds, wanted, other)
        places = smallest_flip(sample, shares.contributions, lambda cut: self._verdict_of(cut, wanted, other) != now)
        return tuple(self.vocabulary.word(int(number)) for number in sample.words[places])

    def _marks_to_flip(self, sample: Sample, shares: Shares, wanted: str, other: str) -> int | None:
        """Marks are tried out on the counts themselves and taken back exactly."""
        now = self._verdict(shares.log_odds, wanted, other)
        if self._fewest(wanted, other) == 0:
            return None
        toward = other if now == wanted or (now == "unsure" and shares.log_odds < 0) else wanted
        done: list[tuple[int, ...]] = []

        def mark() -> None:
            done.append(self._method.learn(self.counts, sample, toward, self._shares(sample)))
            self.counts.learn(sample, toward)

        try:
            return marks_to_turn(mark, lambda: self._verdict_of(sample, wanted, other) != now)
        finally:
            for details in reversed(done):
                self.counts.unlearn(sample, toward)
                self._method.unlearn(self.counts, sample, toward, details)
