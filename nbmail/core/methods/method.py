"""Interface of methods: scores from counts, and their decomposition.

Every method scores each class (`scores`) and weighs two classes against each other (`odds`, and `decompose` for one
message). Most methods are linear (`LinearMethod`): one weight for each word. A method may keep state besides counts
(`learn`, `unlearn`, `state`, `restore`). It consists of integers, depends on the learning order, and the latest step
can be undone exactly.
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
    WordRows,
    count_words,
    sum_taken,
    sum_words,
)

Pair = tuple[int, int]
"""The rows of the two classes weighed: the wanted one first."""

Scorer = Callable[[WordRows], FloatArray]
"""The log-odds of many messages, by counts as they were when it was made."""


ABSENT = "absent:words"
"""Name of the part of a score that all absent words contribute together."""


class Weights(NamedTuple):
    """Weights of words by class (row) and word (column). Score of a class: scale * sum of its weights + `base`."""

    base: FloatArray
    words: FloatArray


class LinearOdds(NamedTuple):
    """Linear model of two classes: log-odds = base + scale * sum(times * (ratio + correction))."""

    base: float
    ratios: FloatArray
    corrections: FloatArray | None = None

    @property
    def words(self) -> FloatArray:
        return self.ratios if self.corrections is None else self.ratios + self.corrections


class DecomposedOdds(NamedTuple):
    """Log-odds of one message in parts: prior + sum(contributions) + sum(others).

    Each word of the sample has a log-ratio from counts (`ratios`) and an amount that it adds (`contributions`).
    `corrections`: part of that amount that was learned from mistakes. `others`: named parts that are no word of the
    sample (a measure, a pair, absent words). `removals`: amount by which the log-odds decrease without each word, None
    if equal to `contributions`.
    `total` is the sum if the method knows it more exactly than the rounded parts.
    """

    prior: float
    ratios: FloatArray
    corrections: FloatArray
    contributions: FloatArray
    others: tuple[tuple[str, float], ...] = ()
    total: float | None = None
    removals: FloatArray | None = None

    @property
    def log_odds(self) -> float:
        if self.total is not None:
            return self.total
        return self.prior + float(self.contributions.sum()) + sum(value for _, value in self.others)


class MeasureFigures(NamedTuple):
    """A measure of one message, with mean and standard deviation in both classes."""

    value: int
    junk_mean: float
    junk_deviation: float
    good_mean: float
    good_deviation: float


class PartDetails(NamedTuple):
    """Origin of one of `DecomposedOdds.others`. `counts`: its messages in both classes. `pair`: two words' numbers."""

    counts: tuple[int, int] = (0, 0)
    pair: tuple[int, int] | None = None
    measure: MeasureFigures | None = None


class AbsentWords(NamedTuple):
    """Words that a message lacks, and what each adds to its log-odds."""

    words: IntArray
    adds: FloatArray


class Run(NamedTuple):
    """Result of learning many messages: scores from before, and the data to undo each."""

    log_odds: FloatArray
    undo_data: list[tuple[int, ...]]


