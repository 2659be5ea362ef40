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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, LongArray, Sample, Vocabulary
from nbmail.core.judging.calibration import Calibration
from nbmail.core.judging.predictor import GOOD, JUNK, Predictor
from nbmail.core.methods import registry

__all__ = ["GOOD", "JUNK", "LearnedTables", "Model", "ModelContent", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one `learn` did besides counting, enough to take it back. `log_odds` is the score before learning.

    The first of `details` says whether the score was kept for calibration; the others are the method's.
    """

    log_odds: float
    details: tuple[int, ...] = ()


@dataclass(slots=True)
class LearnedTables:
    """What is learned beside the counts, for the store to keep: arrays by class and word, held-out scores.

    `corrections` has one row a class and one column a word. `method` is the one that learned it, empty where that is
    known to be the method in use.
    """

    corrections: LongArray
    held_out_scores: FloatArray
    held_out_junk: Any
    method: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ModelContent:
    """All that a model knows, over its vocabulary: to be kept, or handed to another model."""

    counts: Counts
    learned: LearnedTables

    @classmethod
    def nothing(cls) -> ModelContent:
        """What a model knows that has learned nothing."""
        return cls(Counts(), LearnedTables(np.zeros((0, 0), np.int64), np.zeros(0), np.zeros(0, bool)))

    @classmethod
    def of(cls, model: Model) -> ModelContent:
        """What this model knows now: a copy that doesn't change with it."""
        counts, used = model.counts, len(np.trim_zeros(model.counts.holders, "b"))
        tables = (counts.documents[:, :used], counts.occurrences[:, :used])
        return cls(Counts.build(counts.classes, counts.messages, *tables, counts.measures), model.keep())


class Model(Predictor):
    """Scores samples and learns labels. Not thread-safe: the engine owns it."""

    def __init__(self, vocabulary: Vocabulary | None = None, method: str = registry.DEFAULT) -> None:
        super().__init__(vocabulary, method)
        self.settled = True

    def fresh(self) -> Model:
        """An empty model over the same vocabulary with the same settings."""
        model = Model(self.vocabulary, self.method)
        model.costs = self.costs
        return model

    def learn(self, sample: Sample, label: str) -> Step:
        """Learn that this message is of this class; the step holds its score from before."""
        return self.learn_many([sample], [label])[0]

    def learn_many(self, samples: Sequence[Sample], labels: Sequence[str]) -> list[Step]:
        """Learn one after the other, which is quicker together: what alone they would give comes out."""
        steps: list[Step] = []
        while len(steps) < len(samples):
            part = slice(len(steps), self._run_end(labels, len(steps)))
            steps += self._learn_run(samples[part], labels[part])
        return steps

    def _run_end(self, labels: Sequence[str], first: int) -> int:
        """Up to where messages can be learned together: a class's first message is one alone."""
        empty = {label for label in set(labels[first:]) if not self._fewest(label, label)}
        ends = (place for place, label in enumerate(labels[first:], first) if label in empty)
        return max(next(ends, len(labels)), first + 1) if empty else len(labels)

    def _learn_run(self, samples: Sequence[Sample], labels: Sequence[str]) -> list[Step]:
        held_out = self._fewest() > 0
        run = self._method.learn_run(self.counts, samples, labels) if self._fewest(labels[0], labels[0]) else None
        if run is None:
            return list(map(self._learn_one, samples, labels))
        if held_out:
            self._calibration.learn_many(run.log_odds, np.array([label == JUNK for label in labels]))
        flag = (int(held_out),)
        return [Step(log_odds, flag + own) for log_odds, own in zip(run.log_odds.tolist(), run.details, strict=True)]

    def _learn_one(self, sample: Sample, label: str) -> Step:
        pair = self._pair(JUNK, GOOD)
        if pair is None:
            log_odds = float(self._alone(self.rows([sample]))[0])
        else:
            log_odds = self._method.shares(self.counts, pair, sample).log_odds
        held_out = label in (JUNK, GOOD) and self._fewest() > 0
        details = self._method.learn(self.counts, sample, label)
        self.counts.learn(sample, label)
        if held_out:
            self._calibration.learn_many(np.array([log_odds]), np.array([label == JUNK]))
        return Step(log_odds, (int(held_out), *details))

    def unlearn(self, sample: Sample, label: str, step: Step | None = None) -> None:
        """Forget it. Exact if `step` is that of the latest `learn`; else see the module's text."""
        self.counts.unlearn(sample, label)
        held_out, details = (step.details[0], step.details[1:]) if step and step.details else (0, None)
        exact = self._method.unlearn(self.counts, sample, label, details)
        if held_out:
            self._calibration.unlearn_latest()
        self.settled = self.settled and exact and details is not None

    def keep(self) -> LearnedTables:
        """What to store beside the counts."""
        return LearnedTables(self._method.keep(), self._calibration.scores, self._calibration.junk, self.method)

    def restore(self, counts: Counts, learned: LearnedTables) -> None:
        """Take up what was kept. `settled` is False where a method needs more than that: fold the labels anew.

        What another method learned means nothing here, corrections and scores alike: of that only the counts are taken.
        """
        if learned.method not in ("", self.method):
            learned = LearnedTables(np.zeros((0, 0), np.int64), np.zeros(0), np.zeros(0, np.bool_))
        self.counts = counts
        self._calibration = Calibration(learned.held_out_scores, learned.held_out_junk)
        self.settled = self._method.restore(counts, learned.corrections)
