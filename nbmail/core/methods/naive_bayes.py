"""Naive Bayes methods: multinomial and its complement, Bernoulli, categorical and Gaussian.

Multinomial: USC CSCI 567 and UTA CSE 6363 (maximum likelihood, Laplace smoothing). Complement: Rennie, Shih, Teevan and
Karger 2003. Bernoulli: UW CSE 446, Algorithm 1 (present words only); Brown CS195-5 (absent words, Beta prior).
Categorical: UTA CSE 6363 (weather table, m virtual examples). Gaussian: UTA CSE 6363, USC CSCI 567.
"""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import MISSING, FloatArray, IntArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.methods.method import (
    ABSENT,
    AbsentWords,
    DecomposedOdds,
    LinearMethod,
    MeasureFigures,
    Method,
    Pair,
    PartDetails,
    Weights,
    log_priors,
)
from nbmail.core.reading.tokenizer import MEASURES

_ZERO = 1e-100
"""Count in place of 0 in a logarithm: a probability of zero stays finite, and the class with fewer zeros wins."""


def logarithms(counts: npt.NDArray[Any]) -> FloatArray:
    """Return the logarithms of counts, finite for zeros."""
    return np.asarray(np.log(np.maximum(counts, _ZERO)))


def log_shares(occurrences: npt.NDArray[np.integer], totals: FloatArray, vocabulary: int, alpha: float) -> FloatArray:
    """Return the log of each word's smoothed share of its class: (times + alpha) / (all + alpha * vocabulary)."""
    return logarithms(occurrences + alpha) - logarithms(totals + alpha * vocabulary)[:, None]


class Multinomial(LinearMethod):
    """Smoothed share of the class's words, times occurrences."""

    wants_occurrences: ClassVar[bool] = True
    has_prior: ClassVar[bool] = True

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Log shares; the vocabulary is the words that any message holds."""
        totals = np.array(counts.occurrence_totals, np.float64)
        shares = log_shares(counts.occurrences_of(words), totals, counts.words, self.alpha)
        return Weights(log_priors(counts), np.where(counts.documents_with(words) > 0, shares, 0.0))


class Complement(Multinomial):
    """Weight of a word from its rarity in all other classes, times occurrences. There is no prior."""

    has_prior: ClassVar[bool] = False

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Minus the log of each word's smoothed share of the words of all other classes."""
        totals = np.array(counts.occurrence_totals, np.float64)
        occurrences = counts.occurrences_of(words)
        others = log_shares(occurrences.sum(axis=0) - occurrences, totals.sum() - totals, counts.words, self.alpha)
        return Weights(np.zeros(len(totals)), np.where(counts.documents_with(words) > 0, -others, 0.0))


def pseudo_counts(a: float, b: float, estimate: str) -> tuple[float, float]:
    """Return the pseudo-counts of a Beta(a, b) prior for heads and tails.

    * Mode of the posterior: (heads + a - 1) / (n + a + b - 2).
    * Mean of the posterior: (heads + a) / (n + a + b).
    """
    return (a - 1.0, b - 1.0) if estimate == "mode" else (a, b)


def log_chances(documents: npt.NDArray[Any], messages: FloatArray, heads: float, tails: float) -> FloatArray:
    """Return the log probability of each word in a message of each class."""
    return logarithms(documents + heads) - logarithms(messages + (heads + tails))[:, None]


class Bernoulli(LinearMethod):
    """Present words only: (1 + messages with it) / (2 + messages), by a Beta(2, 2) prior. Unknown words are ignored."""

    has_prior: ClassVar[bool] = True

    def __init__(self, a: float = 2.0, b: float = 2.0, estimate: str = "mode") -> None:
        self.heads, self.tails = pseudo_counts(a, b, estimate)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        messages = np.array(counts.messages, np.float64)
        present = log_chances(counts.documents_of(words), messages, self.heads, self.tails)
        return Weights(log_priors(counts), np.where(counts.documents_with(words) > 0, present, 0.0))


