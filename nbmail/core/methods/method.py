"""Interface of methods: scores from counts, and their decomposition.

Every method scores each class (`scores`) and weighs two classes against each other (`odds`, and
`decompose` for one message). A method may keep state besides counts (`learn`, `unlearn`, `state`,
`restore`). It consists of integers, depends on the learning order, and the latest step can be
undone exactly.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from nbmail.core.calibration.family_weights import NO_WEIGHTS, Weights, without_families
from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods.decomposition import DecomposedOdds

Pair = tuple[int, int]
"""Rows of two compared classes, the wanted one first."""

Scorer = Callable[[WordRows], FloatArray]
"""Returns the log-odds of many messages, by the counts at its creation."""


class Run(NamedTuple):
    """Result of learning many messages: scores from before, in parts, and the data to undo each."""

    parts: FloatArray
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
    """True if the method can score from counts alone, without messages and further state."""
    has_prior: ClassVar[bool] = False
    """True if scores contain the share of each class in the learned messages."""
    family_weights: Weights = NO_WEIGHTS
    """Weights of the families of words in scores of spam against ham. The model sets them."""

    @abstractmethod
    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Return a score for every message (row) and class (column).

        Differences between classes are log-odds.
        """

    def scorer(self, counts: Counts, pair: Pair, words: IntArray | None = None) -> Scorer:
        """Return the log-odds as a function of messages.

        Its weights are derived once from the current counts. `words`: the words of all messages,
        concatenated, if only they need weights.
        """
        wanted, other = pair

        def log_odds(rows: WordRows) -> FloatArray:
            scores = self.scores(counts, rows)
            return np.asarray(scores[:, wanted] - scores[:, other])

        return log_odds

    def odds(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        scorer = self.scorer(counts, pair, rows.words_if_few(counts.width))
        return scorer(rows)

    def parts(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        """Return the log-odds by all words and by each family (columns) of messages (rows).

        `blend` turns them into `odds`. Families are NaN for a method that has none.
        """
        return without_families(self.odds(counts, pair, rows))

    def alone(self, counts: Counts, row: int, rows: WordRows) -> FloatArray:
        """Return the log-odds of a class whose opposite was never learned.

        0 if the method needs both.
        """
        return np.zeros(len(rows))

    @abstractmethod
    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """Return the log-odds of one message in parts, whose sum equals `odds` to 1e-9."""

    def absent_words(
        self, counts: Counts, pair: Pair, sample: Sample
    ) -> tuple[IntArray, FloatArray]:
        """Return the words whose absence counts, and the contribution of each.

        The sum of the contributions is the part `ABSENT`.
        """
        return np.empty(0, np.int32), np.empty(0)

    def parent_of(self, word: int) -> int | None:
        """Return the word that this word depends on, if any.

        The log-ratio of a word supposes that its parent is absent.
        """
        return None

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return log-ratio and correction of each word as in a message of this word alone."""
        sample = Sample(words, np.ones(len(words), np.int32), ())
        shares = self.decompose(counts, pair, sample)
        return shares.ratios, shares.corrections

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Update the state besides counts, before `counts` learn the message.

        Return the data to undo it.
        """
        return ()

    def learn_run(
        self, counts: Counts, samples: Sequence[Sample], labels: Sequence[str]
    ) -> Run | None:
        """Score, learn and count messages of known classes, as if one by one.

        None if there is no faster way.
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
        """Return the state besides counts, to be stored.

        It has one row for each class and one column for each word.
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
        mine, theirs = weights
        total = mine + theirs
        quotients = (one // total) * mine + (other // total) * theirs
        rests = (one % total) * mine + (other % total) * theirs
        return np.asarray(quotients + rests // total)


class MethodFactory(NamedTuple):
    """A method with its parameters: its text as a `MethodSpec`, and what creates one without state.

    The vocabulary is that of the samples.
    """

    text: str
    create: Callable[[Vocabulary], Method]
