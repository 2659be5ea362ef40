"""Scores, probabilities and verdicts of samples."""

from __future__ import annotations

import numpy as np

from nbmail.core.calibration.base_rate import estimate_base_rate, shift_base_rate
from nbmail.core.calibration.calibration_line import Line
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.held_out_scores import HeldOutScores
from nbmail.core.calibration.prior import MEASURED, SHARED
from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods.balanced import BALANCED
from nbmail.core.methods.class_chances import class_log_chances
from nbmail.core.methods.method import MethodFactory, Scorer
from nbmail.core.scoring.log_odds import to_probabilities
from nbmail.core.scoring.verdict import Costs, VerdictArray, judge
from nbmail.values import HAM, SPAM, VERDICTS


class Predictor:
    """Scores samples.

    Attributes to set: `costs`, `base_rate` of spam, `ignored` words without effect. `withheld`: no
    chances and verdicts, because much of a class is still to be learned.
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
        self.withheld = False
        self.ignored: IntArray = np.zeros(0, np.int32)
        self._prior = SHARED if self.implementation.has_shared_scale else MEASURED

    @property
    def method(self) -> str:
        """The method with its parameters, as text."""
        return self.factory.text

    @property
    def calibrated(self) -> bool:
        """True if there are examples of both spam and ham."""
        return self.counts.messages_of(SPAM) > 0 and self.counts.messages_of(HAM) > 0

    @property
    def has_chances(self) -> bool:
        """True if messages get chances of spam and verdicts."""
        return self.calibrated and not self.withheld

    def rows(self, samples: list[Sample]) -> WordRows:
        """Concatenate samples, with those parts of their evidence that the method uses."""
        if self.implementation.wants_occurrences or self.implementation.wants_measures:
            return WordRows.of(samples)
        return WordRows.join([sample.words for sample in samples])

    def log_odds(self, rows: WordRows) -> FloatArray:
        """Return uncalibrated log-odds of spam.

        While a class was never learned, they are usable only for ranking.
        """
        pair = self.counts.pair(SPAM, HAM)
        rows = rows.without(self.ignored)
        if pair is None:
            return self._alone(rows)
        return self.implementation.odds(self.counts, pair, rows)

    def scorer(self) -> Scorer:
        """Return `log_odds` as a function with weights that are computed once.

        It is valid until the model changes.
        """
        pair = self.counts.pair(SPAM, HAM)
        scorer = self._alone if pair is None else self.implementation.scorer(self.counts, pair)
        return lambda rows: scorer(rows.without(self.ignored))

    def _alone(self, rows: WordRows) -> FloatArray:
        """Return log-odds while at most one of spam and good mail was learned."""
        spam = self.counts.row(SPAM)
        if spam is not None:
            return self.implementation.alone(self.counts, spam, rows) + 0.0
        ham = self.counts.row(HAM)
        if ham is not None:
            # The sum turns -0.0 into 0.0.
            return -1.0 * self.implementation.alone(self.counts, ham, rows) + 0.0
        return np.zeros(len(rows))

    def class_log_chances(self, samples: list[Sample], *, calibrated: bool = True) -> FloatArray:
        """Return the log probability of each class (column) for each sample (row).

        Classes are in the order of `counts.classes`. The ratio of spam to good mail is that of
        their calibrated probabilities. Without `calibrated` it comes from the scores, as all other
        ratios do.
        """
        # With more than two classes, occurrences count.
        rows = WordRows.of(samples) if len(self.counts.classes) > 2 else self.rows(samples)
        rows = rows.without(self.ignored)
        scores = self.implementation.scores(self.counts, rows)
        chances = class_log_chances(scores, self.counts.messages)
        pair = self.counts.pair(SPAM, HAM)
        if pair is not None and self.calibrated and calibrated:
            spam, ham = pair
            together = np.logaddexp(chances[:, spam], chances[:, ham])
            odds = self.calibrate(self.log_odds(rows))
            chances[:, spam] = together - np.logaddexp(0.0, -odds)
            chances[:, ham] = together - np.logaddexp(0.0, odds)
        return chances

    def line(self) -> Line:
        """Return the calibration line."""
        return self.held_out.line(self._prior, self.base_rate)

    def calibrate(self, log_odds: FloatArray, base_rate: float | None = None) -> FloatArray:
        """Return calibrated log-odds at a base rate (default: the model's).

        They are unchanged while a class has no example.
        """
        if not self.calibrated:
            return log_odds
        share = self.base_rate if base_rate is None else base_rate
        return shift_base_rate(self.line().log_odds(log_odds), share)

    def probabilities(self, log_odds: FloatArray) -> FloatArray:
        """Return calibrated probabilities of spam; all NaN unless `has_chances`."""
        if not self.has_chances:
            return np.full(len(log_odds), np.nan)
        return to_probabilities(self.calibrate(log_odds))

    def verdicts(
        self, log_odds: FloatArray, class_chances: FloatArray | None = None
    ) -> VerdictArray:
        """Return indexes of `VERDICTS` by least expected cost.

        All are unsure unless `has_chances`. With `class_chances`, a message is unsure
        instead of spam if a class of the user's own is likeliest.
        """
        found = judge(self.probabilities(log_odds), self.costs)
        if class_chances is not None:
            own = [row for row, label in enumerate(self.counts.classes) if label not in (SPAM, HAM)]
            is_own = np.isin(class_chances.argmax(axis=1), own)
            is_spam = found == VERDICTS.index("spam")
            found[is_spam & is_own] = VERDICTS.index("unsure")
        return found

    def base_rate_among(self, log_odds: FloatArray, known: tuple[int, int]) -> float:
        """Return the share of spam among these scores and `known` spam and ham messages.

        After active learning the line depends on the base rate, so that two rounds are needed.
        """
        share = 0.5
        labels = sum(self.held_out.all.count())
        for _ in range(2):
            calibrated = self.held_out.line(self._prior, share).log_odds(log_odds)
            share = estimate_base_rate(calibrated, known, labels)
        return share

    def query_scores(self, log_odds: FloatArray) -> FloatArray:
        """Return scores for active learning.

        They are calibrated unless the method has the same scale in all mailboxes.
        """
        if self.implementation.has_shared_scale:
            return log_odds
        return self.calibrate(log_odds, 0.5)
