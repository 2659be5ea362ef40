"""Model: a vocabulary, counts, and the state of a method.

A model is a function of (sample, label) pairs in learning order. `counts` depend only on the pairs, corrections and
held-out scores on their order as well:

* `learn` at the end of the order is exact.
* `unlearn` with the `LearnRecord` of the latest `learn` is exact.
* Any other `unlearn` keeps the counts exact and sets `is_exact` to False. The owner of the labels then rebuilds the
  model: `fresh()`, learn all, replace.
* If `needs_rescoring`, `cross_validating` scores the first labels by models that left them out.

Counts and corrections are integers, so that a rebuild is identical on any machine.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.methods import registry
from nbmail.core.methods.method import Run
from nbmail.core.scoring.calibration import HeldOut
from nbmail.core.scoring.held_out_scores import MOST, NEVER, HeldOutScores, cross_validating, latest_due, with_own_words
from nbmail.core.scoring.predictor import Predictor
from nbmail.method_spec import DEFAULT
from nbmail.values import GOOD, JUNK


class LearnRecord(NamedTuple):
    """Data to undo one `learn`. `log_odds`: score before. `undo_data`: 1 for junk or good mail, then the method's."""

    log_odds: float
    undo_data: tuple[int, ...] = ()


@dataclass(slots=True)
class LearnedTables:
    """Learned state besides counts, to be stored.

    `corrections` has one row for each class and one column for each word. `method`: empty for the method in use.
    `cross_validated`: number of cross-validated scores, `NEVER` for imported ones.
    """

    corrections: LongArray
    held_out: HeldOut
    method: str = ""
    cross_validated: int = NEVER

    @classmethod
    def nothing(cls, cross_validated: int = 0) -> LearnedTables:
        return cls(np.zeros((0, 0), np.int64), HeldOut.none(), cross_validated=cross_validated)


@dataclass(frozen=True, slots=True, eq=False)
class ModelContent:
    """All that a model knows, over its vocabulary: to be kept, or handed to another model."""

    counts: Counts
    learned: LearnedTables

    @classmethod
    def nothing(cls) -> ModelContent:
        return cls(Counts(), LearnedTables.nothing())

    @classmethod
    def of(cls, model: Model) -> ModelContent:
        """Return a copy of the current content of a model."""
        counts, used = model.counts, len(np.trim_zeros(model.counts.holders, "b"))
        tables = (counts.documents[:, :used], counts.occurrences[:, :used])
        return cls(Counts.build(counts.classes, counts.messages, *tables, counts.measures), model.learned_tables())


