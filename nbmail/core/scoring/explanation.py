"""Verdicts from probabilities and the costs of errors; and explanations of scores, in parts that
add up to them.
"""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, WordRows
from nbmail.core.methods.method import MeasureFigures, log_priors
from nbmail.values import VERDICTS

VerdictArray = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of errors, in units of checking one message.

    `false_spam`: a ham message classified as spam. `ask`: an unsure message. `unsure_spam`: spam
    that is unsure, in addition. `missed_spam`: spam classified as ham. By default a message is
    spam above odds of 49.5, good below 1/7.
    """

    false_spam: float = 100.0
    missed_spam: float = 9.0
    ask: float = 1.0
    unsure_spam: float = 1.0

    @property
    def spam_from(self) -> float:
        """Probability from which spam is the verdict of least cost."""
        against_unsure = (self.false_spam - self.ask) / (self.false_spam + self.unsure_spam)
        against_ham = self.false_spam / (self.false_spam + self.vouched_spam)
        return max(against_unsure, against_ham)

    @property
    def ham_below(self) -> float:
        """Probability below which good is the verdict of least cost."""
        spared = self.vouched_spam - self.unsure_spam
        against_unsure = self.ask / spared if spared > 0 else math.inf
        return min(against_unsure, self.false_spam / (self.false_spam + self.vouched_spam))

    @property
    def values(self) -> tuple[float, float, float, float]:
        return self.false_spam, self.missed_spam, self.ask, self.unsure_spam

    @property
    def vouched_spam(self) -> float:
        """Cost of spam classified as ham: at most that of a ham message classified as spam."""
        return min(self.missed_spam, self.false_spam)


def judge(probabilities: FloatArray, costs: Costs) -> VerdictArray:
    """Return the verdict of least cost for each probability of spam: of equals the more careful.
    NaN is unsure.
    """
    expected = np.stack(
        [
            costs.ask + probabilities * costs.unsure_spam,
            probabilities * costs.vouched_spam,
            (1 - probabilities) * costs.false_spam,
        ]
    )
    found: VerdictArray = expected.argmin(axis=0).astype(np.int8)
    found[np.isnan(probabilities)] = VERDICTS.index("unsure")
    return found


def to_probabilities(log_odds: FloatArray) -> FloatArray:
    """Convert log-odds to probabilities. They are clipped at 700, where the exponential would
    overflow.
    """
    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))


NEVER_LEARNED = -1


def log_likelihoods(counts: Counts, rows: WordRows, learned: IntArray) -> FloatArray:
    """Return log p(x) per different word of each message, whatever method scores it; -inf without
    words or counts.

    p(x) is the sum of p(class) p(x | class) over all classes, with Laplace smoothing of the numbers
    of messages that contain each word. A learned message is left out of the counts of its class.

    `learned`: row of the class that each message was learned as, or `NEVER_LEARNED`.
    """
    lengths = rows.lengths()
    documents = counts.documents_of(rows.words)
    totals = counts.documents.sum(axis=1, dtype=np.int64)
    found = np.full(len(rows), -np.inf)
    for row, prior in enumerate(log_priors(counts.messages)):
        own = (learned == row).astype(np.int64)
        times = np.maximum(documents[row] - np.repeat(own, lengths), 0)
        all_times = np.maximum(totals[row] - own * lengths, 0)
        scores = rows.sum(np.log(times + 1.0), aligned=True) - lengths * np.log(
            all_times + max(1.0, counts.words)
        )
        found = np.logaddexp(found, prior + scores)
    return np.where(lengths > 0, found / np.maximum(lengths, 1), -np.inf)


class Contribution(NamedTuple):
    """Contribution of one word to the score of a message.

    Some methods also have contributions of a measure ("measure:size"), of a pair of words
    ("pair:free money") or of all absent words ("absent:words"). `measure` are the figures of a
    measure, `pair` are the words of a pair. `parent` is the word that this one depends on: its
    log-ratio supposes that `parent` is absent.

    `spam` and `ham` are the numbers of messages that contain the word; between other classes,
    those of these classes. `log_ratio`: log p(word | spam) / p(word | good) as the method estimates
    it from counts. `correction`: part of `contribution` that was learned from mistakes.
    `contribution`: amount that the word adds to the log-odds of this message. `occurrences`: number
    of times that the message contains the word. `written`: of the fact about it, the number of
    messages that the user had sent to the sender.
    """

    word: str
    place: str
    spam: int
    ham: int
    log_ratio: float
    correction: float
    contribution: float
    occurrences: int = 1
    measure: MeasureFigures | None = None
    pair: tuple[str, ...] = ()
    parent: str = ""
    written: int = 0

    @property
    def is_word(self) -> bool:
        """False for a measure, a pair, and all absent words together."""
        return not (self.measure or self.pair or self.place == "absent")


class PriorFrom(StrEnum):
    """Origin of the prior: the share of spam among the labels, or in the mail to classify, or even
    odds.
    """

    LABELS = "labels"
    MAIL = "mail"
    EVEN = "even odds"


class Absent(NamedTuple):
    """Absent words, whose sum is the contribution "absent:words": the strongest ones, and the sum
    of the others.
    """

    words: tuple[Contribution, ...] = ()
    weaker_count: int = 0
    weaker: float = 0.0

    @property
    def total(self) -> int:
        return len(self.words) + self.weaker_count


@dataclass(frozen=True, slots=True)
class Reasons:
    """Log-odds in parts: prior + contributions + weaker + calibration = log_odds, to 1e-9."""

    prior: float
    contributions: tuple[Contribution, ...]
    weaker_count: int
    weaker: float
    calibration: float
    log_odds: float
    prior_from: PriorFrom = field(default=PriorFrom.EVEN, kw_only=True)
    absent: Absent = field(default=Absent(), kw_only=True)

    @property
    def prior_share(self) -> float:
        """Share of spam, or of the wanted class, that corresponds to the prior."""
        return sigmoid(self.prior)


class Typicality(NamedTuple):
    """log p(x) per word of a message, and how many of the `others` have a higher one."""

    log_likelihood: float
    higher: int
    others: int


@dataclass(frozen=True, slots=True)
class Explanation(Reasons):
    """Explanation of the verdict of a message.

    `probability` is None while a class has no example; `log_odds` is then uncalibrated.
    `deviation`: standard deviation of the calibrated log-odds. `flip_without`: smallest set of
    words without which the verdict changes, empty if there is none. `marks_to_flip`: number of
    opposite marks on such messages that change the verdict, None if unknown. `nearest`: number of
    held-out messages with the nearest scores, and how many are spam. `spam_from`: spam threshold.
    `typicality`: comparison with other stored mail, None if there is too little. `score`:
    uncalibrated log-odds of `method`. `class_scores`: log p(x, class) of both classes, whose
    difference is `score`; None if the method has no p(x, class). `chance_at_arrival`: probability
    when the message arrived, None if there was none.
    """

    probability: float | None
    verdict: str
    flip_without: tuple[str, ...] = ()
    marks_to_flip: int | None = None
    nearest: tuple[int, int] = (0, 0)
    deviation: float | None = None
    spam_from: float | None = None
    typicality: Typicality | None = None
    score: float = 0.0
    class_scores: tuple[float, float] | None = None
    method: str = ""
    chance_at_arrival: float | None = None

    @property
    def between(self) -> tuple[float, float] | None:
        """Ends of the 95 % confidence interval of the probability."""
        if self.deviation is None:
            return None
        ends = (self.log_odds - 1.96 * self.deviation, self.log_odds + 1.96 * self.deviation)
        return sigmoid(ends[0]), sigmoid(ends[1])


def sigmoid(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(log_odds, -700.0)))


@dataclass(frozen=True, slots=True)
class Proportion:
    """`found` of `count`. `lowest`, `highest`: ends of the 95 % confidence interval of the
    share.
    """

    found: int
    count: int

    @property
    def share(self) -> float:
        return self.found / self.count if self.count else 0.0

    @property
    def lowest(self) -> float:
        return wilson(self.found, self.count)[0]

    @property
    def highest(self) -> float:
        return wilson(self.found, self.count)[1]


# 95 % of a normal distribution are nearer to its mean.
_DEVIATIONS = 1.96


def wilson(found: float, count: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval (1927) of the share `found` / `count`."""
    if count == 0:
        return 0.0, 1.0
    share = found / count
    extra = _DEVIATIONS**2 / count
    middle = (share + extra / 2) / (1 + extra)
    reach = _DEVIATIONS / (1 + extra) * math.sqrt(share * (1 - share) / count + extra / (4 * count))
    return max(0.0, middle - reach), min(1.0, middle + reach)
