"""Interface of methods: scores from counts, and their decomposition.

Every method scores each class (`scores`) and weighs two classes against each other (`odds`, and
`decompose` for one message). A method may keep state besides counts (`learn`, `unlearn`, `state`, `restore`). It consists of
integers, depends on the learning order, and the latest step can be undone exactly.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

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

Pair = tuple[int, int]
"""Rows of two compared classes, the wanted one first."""

Scorer = Callable[[WordRows], FloatArray]
"""Returns the log-odds of many messages, by the counts at its creation."""


ABSENT = "absent:words"
"""Name of the part of a score that all absent words contribute together."""


class MeasureFigures(NamedTuple):
    """A measure of one message, with mean and standard deviation in both classes."""

    value: int
    spam_mean: float
    spam_deviation: float
    ham_mean: float
    ham_deviation: float


class Part(NamedTuple):
    """Part of a score that is no word of the message: a measure, a pair of words, or all absent
    words together.

    `counts`: its messages in both classes. `pair`: numbers of two words, which follow the name.
    """

    name: str
    value: float
    counts: tuple[int, int] = (0, 0)
    pair: tuple[int, int] | None = None
    measure: MeasureFigures | None = None


class DecomposedOdds(NamedTuple):
    """Log-odds of one message in parts: prior + sum(contributions) + sum(others).

    Each word of the sample has a log-ratio from counts (`ratios`) and an amount that it adds
    (`contributions`). `corrections`: part of that amount that was learned from mistakes.
    `removals`: amount by which the log-odds decrease without each word, None if equal to
    `contributions`. `total` is the sum if the method knows it more exactly than the rounded parts.
    """

    prior: float
    ratios: FloatArray
    corrections: FloatArray
    contributions: FloatArray
    others: tuple[Part, ...] = ()
    total: float | None = None
    removals: FloatArray | None = None

    @property
    def log_odds(self) -> float:
        if self.total is not None:
            return self.total
        return (
            self.prior + float(self.contributions.sum()) + sum(part.value for part in self.others)
        )


class Run(NamedTuple):
    """Result of learning many messages: scores from before, and the data to undo each."""

    log_odds: FloatArray
    undo_data: list[tuple[int, ...]]


class Method(ABC):
    """Scores messages from counts."""

    wants_occurrences: ClassVar[bool] = False
    wants_measures: ClassVar[bool] = False
    reads_words: ClassVar[bool] = False
    """True if the method needs the text of words, not only their numbers."""
    has_shared_scale: ClassVar[bool] = False
    """True if scores mean the same in all mailboxes, whatever the number of words and labels."""
    counts_suffice: ClassVar[bool] = True
    """True if the method can score from counts alone, without messages and without further
    state.
    """
    has_prior: ClassVar[bool] = False
    """True if scores contain the share of each class in the learned messages."""

    @abstractmethod
    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Return a score for every message (row) and class (column); differences between classes
        are log-odds.
        """

    def scorer(self, counts: Counts, pair: Pair, words: IntArray | None = None) -> Scorer:
        """Return the log-odds as a function of messages, with weights derived once from the current
        counts.

        `words`: the words of all messages, concatenated, if only they need weights.
        """
        return lambda rows: np.asarray(np.subtract(*self.scores(counts, rows).T[list(pair)]))

    def odds(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        return self.scorer(counts, pair, rows.words_if_few(counts.width))(rows)

    def alone(self, counts: Counts, row: int, rows: WordRows) -> FloatArray:
        """Return the log-odds of a class whose opposite was never learned: 0 if the method needs
        both.
        """
        return np.zeros(len(rows))

    @abstractmethod
    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """Return the log-odds of one message in parts, whose sum equals `odds` to 1e-9."""

    def absent_words(
        self, counts: Counts, pair: Pair, sample: Sample
    ) -> tuple[IntArray, FloatArray]:
        """Return the words whose absence counts, and the contribution of each. Their sum is the
        part `ABSENT`.
        """
        return np.empty(0, np.int32), np.empty(0)

    def parent_of(self, word: int) -> int | None:
        """Return the word that this word depends on. The log-ratio of a word supposes that its
        parent is absent.
        """
        return None

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return log-ratio and correction of each word as in a message of this word alone."""
        shares = self.decompose(counts, pair, Sample(words, np.ones(len(words), np.int32), ()))
        return shares.ratios, shares.corrections

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Update the state besides counts, before `counts` learn the message. Return the data to
        undo it.
        """
        return ()

    def learn_run(
        self, counts: Counts, samples: Sequence[Sample], labels: Sequence[str]
    ) -> Run | None:
        """Score, learn and count messages of known classes, as if one by one. None if there is no
        faster way.
        """
        return None

    def unlearn(
        self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None
    ) -> bool:
        """Revert `learn`, after `counts` did. `undo_data`: None unless it was the latest.

        Return True if the state equals that of learning the remaining labels in order.
        """
        return True

    def state(self) -> LongArray:
        """Return the state besides counts, to be stored: one row for each class, one column for
        each word.
        """
        return np.zeros((0, 0), np.int64)

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        """Load stored state. False if a rebuild from all labels is needed."""
        return True

    def average(self, one: LongArray, other: LongArray, weights: tuple[int, int]) -> LongArray:
        """Return the weighted mean of two states of equal shape, rounded down.

        The sum of the weights is below 2**31. Quotients and remainders are weighed separately,
        because products of 64-bit integers and weights would overflow.
        """
        total = sum(weights)
        rests = (one % total) * weights[0] + (other % total) * weights[1]
        return np.asarray(
            (one // total) * weights[0] + (other // total) * weights[1] + rests // total
        )


class MethodFactory(NamedTuple):
    """A method with its parameters: its text as a `MethodSpec`, and what creates one without state.

    The vocabulary is that of the samples.
    """

    text: str
    create: Callable[[Vocabulary], Method]


_MORE_CLASSES = 0.07
"""Exponent of the number of classes in `class_log_chances`: `tests/bench/MEASUREMENTS.md`, "Many
folders".
"""


def class_log_chances(scores: FloatArray, messages: Sequence[int]) -> FloatArray:
    """Return the log probability of each class (column) for each message (row), before calibration.

    Each is the square root of the distance to the best score, scaled and normalized; -inf for
    classes without messages.
    """
    met = np.array(messages) > 0
    gaps = np.where(
        met, scores.max(axis=1, keepdims=True, initial=-np.inf, where=met) - scores, np.inf
    )
    chances = -(max(1, int(met.sum())) ** _MORE_CLASSES) * np.sqrt(gaps)
    return np.asarray(chances - np.logaddexp.reduce(chances, axis=1, keepdims=True))


def log_priors(messages: Sequence[float]) -> FloatArray:
    """Return the log share of each class in all messages; a class without examples counts as half a
    message.
    """
    counts = np.array(messages, np.float64)
    return np.asarray(np.log(np.where(counts == 0, 0.5, counts)) - np.log(max(1.0, counts.sum())))
