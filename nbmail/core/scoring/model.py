"""Model: a vocabulary, counts, the state of a method, and calibration.

A model is a function of (sample, label) pairs in learning order. `counts` depend only on the pairs,
corrections and held-out scores on their order as well:

* `learn` at the end of the order is exact.
* `unlearn` with the `LearnRecord` of the latest `learn` is exact.
* Any other `unlearn` keeps the counts exact and sets `is_exact` to False. The owner of the labels
  then rebuilds the
  model: `fresh()`, learn all, replace.
* If `held_out.needs_rescoring`, `cross_validating` scores the first labels by models that left them
  out.

Counts and corrections are integers, so that a rebuild is identical on any machine.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import (
    FloatArray,
    IntArray,
    LongArray,
    Sample,
    Vocabulary,
    WordRows,
)
from nbmail.core.methods.balanced import BALANCED
from nbmail.core.methods.method import MethodFactory, Run, Scorer, class_log_chances
from nbmail.core.scoring import calibration
from nbmail.core.scoring.calibration import NEVER, HeldOut, HeldOutScores, Line
from nbmail.core.scoring.explanation import Costs, VerdictArray, judge, to_probabilities
from nbmail.values import HAM, SPAM, VERDICTS

# Labels learned between two yields: about 2 ms.
_PIECE = 128


LearnRecord = tuple[int, ...]
"""Data of the method to undo one `learn`."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelContent:
    """State of a model over its vocabulary, to be stored or given to another model.

    `corrections` has one row for each class and one column for each word. `method`: empty for the
    method in use. `cross_validated`: number of cross-validated scores, `NEVER` for imported ones.
    """

    counts: Counts
    corrections: LongArray
    held_out: HeldOut
    method: str = ""
    cross_validated: int = NEVER

    @classmethod
    def of(cls, counts: Counts | None = None, cross_validated: int = 0) -> ModelContent:
        """Return counts, or nothing, without corrections and held-out scores."""
        return cls(
            counts or Counts(),
            np.zeros((0, 0), np.int64),
            HeldOut.none(),
            cross_validated=cross_validated,
        )


