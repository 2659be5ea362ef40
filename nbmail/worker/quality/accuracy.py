"""Accuracy of the model in use, by its held-out scores."""

from collections.abc import Collection

import numpy as np

from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.scoring.verdict import VerdictArray
from nbmail.errors import ErrorCode, KnownError
from nbmail.values import HAM, SPAM, VERDICTS, BoolArray
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.quality import ALL_LABELS, Accuracy, ReliabilityBin, TrainingReport

# Edges of the reliability bins: most probabilities are near 0 or 1.
_EDGES = np.array([0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 1.0])
_COLUMNS = [VERDICTS.index(name) for name in ("spam", "unsure", "ham")]


class AccuracyReports:
    """Reports on the labels of one data folder."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring

    def measure_accuracy(self) -> JobSteps[Accuracy]:
        """Measure the accuracy of the model in use."""
        yield from self._updates.make_exact()
        model = self._scoring.model
        held_out = model.held_out.all
        known = ~np.isnan(held_out.scores)
        scores = held_out.scores[known]
        spam = held_out.spam[known]
        if not (spam.any() and (~spam).any()):
            raise KnownError(ErrorCode.NOT_ENOUGH_YET)

        verdicts = model.verdicts(scores)
        chances = model.probabilities(scores)
        return Accuracy(
            spam=_row(verdicts[spam]),
            ham=_row(verdicts[~spam]),
            reliability=reliability(chances, spam),
            spam_chances=tuple(chances[spam].tolist()),
            ham_chances=tuple(chances[~spam].tolist()),
        )

    def report_training(
        self, limit: int = ALL_LABELS, among: Collection[int] = ()
    ) -> JobSteps[TrainingReport]:
        """Report how well the latest `limit` labelled messages are classified by models without
        them.

        `among`: consider only these messages. The difference of two reports on the same messages is
        the effect of the marks between them. With `limit` 1000 the report is quick enough to follow
        each mark.
        """
        yield from self._updates.make_exact()
        messages, scores, spam = self._latest(limit, among)
        verdicts = self._scoring.model.verdicts(scores)
        is_spam = verdicts == VERDICTS.index("spam")
        is_ham = verdicts == VERDICTS.index("ham")
        false_positives = messages[is_spam & ~spam][::-1]
        false_negatives = messages[is_ham & spam]
        return TrainingReport(
            spam=int(np.count_nonzero(spam)),
            ham=int(np.count_nonzero(~spam)),
            true_positives=int(np.count_nonzero(is_spam & spam)),
            false_positives=tuple(false_positives.tolist()),
            false_negatives=tuple(false_negatives.tolist()),
            classified=tuple(messages.tolist()),
        )

    def _latest(
        self, limit: int, among: Collection[int]
    ) -> tuple[LongArray, FloatArray, BoolArray]:
        """Return numbers, scores and labels of the latest messages, lowest score first."""
        held_out = self._scoring.model.held_out.all
        numbers = self._store.labels.latest((SPAM, HAM), limit + len(among))
        messages = np.array(numbers[: len(held_out)], np.int64)
        scores = held_out.scores[::-1][: len(messages)]
        spam = held_out.spam[::-1][: len(messages)]

        # The only message of its class has no held-out score.
        known = ~np.isnan(scores)
        if among:
            known &= np.isin(messages, list(among))
        order = np.argsort(scores[known], kind="stable")
        chosen = np.flatnonzero(known)[order]
        return messages[chosen], scores[chosen], spam[chosen]


def reliability(probabilities: FloatArray, spam: BoolArray) -> tuple[ReliabilityBin, ...]:
    """Return the bins that contain messages, by increasing probability."""
    numbers = np.searchsorted(_EDGES[1:-1], probabilities, side="right")
    bins = list[ReliabilityBin]()
    for number in np.unique(numbers):
        inside = numbers == number
        actual = Proportion(int(spam[inside].sum()), int(inside.sum()))
        bins.append(ReliabilityBin(float(probabilities[inside].mean()), actual))
    return tuple(bins)


def _row(verdicts: VerdictArray) -> tuple[int, int, int]:
    """Return the numbers of messages classified as spam, unsure and ham."""
    spam, unsure, ham = (int(np.count_nonzero(verdicts == column)) for column in _COLUMNS)
    return spam, unsure, ham