class Method(ABC):
    """A way from counts to scores."""

    wants_occurrences: ClassVar[bool] = False
    wants_measures: ClassVar[bool] = False
    has_shared_scale: ClassVar[bool] = False
    """Whether its scores mean the same in all mailboxes, whatever the number of words and labels."""
    counts_suffice: ClassVar[bool] = True
    """Whether it can score by counts that come without messages and without what it remembered itself."""
    has_prior: ClassVar[bool] = False
    """True if scores contain the share of each class in the learned messages."""

    @abstractmethod
    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Return a score for every message (row) and class (column); differences between classes are log-odds."""

    def odds(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        scores = self.scores(counts, rows)
        return np.asarray(scores[:, pair[0]] - scores[:, pair[1]])

    def scorer(self, counts: Counts, pair: Pair) -> Scorer:
        """Return `odds` as a function of messages, with weights derived once from the current counts."""
        return lambda rows: self.odds(counts, pair, rows)

    def alone(self, counts: Counts, row: int, rows: WordRows) -> FloatArray:
        """Return the log-odds of one class while its opposite was never met: 0 where a method needs both."""
        return np.zeros(len(rows))

    @abstractmethod
    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """Return the log-odds of one message taken apart; they equal `odds` to 1e-9."""

    def describe_others(self, counts: Counts, pair: Pair, sample: Sample) -> tuple[PartDetails, ...]:
        """Return the origin of each of the `others` of `decompose`."""
        return ()

    def absent_words(self, counts: Counts, pair: Pair, sample: Sample) -> AbsentWords:
        """Return the words whose absence counts; together they add the part `ABSENT`."""
        return AbsentWords(np.empty(0, np.int32), np.empty(0))

    def parent_of(self, word: int) -> int | None:
        """Return the word that this word depends on. The log-ratio of a word supposes that its parent is absent."""
        return None

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return log-ratio and correction of each word as in a message of this word alone."""
        shares = self.decompose(counts, pair, Sample(words, np.ones(len(words), np.int32), ()))
        return shares.ratios, shares.corrections

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Remember more than counts. Called before `counts` learn the message; the undo_data take it back."""
        return ()

    def learn_run(self, counts: Counts, samples: Sequence[Sample], labels: Sequence[str]) -> Run | None:
        """Score, learn and count messages of known classes, as if one by one. None: the method knows no quicker way."""
        return None

    def unlearn(self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None) -> bool:
        """Take the latest `learn` back; called after `counts` unlearned. None: not the latest, undo_data unknown.

        Whether what is remembered is again exactly what learning the remaining labels in order would give.
        """
        return True

    def state(self) -> LongArray:
        """Return the state besides counts, to be stored: one row for each class, one column for each word."""
        return np.zeros((0, 0), np.int64)

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        """Load stored state. False if a rebuild from all labels is needed."""
        return True

    def average(self, one: LongArray, other: LongArray, weights: tuple[int, int]) -> LongArray:
        """Return the weighted mean of two states of equal shape, rounded down.

        The sum of the weights is below 2**31. Quotients and remainders are weighed separately, because products of
        64-bit integers and weights would overflow.
        """
        total = sum(weights)
        rests = (one % total) * weights[0] + (other % total) * weights[1]
        return np.asarray((one // total) * weights[0] + (other // total) * weights[1] + rests // total)


class LinearMethod(Method):
    """A method with one weight a word and class."""

    @abstractmethod
    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Return the weights of words, of all columns for None. Words of no message, and the last column, have 0."""

    def compare(self, counts: Counts, pair: Pair, words: IntArray | None) -> LinearOdds:
        """Return one weight for each word and two classes: by default the difference of their weights."""
        weights = self.weigh(counts, words)
        wanted, other = pair
        base = float(weights.base[wanted] - weights.base[other])
        return LinearOdds(base, weights.words[wanted] - weights.words[other])

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the weights of these words before they are scaled by the length of a message."""
        line = self.compare(counts, pair, words)
        return line.ratios, np.zeros(len(words)) if line.corrections is None else line.corrections

    def _scales(self, lengths: LongArray) -> FloatArray | None:
        """By what the sums of messages with this many words are multiplied; None for 1."""
        return None

    def scorer(self, counts: Counts, pair: Pair) -> Scorer:
        """All weights once, then one pass over the words of any number of messages."""
        line = self.compare(counts, pair, None)
        return lambda rows: line.base + self._sums(line.words, rows, few=False)

    def odds(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        """Return the log-odds of many messages: one pass over their words. Few words get their weights one by one."""
        few = len(rows.words) < counts.width
        line = self.compare(counts, pair, rows.words if few else None)
        return line.base + self._sums(line.words, rows, few)

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Return a score for every message and class: one pass a class."""
        few = len(rows.words) < counts.width
        weights = self.weigh(counts, rows.words if few else None)
        found = np.empty((len(rows), len(counts.classes)))
        for row, base in enumerate(weights.base):
            found[:, row] = base + self._sums(weights.words[row], rows, few)
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """Return the log-odds of one message in parts, from the weights of its words."""
        line = self.compare(counts, pair, sample.words)
        times = sample.occurrences if self.wants_occurrences else 1.0
        scales = self._scales(np.array([len(sample.words)], np.int64))
        if scales is not None:
            times = times * scales[0]
        corrections = np.zeros(len(sample.words)) if line.corrections is None else line.corrections * times
        return DecomposedOdds(line.base, line.ratios, corrections, line.words * times)

    def _sums(self, weights: FloatArray, rows: WordRows, few: bool) -> FloatArray:
        add_up = sum_taken if few else sum_words
        sums = add_up(weights, rows, times=self.wants_occurrences)
        scales = self._scales(count_words(rows))
        return sums if scales is None else sums * scales


def log_priors(counts: Counts) -> FloatArray:
    """Return the log share of each class in all messages; a class without examples counts as half a message."""
    return log_priors_of(np.array(counts.messages, np.float64))


def log_priors_of(messages: FloatArray) -> FloatArray:
    """Return the log share of each class from the numbers of messages."""
    return np.asarray(np.log(np.where(messages == 0, 0.5, messages)) - np.log(max(1.0, messages.sum())))