class Predictor:
    """Scores samples. Attributes to set: `costs`, `base_rate` of spam, `ignored` words without
    effect.
    """

    def __init__(
        self, vocabulary: Vocabulary | None = None, factory: MethodFactory = BALANCED
    ) -> None:
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self.factory = factory
        self.implementation = factory.create(self.vocabulary)
        self.counts = Counts()
        self.held_out = HeldOutScores(HeldOut.none())
        self.costs = Costs()
        self.base_rate = 0.5
        self.ignored: IntArray = np.zeros(0, np.int32)
        self._prior = (
            calibration.SHARED if self.implementation.has_shared_scale else calibration.MEASURED
        )

    @property
    def method(self) -> str:
        """The method with its parameters, as text."""
        return self.factory.text

    @property
    def calibrated(self) -> bool:
        return all(map(self.counts.messages_of, (SPAM, HAM)))

    def rows(self, samples: list[Sample]) -> WordRows:
        """Concatenate samples, with those parts of their evidence that the method uses."""
        if self.implementation.wants_occurrences or self.implementation.wants_measures:
            return WordRows.of(samples)
        return WordRows.join([sample.words for sample in samples])

    def log_odds(self, rows: WordRows) -> FloatArray:
        """Return uncalibrated log-odds of spam; usable only for ranking while a class was never
        learned.
        """
        pair = self.counts.pair(SPAM, HAM)
        rows = rows.without(self.ignored)
        return (
            self._alone(rows) if pair is None else self.implementation.odds(self.counts, pair, rows)
        )

    def scorer(self) -> Scorer:
        """Return `log_odds` as a function with weights that are computed once. Valid until the
        model changes.
        """
        pair = self.counts.pair(SPAM, HAM)
        scorer = self._alone if pair is None else self.implementation.scorer(self.counts, pair)
        return lambda rows: scorer(rows.without(self.ignored))

    def _alone(self, rows: WordRows) -> FloatArray:
        """Return log-odds while at most one of spam and good mail was learned."""
        for label, sign in ((SPAM, 1.0), (HAM, -1.0)):
            row = self.counts.row(label)
            if row is not None:
                # The sum turns -0.0 into 0.0.
                return sign * self.implementation.alone(self.counts, row, rows) + 0.0
        return np.zeros(len(rows))

    def class_log_chances(self, samples: list[Sample], *, calibrated: bool = True) -> FloatArray:
        """Return the logarithm of the probability of each class (column, as in `counts.classes`)
        for each sample (row).

        The ratio of spam to good mail is that of their calibrated probabilities. Without
        `calibrated` it comes from the scores, as all other ratios do.
        """
        # With more than two classes, occurrences count.
        rows = WordRows.of(samples) if len(self.counts.classes) > 2 else self.rows(samples)
        rows = rows.without(self.ignored)
        chances = class_log_chances(
            self.implementation.scores(self.counts, rows), self.counts.messages
        )
        pair = self.counts.pair(SPAM, HAM)
        if pair is not None and self.calibrated and calibrated:
            both = np.logaddexp(*chances.T[list(pair)])
            odds = self.calibrate(self.log_odds(rows))
            for row, sign in zip(pair, (-1, 1), strict=True):
                chances[:, row] = both - np.logaddexp(0.0, sign * odds)
        return chances

    def line(self) -> Line:
        return self.held_out.line(self._prior, self.base_rate)

    def calibrate(self, log_odds: FloatArray, base_rate: float | None = None) -> FloatArray:
        """Return calibrated log-odds at a base rate (default: the model's); unchanged while a class
        has no example.
        """
        share = self.base_rate if base_rate is None else base_rate
        return (
            calibration.shift_base_rate(self.line().log_odds(log_odds), share)
            if self.calibrated
            else log_odds
        )

    def probabilities(self, log_odds: FloatArray) -> FloatArray:
        """Return calibrated probabilities of spam; all NaN while a class has no example."""
        return (
            to_probabilities(self.calibrate(log_odds))
            if self.calibrated
            else np.full(len(log_odds), np.nan)
        )

    def verdicts(
        self, log_odds: FloatArray, class_chances: FloatArray | None = None
    ) -> VerdictArray:
        """Return indexes of `VERDICTS` by least expected cost; all unsure while a class has no
        example.

        With `class_chances`, a message is unsure instead of spam if a class of the user's own is
        likeliest.
        """
        found = judge(self.probabilities(log_odds), self.costs)
        if class_chances is not None:
            own = [row for row, label in enumerate(self.counts.classes) if label not in (SPAM, HAM)]
            is_own = np.isin(class_chances.argmax(axis=1), own)
            found[(found == VERDICTS.index(SPAM)) & is_own] = VERDICTS.index("unsure")
        return found

    def base_rate_among(self, log_odds: FloatArray, known: tuple[int, int]) -> float:
        """Return the share of spam among these scores and `known` spam and ham messages.

        After active learning the line depends on the base rate, so that two rounds are needed.
        """
        share = 0.5
        labels = sum(self.held_out.all.count())
        for _ in range(2):
            calibrated = self.held_out.line(self._prior, share).log_odds(log_odds)
            share = calibration.estimate_base_rate(calibrated, known, labels)
        return share

    def query_scores(self, log_odds: FloatArray) -> FloatArray:
        """Return scores for active learning: calibrated unless the method has the same scale in all
        mailboxes.
        """
        return log_odds if self.implementation.has_shared_scale else self.calibrate(log_odds, 0.5)


