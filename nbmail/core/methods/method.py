"""What a method is: scores made from counts, each of which can be taken apart.

Every method gives each class a score (`scores`) and weighs two classes against each other (`odds`, and `shares` for one
message in parts that add up). Most are linear (`LinearMethod`): one weight a word, so that a whole mailbox is scored
by adding numbers of one array. A method may also remember more than counts (`learn`, `unlearn`, `keep`, `restore`):
whole numbers only, learned in the order of the labels, taken back exactly for the latest step.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

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


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts say of each class: a row a class. `words` has a column for each word asked for.

    The score of a class is its `base` plus the sum of its `words`, each as often as it counts in the message, all
    times the message's scale.
    """

    base: FloatArray
    words: FloatArray


@dataclass(frozen=True, slots=True)
class LinearOdds:
    """What counts and corrections say of two classes: log-odds = base + scale * sum(times * (ratio + correction))."""

    base: float
    ratios: FloatArray
    corrections: FloatArray | None = None

    @property
    def words(self) -> FloatArray:
        return self.ratios if self.corrections is None else self.ratios + self.corrections


@dataclass(frozen=True, slots=True)
class DecomposedOdds:
    """The log-odds of one message in parts: prior + sum(contributions) + the others.

    `ratios`, `corrections` and `contributions` stand beside the sample's words: what counts say of the word, what
    mistakes taught, what the word adds. `others` are named parts that are no single word (a measure, a pair).
    `total` is what they add up to where the method knows it more exactly than adding rounded parts tells.
    """

    prior: float
    ratios: FloatArray
    corrections: FloatArray
    contributions: FloatArray
    others: tuple[tuple[str, float], ...] = ()
    total: float | None = None

    @property
    def log_odds(self) -> float:
        if self.total is not None:
            return self.total
        return self.prior + float(self.contributions.sum()) + sum(value for _, value in self.others)


@dataclass(frozen=True, slots=True)
class Run:
    """What learning many messages did: their scores from before, and what takes back what the method remembers."""

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

    @abstractmethod
    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """A score for every message (row) and class (column); differences between classes are log-odds."""

    def odds(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        scores = self.scores(counts, rows)
        return np.asarray(scores[:, pair[0]] - scores[:, pair[1]])

    def scorer(self, counts: Counts, pair: Pair) -> Scorer:
        """`odds` for one piece of a mailbox after another, by weights derived once from the counts as they are now."""
        return lambda rows: self.odds(counts, pair, rows)

    def alone(self, counts: Counts, row: int, rows: WordRows) -> FloatArray:
        """The log-odds of one class while its opposite was never met: 0 where a method needs both."""
        return np.zeros(len(rows))

    @abstractmethod
    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """The log-odds of one message taken apart; they equal `odds` to 1e-9."""

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """What counts, and what corrections, say of each of these words in a message of its own."""
        shares = self.decompose(counts, pair, Sample(words, np.ones(len(words), np.int32), ()))
        return shares.ratios, shares.corrections

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Remember more than counts. Called before `counts` learn the message; the undo_data take it back."""
        return ()

    def learn_run(self, counts: Counts, samples: Sequence[Sample], labels: Sequence[str]) -> Run | None:
        """Score, learn and count many messages, each as if it came alone, of classes that all have examples.

        None, and nothing done, where the method knows no quicker way than one by one.
        """
        return None

    def unlearn(self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None) -> bool:
        """Take the latest `learn` back; called after `counts` unlearned. None: not the latest, undo_data unknown.

        Whether what is remembered is again exactly what learning the remaining labels in order would give.
        """
        return True

    def state(self) -> LongArray:
        """What is remembered beside counts, to be stored: a row for each class, a column for each word."""
        return np.zeros((0, 0), np.int64)

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        """Take up what was stored; whether that was enough (False: fold all labels anew)."""
        return True

    def average(self, one: LongArray, other: LongArray, weights: tuple[int, int]) -> LongArray:
        """What two models of this method remember as one table: the weighted mean, rounded down.

        Both tables have the same shape; the weights together are below 2**31. Quotients and rests are weighed apart,
        since whole numbers of 64 bits times a weight don't fit into 64 bits.
        """
        total = sum(weights)
        rests = (one % total) * weights[0] + (other % total) * weights[1]
        return np.asarray((one // total) * weights[0] + (other // total) * weights[1] + rests // total)


class LinearMethod(Method):
    """A method with one weight a word and class."""

    @abstractmethod
    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """The weights of these words (any, repeated or not), of all columns where None.

        0 for words no message of any class holds; so is the last of all columns.
        """

    def compare(self, counts: Counts, pair: Pair, words: IntArray | None) -> LinearOdds:
        """One weight a word for two classes; unless a method knows better, the difference of theirs."""
        weights = self.weigh(counts, words)
        wanted, other = pair
        base = float(weights.base[wanted] - weights.base[other])
        return LinearOdds(base, weights.words[wanted] - weights.words[other])

    def scales(self, lengths: LongArray) -> FloatArray | None:
        """By what the sums of messages with this many words are multiplied; None for 1."""
        return None

    def scorer(self, counts: Counts, pair: Pair) -> Scorer:
        """All weights once, then one pass over the words of any number of messages."""
        line = self.compare(counts, pair, None)
        return lambda rows: line.base + self._sums(line.words, rows, few=False)

    def odds(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        """The log-odds of many messages: one pass over their words. Few words get their weights one by one."""
        few = len(rows.words) < counts.width
        line = self.compare(counts, pair, rows.words if few else None)
        return line.base + self._sums(line.words, rows, few)

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """A score for every message and class: one pass a class."""
        few = len(rows.words) < counts.width
        weights = self.weigh(counts, rows.words if few else None)
        found = np.empty((len(rows), len(counts.classes)))
        for row, base in enumerate(weights.base):
            found[:, row] = base + self._sums(weights.words[row], rows, few)
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """The log-odds of one message taken apart, from the weights of its own words alone."""
        line = self.compare(counts, pair, sample.words)
        times = sample.occurrences if self.wants_occurrences else 1.0
        scales = self.scales(np.array([len(sample.words)], np.int64))
        contributions = line.words * times if scales is None else line.words * times * scales[0]
        corrections = np.zeros(len(sample.words)) if line.corrections is None else line.corrections
        return DecomposedOdds(line.base, line.ratios, corrections, contributions)

    def _sums(self, weights: FloatArray, rows: WordRows, few: bool) -> FloatArray:
        add_up = sum_taken if few else sum_words
        sums = add_up(weights, rows, times=self.wants_occurrences)
        scales = self.scales(count_words(rows))
        return sums if scales is None else sums * scales


def log_priors(counts: Counts) -> FloatArray:
    """The log share of each class in all messages.

    A class without examples counts as half a message, so that nothing is infinite; there is no verdict then.
    """
    return log_priors_of(np.array(counts.messages, np.float64))


def log_priors_of(messages: FloatArray) -> FloatArray:
    """The log share of each class, told from their numbers of messages."""
    return np.asarray(np.log(np.where(messages == 0, 0.5, messages)) - np.log(max(1.0, messages.sum())))
