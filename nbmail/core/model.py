"""The model: a vocabulary, counts, and what a method makes of them.

The model is a fold over (sample, label) pairs in the order in which the labels were given. `counts` depend only on
which pairs there are; `corrections` and `held_out` also on their order. So:

* `learn` at the end of the order is always exact;
* `unlearn` with the `Step` of the latest `learn` takes it back exactly;
* `unlearn` of anything else leaves the counts exact and sets `settled` to False: the owner of the labels then folds
  them anew (`fresh()`, learn all, swap), which one pass over all labelled samples does.

Everything learned is whole numbers (corrections in units of `UNIT`), so that taking back is exact and a rebuild
comes out identical on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nbmail.core.counts import Counts
from nbmail.core.explanation import Contribution, Explanation
from nbmail.core.sample import FloatArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.verdict import Costs

JUNK, GOOD = "junk", "good"


@dataclass(frozen=True, slots=True)
class Step:
    """What one `learn` did besides counting, enough to take it back. `log_odds` is the score before learning."""

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

    def __init__(self, vocabulary: Vocabulary | None = None, method: str = "balanced") -> None:
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self.method = method
        self.counts = Counts()
        self.costs = Costs()
        self.settled = True

    def fresh(self) -> Model:
        """An empty model over the same vocabulary with the same settings."""
        model = Model(self.vocabulary, self.method)
        model.costs = self.costs
        return model

    def learn(self, sample: Sample, label: str) -> Step:
        """Learn that this message is of this class; the step holds its score from before."""
        score = float(self.log_odds(WordRows.join([sample.words]))[0])
        self.counts.learn(sample, label)
        return Step(score)

    def unlearn(self, sample: Sample, label: str, step: Step | None = None) -> None:
        """Forget it. Exact if `step` is that of the latest `learn`; else see the module's text."""
        self.counts.unlearn(sample, label)
        self.settled = self.settled and step is not None

    def keep(self) -> Learned:
        """What to store beside the counts."""
        return Learned(np.zeros((0, 0), np.int64), np.zeros(0), np.zeros(0, bool))

    def restore(self, counts: Counts, learned: Learned) -> None:
        """Take up what was kept."""
        self.counts = counts

    def log_odds(self, rows: WordRows) -> FloatArray:
        """Uncalibrated log-odds of junk, for many messages at once."""
        if len(rows) == 0:
            return np.zeros(0)
        weights = self._weights(int(rows.words.max(initial=0)) + 1)
        taken = np.append(weights[rows.words], 0.0)
        sums = np.add.reduceat(taken, rows.starts[:-1])
        return np.where(np.diff(rows.starts) > 0, sums, 0.0)

    def probabilities(self, log_odds: FloatArray) -> FloatArray:
        """Calibrated probabilities of junk; NaN everywhere until each class has enough held-out scores."""
        return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700, 700)))

    @property
    def calibrated(self) -> bool:
        """Whether each class has enough held-out scores for an honest probability."""
        return False

    def verdicts(self, log_odds: FloatArray) -> Any:
        """Indexes into `verdict.VERDICTS` by least expected cost; all unsure while a class has no example."""
        if len(self.counts.classes) < 2 or min(self.counts.messages[:2]) == 0:
            return np.zeros(len(log_odds), np.int8)
        p = self.probabilities(log_odds)
        return np.where(p > 0.99, 2, np.where(p < 0.5, 1, 0)).astype(np.int8)

    def explain(self, sample: Sample, strongest: int = 12) -> Explanation:
        """Take the sample's score apart."""
        weights = self._weights(int(sample.words.max(initial=0)) + 1)[sample.words]
        order = np.argsort(-np.abs(weights), kind="stable")
        shown = [self._contribution(int(sample.words[i]), float(weights[i])) for i in order[:strongest]]
        weaker = float(weights[order[strongest:]].sum())
        total = float(sum(one.contribution for one in shown) + weaker)
        verdict = ("unsure", "good", "junk")[int(self.verdicts(np.array([total]))[0])]
        return Explanation(
            JUNK, GOOD, 0.0, tuple(shown), max(0, len(order) - strongest), weaker, 0.0, total, None, verdict
        )

    def _contribution(self, number: int, weight: float) -> Contribution:
        word = self.vocabulary.word(number)
        junk, good = (self._documents(label, number + 1)[number] for label in (JUNK, GOOD))
        place = word.partition(":")[0] if ":" in word else "body"
        return Contribution(word, place, int(junk), int(good), weight, 0.0, weight)

    def _documents(self, label: str, size: int) -> LongArray:
        found = np.zeros(size, np.int64)
        if label in self.counts.classes:
            row = self.counts.documents[self.counts.classes.index(label)][:size]
            found[: len(row)] = row
        return found

    def _weights(self, size: int) -> FloatArray:
        junk, good = self._documents(JUNK, size), self._documents(GOOD, size)
        messages = dict(zip(self.counts.classes, self.counts.messages, strict=True))
        seen = junk + good > 0
        ratio = np.log((junk + 0.1) / (messages.get(JUNK, 0) + 0.2)) - np.log(
            (good + 0.1) / (messages.get(GOOD, 0) + 0.2)
        )
        return np.where(seen, ratio, 0.0) / 10.0