class Model(Predictor):
    """Scores samples and learns labels. Not thread-safe: the engine owns it."""

    def __init__(
        self, vocabulary: Vocabulary | None = None, factory: MethodFactory = BALANCED
    ) -> None:
        super().__init__(vocabulary, factory)
        self.is_exact = True
        # The first messages learned as spam or good mail, while cross-validation may need them.
        self._first: list[tuple[Sample, str]] = []

    def fresh(self) -> Model:
        """Return an empty model over the same vocabulary with the same settings."""
        model = Model(self.vocabulary, self.factory)
        model.costs = self.costs
        model.base_rate = self.base_rate
        return model

    def learn(self, sample: Sample, label: str, *, asked: bool = False) -> LearnRecord:
        """Learn that this message is of this class."""
        return self.learn_many([sample], [label], [asked])[0]

    def learn_many(
        self, samples: Sequence[Sample], labels: Sequence[str], asked: Sequence[bool] | None = None
    ) -> list[LearnRecord]:
        """Learn messages in order, as `learn` does. `asked`: True for those that active learning
        selected.
        """
        asked = [False] * len(samples) if asked is None else asked
        steps: list[LearnRecord] = []
        for part in self._parts(labels):
            calibrated = self.calibrated
            run = self._run(samples[part], labels[part])
            if run is None:
                steps += map(self._learn_one, samples[part], labels[part], asked[part])
                continue
            scores = run.log_odds if calibrated else np.full(len(run.log_odds), np.nan)
            self._keep_scores(scores, samples[part], labels[part], asked[part])
            steps += run.undo_data
        return steps

    def learn_without_scores(self, samples: Sequence[Sample], labels: Sequence[str]) -> None:
        """Learn without storing held-out scores: enough for a model that only scores others."""
        for part in self._parts(labels):
            if self._run(samples[part], labels[part]) is None:
                for sample, label in zip(samples[part], labels[part], strict=True):
                    self.implementation.learn(self.counts, sample, label)
                    self.counts.learn(sample, label)

    def _parts(self, labels: Sequence[str]) -> Iterator[slice]:
        """Yield the parts that can be learned together. The first message of a class is a part by
        itself.
        """
        first = 0
        while first < len(labels):
            empty = {label for label in set(labels[first:]) if not self.counts.messages_of(label)}
            ends = (place for place, label in enumerate(labels[first:], first) if label in empty)
            end = max(next(ends, len(labels)), first + 1) if empty else len(labels)
            yield slice(first, end)
            first = end

    def _run(self, samples: Sequence[Sample], labels: Sequence[str]) -> Run | None:
        known = self.counts.messages_of(labels[0])
        return self.implementation.learn_run(self.counts, samples, labels) if known else None

    def _learn_one(self, sample: Sample, label: str, asked: bool) -> LearnRecord:
        pair = self.counts.pair(SPAM, HAM)
        score = np.nan
        is_mail = label in (SPAM, HAM)
        if is_mail and self.calibrated and pair is not None:
            score = self.implementation.decompose(self.counts, pair, sample).log_odds
        step = self.implementation.learn(self.counts, sample, label)
        self.counts.learn(sample, label)
        if is_mail:
            self._keep_scores(np.array([score]), [sample], [label], [asked])
        return step

    def _keep_scores(
        self,
        scores: FloatArray,
        samples: Sequence[Sample],
        labels: Sequence[str],
        asked: Sequence[bool],
    ) -> None:
        """Store the scores that messages of spam and good mail had before they were learned."""
        if len(self.held_out) == len(self._first) and self.held_out.cross_validated != NEVER:
            self._first += list(zip(samples, labels, strict=True))[
                : calibration.MOST - len(self._first)
            ]
        spam = np.array([label == SPAM for label in labels], np.bool_)
        self.held_out.append(scores, spam, np.array(asked, np.bool_))

    def unlearn(self, sample: Sample, label: str, step: LearnRecord | None = None) -> None:
        """Revert `learn`. Exact if `step` is the record of the latest one; otherwise see the
        module's docstring.
        """
        self.counts.unlearn(sample, label)
        exact = self.implementation.unlearn(self.counts, sample, label, step)
        if step is not None and label in (SPAM, HAM):
            self.held_out.drop_latest()
            del self._first[len(self.held_out) :]
        self.is_exact = self.is_exact and exact and step is not None

    def cross_validating(self) -> Generator[None, None, None]:
        """Score the first labels by models that left them out, in chunks, if due. All their
        messages must be known.
        """
        if not self.held_out.needs_rescoring:
            return
        first = self._first[: calibration.latest_due(len(self.held_out))]
        if len(first) < calibration.latest_due(len(self.held_out)):
            raise ValueError("the first messages are not known any more")
        texts = self.vocabulary if self.implementation.reads_words else None
        samples, vocabulary = with_own_words([sample for sample, _ in first], texts)
        labels = [label for _, label in first]
        folds = calibration.deal([label == SPAM for label in labels])
        scores = np.full(len(samples), np.nan)
        for fold in range(int(folds.max(initial=-1)) + 1):
            kept = np.flatnonzero(folds != fold).tolist()
            left = np.flatnonzero(folds == fold).tolist()
            model = Model(vocabulary, self.factory)
            for start in range(0, len(kept), _PIECE):
                chunk = kept[start : start + _PIECE]
                model.learn_without_scores(
                    [samples[place] for place in chunk], [labels[place] for place in chunk]
                )
                yield
            if model.calibrated:
                scores[left] = model.log_odds(model.rows([samples[place] for place in left]))
            yield
        self.held_out.set_cross_validated(scores)

    def content(self) -> ModelContent:
        """Return a copy of everything to store."""
        state = self.implementation.state()
        held_out = self.held_out
        return ModelContent(
            self.counts.copy(), state, held_out.all, self.method, held_out.cross_validated
        )

    def restore(self, content: ModelContent) -> None:
        """Load stored content, of another method only the counts. `is_exact` is False if a rebuild
        is needed.
        """
        if content.method not in ("", self.method):
            content = ModelContent.of(content.counts, NEVER)
        self.counts = content.counts
        self._first = []
        of_spam = int(np.count_nonzero(content.held_out.spam))
        without_score = (
            max(0, self.counts.messages_of(SPAM) - of_spam),
            max(0, self.counts.messages_of(HAM) - len(content.held_out) + of_spam),
        )
        self.held_out = HeldOutScores(content.held_out, content.cross_validated, without_score)
        self.is_exact = self.implementation.restore(self.counts, content.corrections)


