"""Explanations of scores, in parts that add up to them."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from nbmail.core.evaluation.proportion import DEVIATIONS
from nbmail.core.methods.decomposition import MeasureFigures
from nbmail.core.scoring.log_odds import sigmoid
from nbmail.core.scoring.typicality import Typicality


class Contribution(NamedTuple):
    """Contribution of one word to the score of a message.

    Some methods also have contributions of a measure ("measure:size"), of a pair of words
    ("pair:free money") or of all absent words ("absent:words"). `measure` are the figures of a
    measure, `pair` are the words of a pair. `parent` is the word that this one depends on: its
    log-ratio supposes that `parent` is absent.

    `spam` and `ham` are the numbers of messages that contain the word; between other classes,
    those of these classes. `log_ratio`: log p(word | spam) / p(word | ham) as the method estimates
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
    """Origin of the prior: the share of spam among the labels or in the mail, or even odds."""

    LABELS = "labels"
    MAIL = "mail"
    EVEN = "even odds"


class Absent(NamedTuple):
    """Absent words, whose sum is the contribution "absent:words".

    The strongest ones are named; of the others there is the sum.
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
        reach = DEVIATIONS * self.deviation
        return sigmoid(self.log_odds - reach), sigmoid(self.log_odds + reach)
