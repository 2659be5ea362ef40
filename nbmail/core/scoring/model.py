"""Model: a vocabulary, counts, the state of a method, and calibration.

A model is a function of (sample, label) pairs in learning order. `counts` depend only on the pairs,
corrections and held-out scores on their order as well:

* `learn` at the end of the order is exact.
* `unlearn` with the `LearnRecord` of the latest `learn` is exact.
* Any other `unlearn` keeps the counts exact and sets `is_exact` to False. The owner of the labels
  then rebuilds the model: `fresh()`, learn all, replace.
* If `held_out.needs_rescoring`, `cross_validating` scores the first labels by models that left them
  out.

Counts and corrections are integers, so that a rebuild is identical on any machine.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from nbmail.core.calibration import cross_validation
from nbmail.core.calibration.family_weights import PARTS
from nbmail.core.calibration.held_out_scores import NEVER, HeldOutScores
from nbmail.core.counting.arrays import FloatArray
from nbmail.core.counting.renumbering import with_own_words
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.methods.balanced import BALANCED
from nbmail.core.methods.method import MethodFactory, Run
from nbmail.core.scoring.model_content import ModelContent
from nbmail.core.scoring.predictor import Predictor
from nbmail.values import HAM, SPAM

# Labels learned between two yields: about 2 ms.
_PIECE = 128


LearnRecord = tuple[int, ...]
"""Data of the method to undo one `learn`."""


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
        """Learn messages in order, as `learn` does.

        `asked`: True for those that active learning selected.
        """
        if asked is None:
            asked = [False] * len(samples)
        records: list[LearnRecord] = []
        for part in self._parts(labels):
            was_calibrated = self.calibrated
            run = self._run(samples[part], labels[part])
            if run is None:
                records += map(self._learn_one, samples[part], labels[part], asked[part])
                continue
            parts = run.parts if was_calibrated else np.full_like(run.parts, np.nan)
            self._keep_scores(parts, samples[part], labels[part], asked[part])
            records += run.undo_data
        self._weigh_families()
        return records

    def _weigh_families(self) -> None:
        """Let the families of words count as their held-out scores now say."""
        self.implementation.family_weights = self.held_out.weights

    def learn_without_scores(self, samples: Sequence[Sample], labels: Sequence[str]) -> None:
        """Learn without storing held-out scores: enough for a model that only scores others."""
        for part in self._parts(labels):
            if self._run(samples[part], labels[part]) is None:
                for sample, label in zip(samples[part], labels[part], strict=True):
                    self.implementation.learn(self.counts, sample, label)
                    self.counts.learn(sample, label)

    def _parts(self, labels: Sequence[str]) -> Iterator[slice]:
        """Yield the parts that can be learned together.

        The first message of a class is a part by itself.
        """
        first = 0
        while first < len(labels):
            rest = labels[first:]
            empty = {label for label in set(rest) if not self.counts.messages_of(label)}
            known = len(rest)
            if empty:
                known = next(place for place, label in enumerate(rest) if label in empty)
            end = first + max(1, known)
            yield slice(first, end)
            first = end

    def _run(self, samples: Sequence[Sample], labels: Sequence[str]) -> Run | None:
        """Learn messages together, or nothing if that is not possible."""
        if not self.counts.messages_of(labels[0]):
            return None
        return self.implementation.learn_run(self.counts, samples, labels)

    def _learn_one(self, sample: Sample, label: str, asked: bool) -> LearnRecord:
        pair = self.counts.pair(SPAM, HAM)
        parts = np.full((1, PARTS), np.nan)
        is_mail = label in (SPAM, HAM)
        if is_mail and self.calibrated and pair is not None:
            parts = self.implementation.parts(self.counts, pair, self.rows([sample]))
        record = self.implementation.learn(self.counts, sample, label)
        self.counts.learn(sample, label)
        if is_mail:
            self._keep_scores(parts, [sample], [label], [asked])
        return record

    def _keep_scores(
        self,
        parts: FloatArray,
        samples: Sequence[Sample],
        labels: Sequence[str],
        asked: Sequence[bool],
    ) -> None:
        """Store the scores that messages of spam and ham had before they were learned."""
        knows_all = len(self.held_out) == len(self._first)
        if knows_all and self.held_out.cross_validated != NEVER:
            room = cross_validation.MOST - len(self._first)
            self._first += zip(samples[:room], labels[:room], strict=True)
        spam = np.array([label == SPAM for label in labels], np.bool_)
        self.held_out.append(parts, spam, np.array(asked, np.bool_))

    def unlearn(self, sample: Sample, label: str, step: LearnRecord | None = None) -> None:
        """Revert `learn`.

        Exact if `step` is the record of the latest one; otherwise see the module's docstring.
        """
        self.counts.unlearn(sample, label)
        exact = self.implementation.unlearn(self.counts, sample, label, step)
        if step is not None and label in (SPAM, HAM):
            self.held_out.drop_latest()
            del self._first[len(self.held_out) :]
            self._weigh_families()
        self.is_exact = self.is_exact and exact and step is not None

    def cross_validating(self) -> Generator[None, None, None]:
        """Score the first labels by models that left them out, in chunks, if due.

        All their messages must be known.
        """
        if not self.held_out.needs_rescoring:
            return
        due = cross_validation.latest_due(len(self.held_out))
        first = self._first[:due]
        if len(first) < due:
            raise ValueError("the first messages are not known any more")
        texts = self.vocabulary if self.implementation.reads_words else None
        samples, vocabulary = with_own_words([sample for sample, _ in first], texts)
        labels = [label for _, label in first]
        folds = cross_validation.deal([label == SPAM for label in labels])
        parts = np.full((len(samples), PARTS), np.nan)
        for fold in range(int(folds.max(initial=-1)) + 1):
            model = Model(vocabulary, self.factory)
            kept = np.flatnonzero(folds != fold).tolist()
            for start in range(0, len(kept), _PIECE):
                chunk = kept[start : start + _PIECE]
                model.learn_without_scores(
                    [samples[place] for place in chunk], [labels[place] for place in chunk]
                )
                yield
            pair = model.counts.pair(SPAM, HAM)
            if model.calibrated and pair is not None:
                left_out = np.flatnonzero(folds == fold).tolist()
                rows = model.rows([samples[place] for place in left_out])
                parts[left_out] = model.implementation.parts(model.counts, pair, rows)
            yield
        self.held_out.set_cross_validated(parts)
        self._weigh_families()

    def content(self) -> ModelContent:
        """Return a copy of everything to store."""
        return ModelContent(
            counts=self.counts.copy(),
            corrections=self.implementation.state(),
            held_out=self.held_out.stored,
            method=self.method,
            cross_validated=self.held_out.cross_validated,
        )

    def restore(self, content: ModelContent) -> None:
        """Load stored content, of another method only the counts.

        `is_exact` is False if a rebuild is needed.
        """
        if content.method not in ("", self.method):
            content = ModelContent.of(content.counts, NEVER)
        self.counts = content.counts
        self._first = []
        of_spam = int(np.count_nonzero(content.held_out.spam))
        of_ham = len(content.held_out) - of_spam
        without_score = (
            max(0, self.counts.messages_of(SPAM) - of_spam),
            max(0, self.counts.messages_of(HAM) - of_ham),
        )
        self.held_out = HeldOutScores(content.held_out, content.cross_validated, without_score)
        self._weigh_families()
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