@contextmanager
def simulating(model: Predictor, sample: Sample, label: str) -> Iterator[None]:
    """Learn a message, except for held-out scores, inside the block; revert exactly at its end."""
    undo_data = model.implementation.learn(model.counts, sample, label)
    model.counts.learn(sample, label)
    try:
        yield
    finally:
        model.counts.unlearn(sample, label)
        model.implementation.unlearn(model.counts, sample, label, undo_data)


def with_own_words(
    samples: Sequence[Sample], vocabulary: Vocabulary | None
) -> tuple[list[Sample], Vocabulary]:
    """Renumber the samples over a vocabulary of their own words, so that models are small in any
    mailbox.

    `vocabulary`: None if the texts of words aren't needed; the returned one is then empty.
    """
    rows = WordRows.join([sample.words for sample in samples])
    present = np.zeros(int(rows.words.max(initial=-1)) + 1, np.bool_)
    present[rows.words] = True
    places = np.cumsum(present, dtype=np.int32)[rows.words] - 1
    parts = np.split(places, rows.starts[1:-1])
    renumbered = [
        Sample(words, one.occurrences, one.measures)
        for words, one in zip(parts, samples, strict=True)
    ]
    texts = map(vocabulary.word, np.flatnonzero(present).tolist()) if vocabulary is not None else ()
    return renumbered, Vocabulary(texts)