class Model(Predictor):
    """Scores samples and learns labels. Not thread-safe: the engine owns it."""

    def __init__(self, vocabulary: Vocabulary | None = None, method: str = DEFAULT) -> None:
        super().__init__(vocabulary, method)
        self.is_exact = True
        # The first messages learned as junk or good mail, as long as folds may want them.
        self._first: list[tuple[Sample, str]] = []

    def fresh(self) -> Model:
        """Return an empty model over the same vocabulary with the same settings."""
        model = Model(self.vocabulary, self.method)
        model.costs, model.base_rate = self.costs, self.base_rate
        return model

    def word_parts(self, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return log-ratio and correction of each word; zeros while a class has no example."""
        pair = self._pair(JUNK, GOOD)
        if pair is None:
            return np.zeros(len(words)), np.zeros(len(words))
        return self._method.weights(self.counts, pair, words)

    @contextmanager
    def simulating(self, sample: Sample, label: str) -> Iterator[None]:
        """Inside, counts and method are as if this message had been learned as that; taken back exactly."""
        undo_data = self._method.learn(self.counts, sample, label)
        self.counts.learn(sample, label)
        try:
            yield
        finally:
            self.counts.unlearn(sample, label)
            self._method.unlearn(self.counts, sample, label, undo_data)

    def learn(self, sample: Sample, label: str, *, asked: bool = False) -> LearnRecord:
        """Learn that this message is of this class; the step holds its score from before."""
        return self.learn_many([sample], [label], [asked])[0]

    def learn_many(
        self, samples: Sequence[Sample], labels: Sequence[str], asked: Sequence[bool] | None = None
    ) -> list[LearnRecord]:
        """Learn messages in order, as `learn` does. The last argument flags those that active learning selected."""
        asked = [False] * len(samples) if asked is None else asked
        steps: list[LearnRecord] = []
        while len(steps) < len(samples):
            part = slice(len(steps), self._run_end(labels, len(steps)))
            steps += self._learn_run(samples[part], labels[part], asked[part])
        return steps

    def learn_without_scores(self, samples: Sequence[Sample], labels: Sequence[str]) -> None:
        """Learn without keeping scores: enough for a model that is only to score others."""
        done = 0
        while done < len(samples):
            part = slice(done, self._run_end(labels, done))
            done = part.stop
            if self._method_run(samples[part], labels[part]) is None:
                for sample, label in zip(samples[part], labels[part], strict=True):
                    self._method.learn(self.counts, sample, label)
                    self.counts.learn(sample, label)

    @property
    def needs_rescoring(self) -> bool:
        """True if cross-validation is pending, or a rebuild where the first messages are unknown."""
        return self._held_out.needs_rescoring

    def cross_validating(self) -> Generator[None, None, None]:
        """Score the first labels by models that left them out, in pieces, if that is due and nothing is unlearned."""
        if not self.needs_rescoring:
            return
        first = self._first[: latest_due(len(self._held_out))]
        if len(first) < latest_due(len(self._held_out)):
            raise ValueError("the first messages are not known any more")
        texts = self.vocabulary if registry.reads_words(self.method) else None
        samples, vocabulary = with_own_words([sample for sample, _ in first], texts)
        labels = [label for _, label in first]
        junk = np.array([label == JUNK for label in labels], np.bool_)
        scores = yield from cross_validating(lambda: Model(vocabulary, self.method), samples, labels, junk)
        self._held_out.set_cross_validated(scores)

    def comparable_scores(self, rows: WordRows) -> FloatArray | None:
        return self.log_odds(rows) if self._fewest() else None

    def _run_end(self, labels: Sequence[str], first: int) -> int:
        """Up to where messages can be learned together: a class's first message is one alone."""
        empty = {label for label in set(labels[first:]) if not self._fewest(label, label)}
        ends = (place for place, label in enumerate(labels[first:], first) if label in empty)
        return max(next(ends, len(labels)), first + 1) if empty else len(labels)

    def _method_run(self, samples: Sequence[Sample], labels: Sequence[str]) -> Run | None:
        known = self._fewest(labels[0], labels[0])
        return self._method.learn_run(self.counts, samples, labels) if known else None

    def _learn_run(self, samples: Sequence[Sample], labels: Sequence[str], asked: Sequence[bool]) -> list[LearnRecord]:
        comparable = self._fewest() > 0
        run = self._method_run(samples, labels)
        if run is None:
            return list(map(self._learn_one, samples, labels, asked))
        self._keep_scores(run.log_odds if comparable else np.full(len(samples), np.nan), samples, labels, asked)
        return [
            LearnRecord(log_odds, (1, *own)) for log_odds, own in zip(run.log_odds.tolist(), run.undo_data, strict=True)
        ]

    def _learn_one(self, sample: Sample, label: str, asked: bool) -> LearnRecord:
        pair, comparable = self._pair(JUNK, GOOD), self._fewest() > 0
        if pair is None:
            log_odds = float(self._alone(self.rows([sample]))[0])
        else:
            log_odds = self._method.decompose(self.counts, pair, sample).log_odds
        undo_data = self._method.learn(self.counts, sample, label)
        self.counts.learn(sample, label)
        is_mail = label in (JUNK, GOOD)
        if is_mail:
            self._keep_scores(np.array([log_odds if comparable else np.nan]), [sample], [label], [asked])
        return LearnRecord(log_odds, (int(is_mail), *undo_data))

    def _keep_scores(
        self, scores: FloatArray, samples: Sequence[Sample], labels: Sequence[str], asked: Sequence[bool]
    ) -> None:
        """Scores from before learning messages that are junk or good mail."""
        if len(self._held_out) == len(self._first) and self._held_out.cross_validated != NEVER:
            self._first += list(zip(samples, labels, strict=True))[: MOST - len(self._first)]
        junk = np.array([label == JUNK for label in labels], np.bool_)
        self._held_out.append(scores, junk, np.array(asked, np.bool_))

    def unlearn(self, sample: Sample, label: str, step: LearnRecord | None = None) -> None:
        """Forget it. Exact if `step` is that of the latest `learn`; else see the module's text."""
        self.counts.unlearn(sample, label)
        is_mail, undo_data = (step.undo_data[0], step.undo_data[1:]) if step and step.undo_data else (0, None)
        exact = self._method.unlearn(self.counts, sample, label, undo_data)
        if is_mail:
            self._held_out.drop_latest()
            del self._first[len(self._held_out) :]
        self.is_exact = self.is_exact and exact and undo_data is not None

    def learned_tables(self) -> LearnedTables:
        """Return the state to store besides counts."""
        return LearnedTables(self._method.state(), self._held_out.all, self.method, self._held_out.cross_validated)

    def restore(self, counts: Counts, learned: LearnedTables) -> None:
        """Load stored state, without corrections and scores of another method. A needed rebuild clears `is_exact`."""
        if learned.method not in ("", self.method):
            learned = LearnedTables.nothing(NEVER)
        self.counts, self._first = counts, []
        of_junk = int(np.count_nonzero(learned.held_out.junk))
        junk, good = self._fewest(JUNK, JUNK) - of_junk, self._fewest(GOOD, GOOD) - len(learned.held_out) + of_junk
        self._held_out = HeldOutScores(learned.held_out, learned.cross_validated, (max(0, junk), max(0, good)))
        self.is_exact = self._method.restore(counts, learned.corrections)