class CompleteBernoulli(Bernoulli):
    """Bernoulli model with absent words. The base is the score of a message without words."""

    def __init__(self, a: float = 2.0, b: float = 2.0, estimate: str = "mode") -> None:
        super().__init__(a, b, estimate)
        self._counts: Counts | None = None
        self._known: dict[int, tuple[int, int, float]] = {}

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Log chances of presence less those of absence, on the base of everything absent."""
        messages = np.array(counts.messages, np.float64)
        documents = counts.documents_of(words)
        present = log_chances(documents, messages, self.heads, self.tails)
        absent = log_chances(messages[:, None] - documents, messages, self.tails, self.heads)
        base = log_priors(counts) + self._nothing(counts, messages)
        return Weights(base, np.where(counts.documents_with(words) > 0, present - absent, 0.0))

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the log-ratios of the chances that each word is present."""
        return self._log_ratios(counts, pair, words)[0], np.zeros(len(words))

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """Return the prior, each present word, and all absent words as one part."""
        line, priors = self.compare(counts, pair, sample.words), log_priors(counts)
        present, absent = self._log_ratios(counts, pair, sample.words)
        prior = float(priors[pair[0]] - priors[pair[1]])
        others = ((ABSENT, line.base - prior - float(absent.sum())),)
        return DecomposedOdds(prior, present, np.zeros(len(present)), present, others, removals=line.words)

    def describe_others(self, counts: Counts, pair: Pair, sample: Sample) -> tuple[PartDetails, ...]:
        return (PartDetails(),)

    def absent_words(self, counts: Counts, pair: Pair, sample: Sample) -> AbsentWords:
        known = np.flatnonzero(counts.documents_with(None)).astype(np.int32)
        words = known[~np.isin(known, sample.words)]
        return AbsentWords(words, self._log_ratios(counts, pair, words)[1])

    def _log_ratios(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return for each word the log-ratio of its presence and of its absence, 0 if no message contains it."""
        messages = np.array(counts.messages, np.float64)
        documents, known = counts.documents_of(words), counts.documents_with(words) > 0
        present = log_chances(documents, messages, self.heads, self.tails)
        absent = log_chances(messages[:, None] - documents, messages, self.tails, self.heads)
        wanted, other = pair
        return np.where(known, present[wanted] - present[other], 0.0), np.where(
            known, absent[wanted] - absent[other], 0.0
        )

    def _nothing(self, counts: Counts, messages: FloatArray) -> FloatArray:
        """Return the log chance of a message without any word, per class."""
        found = np.empty(len(messages))
        for row, total in enumerate(messages):
            words, missing = self._missing(counts, row, float(total))
            unheld, everything = logarithms(np.array([total + self.tails, total + self.heads + self.tails]))
            found[row] = missing + (counts.words - words) * unheld - counts.words * everything
        return found

    def _missing(self, counts: Counts, row: int, messages: float) -> tuple[int, float]:
        """Return the number of words of a class, and the sum of log(messages without the word + tails) over them.

        The sum is cached until the class changes. Words with the same number of documents share one logarithm, which
        takes a tenth of the time.
        """
        if self._counts is not counts:
            self._counts, self._known = counts, {}
        change = counts.changes[row]
        known = self._known.get(row)
        if known is None or known[0] != change:
            alike = np.bincount(counts.documents[row])
            alike[0] = 0
            held = np.flatnonzero(alike)
            missing = float((alike[held] * logarithms(messages - held + self.tails)).sum())
            known = self._known[row] = (change, int(alike.sum()), missing)
        return known[1:]


_NO_FACT = -1


def fact_log_chances(
    documents: npt.NDArray[np.integer], groups: npt.NDArray[np.integer], virtual: FloatArray | float
) -> FloatArray:
    """Return the log probability of each value (column) of its fact (`groups`) in each class (row).

    The probability is (messages with the value + m / k) / (messages with any value + m) for a fact of k values.
    `virtual` is m, 0 for maximum likelihood. With m = alpha * k the formula is Laplace smoothing by alpha. A class
    without any value has 1 / k, which is the limit for small m.
    """
    facts = int(groups.max(initial=-1)) + 1
    values = np.bincount(groups, minlength=facts)
    known = np.stack([np.bincount(groups, weights=row, minlength=facts) for row in documents])
    examples = np.broadcast_to(np.asarray(virtual, np.float64), (facts,))
    examples = np.where(known + examples == 0, 1.0, examples)
    return logarithms(documents + (examples / np.maximum(values, 1))[:, groups]) - np.log(known + examples)[:, groups]


class Categorical(LinearMethod):
    """Categorical facts ("fact:name=value") only, with m virtual examples each; by default the number of values."""

    has_prior: ClassVar[bool] = True

    def __init__(self, vocabulary: Vocabulary, virtual: float | None = None) -> None:
        self.virtual = virtual
        self._facts = _Facts(vocabulary)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Log chances of the facts, 0 for words of text."""
        facts, chances = self._chances(counts)
        if words is None:
            table = np.zeros((len(counts.classes), counts.width))
            table[:, facts] = chances
            return Weights(log_priors(counts), table)
        # An empty column behind the last stands for words that are no facts.
        places = np.searchsorted(facts, words)
        places[np.append(facts, _NO_FACT)[places] != words] = len(facts)
        return Weights(log_priors(counts), np.pad(chances, ((0, 0), (0, 1)))[:, places])

    def _chances(self, counts: Counts) -> tuple[IntArray, FloatArray]:
        facts = self._facts.words()
        facts = facts[counts.documents_with(facts) > 0]
        if not len(facts):
            return facts, np.zeros((len(counts.classes), 0))
        groups = self._facts.groups_of(facts)
        virtual = np.bincount(groups).astype(np.float64) if self.virtual is None else self.virtual
        return facts, fact_log_chances(counts.documents_of(facts), groups, virtual)


class _Facts:
    """Index of the words of a growing vocabulary that are facts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._numbers: dict[str, int] = {}
        self._known = 0
        self._groups: IntArray = np.empty(0, np.int32)
        self._words: IntArray = np.empty(0, np.int32)

    def words(self) -> IntArray:
        """Return the numbers of all words that state a fact, in rising order."""
        new = self._vocabulary.words_from(self._known)
        groups = np.array([self._number(word) for word in new], np.int32)
        stating = np.flatnonzero(groups != _NO_FACT)
        if len(stating):
            self._words = np.append(self._words, (stating + self._known).astype(np.int32))
            self._groups = np.append(self._groups, groups[stating])
        self._known += len(new)
        return self._words

    def groups_of(self, words: IntArray) -> IntArray:
        """Return the fact that each of these words states, as a number."""
        return self._groups[np.searchsorted(self._words, words)]

    def _number(self, word: str) -> int:
        if not word.startswith("fact:"):
            return _NO_FACT
        return self._numbers.setdefault(word.partition("=")[0], len(self._numbers))


_SMOOTHING = 1e-9
"""The share of the widest measure's variance that is added to all, so that none is zero (as scikit-learn does)."""


def mean_and_variance(number: int, total: int, squares: int) -> tuple[float, float]:
    """Of exact integers, so that nothing cancels: the divisions alone round. NaN of nothing."""
    if number == 0:
        return np.nan, np.nan
    return total / number, (number * squares - total * total) / (number * number)


def log_densities(values: FloatArray, means: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the log of the bell's height at each value."""
    return np.asarray(-0.5 * (np.log(2.0 * np.pi * variances) + (values - means) ** 2 / variances))


class Gaussian(Method):
    """Numeric facts only. A measure that is unknown in a class or a message has no effect."""

    wants_measures: ClassVar[bool] = True
    has_prior: ClassVar[bool] = True

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Prior and densities of every message and class."""
        found = np.tile(log_priors(counts), (len(rows), 1))
        if rows.measures is not None:
            found += self._speak(counts, rows.measures).sum(axis=2)
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """Return the log-odds of one message, a part for each measure."""
        priors = log_priors(counts)
        measures = np.array([sample.measures], np.int64)
        speaking = self._speak(counts, measures)[0]
        parts = (speaking[pair[0]] - speaking[pair[1]]).tolist()
        silent = np.zeros(len(sample.words))
        others = tuple((measure_name(place), part) for place, part in enumerate(parts))
        return DecomposedOdds(float(priors[pair[0]] - priors[pair[1]]), silent, silent, silent, others)

    def describe_others(self, counts: Counts, pair: Pair, sample: Sample) -> tuple[PartDetails, ...]:
        width = min(len(sample.measures), max((len(kept) for kept in counts.measures), default=0))
        means, variances = means_and_variances(counts, width) if width else (np.zeros((0, 0)), np.zeros((0, 0)))
        found = list[PartDetails]()
        for place, value in enumerate(sample.measures[:width]):
            known = [counts.measures[row][place][0] if place < len(counts.measures[row]) else 0 for row in pair]
            bells = (each for row in pair for each in (means[row, place], np.sqrt(variances[row, place])))
            found.append(PartDetails((known[0], known[1]), measure=MeasureFigures(value, *map(float, bells))))
        return (*found, *[PartDetails()] * (len(sample.measures) - width))

    def _speak(self, counts: Counts, measures: LongArray) -> FloatArray:
        """Return the log density of each message (first), class (second) and measure (third)."""
        width = min(measures.shape[1], max((len(kept) for kept in counts.measures), default=0))
        found = np.zeros((len(measures), len(counts.classes), measures.shape[1]))
        if width:
            means, variances = means_and_variances(counts, width)
            values = measures[:, None, :width]
            heights = log_densities(values.astype(np.float64), means, variances)
            found[:, :, :width] = np.where((values == MISSING) | np.isnan(means), 0.0, heights)
        return found


def means_and_variances(counts: Counts, width: int) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of the first measures (columns) in each class (row); NaN where no class knows the measure.

    A class that knows no value of a measure takes the bell of all classes together.
    """
    tables = [kept + [[0, 0, 0]] * (width - len(kept)) for kept in counts.measures]
    together = [[sum(parts) for parts in zip(*column, strict=True)] for column in zip(*tables, strict=True)]
    found = np.array(
        [
            [mean_and_variance(*(one if one[0] else whole)) for one, whole in zip(table, together, strict=False)]
            for table in tables
        ]
    )
    widest = np.nanmax([0.0, *(mean_and_variance(*whole)[1] for whole in together)])
    smoothing = _SMOOTHING * widest if widest > 0 else _SMOOTHING
    return found[:, :, 0], found[:, :, 1] + smoothing


def measure_name(place: int) -> str:
    """Return the name of a measure in an explanation."""
    return f"measure:{MEASURES[place]}" if place < len(MEASURES) else f"measure:{place}"
