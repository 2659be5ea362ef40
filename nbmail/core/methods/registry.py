"""All methods by name, with their parameters: logistic regression and naive Bayes are here.

Multinomial: USC CSCI 567 and UTA CSE 6363 (maximum likelihood, Laplace smoothing). Complement:
Rennie, Shih, Teevan and Karger 2003. Bernoulli: UW CSE 446, Algorithm 1 (present words only); Brown
CS195-5 (absent words, Beta prior). Categorical: UTA CSE 6363 (weather table, m virtual examples).
Gaussian: UTA CSE 6363, USC CSCI 567.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts, with_room
from nbmail.core.counting.sample import (
    MISSING,
    FloatArray,
    IntArray,
    LongArray,
    Sample,
    Vocabulary,
    WordRows,
)
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.method import (
    ABSENT,
    DecomposedOdds,
    LinearMethod,
    MeasureFigures,
    Method,
    Pair,
    Part,
    Weights,
    log_priors,
)
from nbmail.core.methods.tree_augmented import TreeAugmented
from nbmail.core.reading.tokenizer import MEASURES
from nbmail.method_spec import MethodSpec

_spec_of = lru_cache(MethodSpec.parse)


def reads_words(method: str) -> bool:
    """True if the method needs the text of words, not only their numbers."""
    return _spec_of(method).name == "categorical"


def create(method: str, vocabulary: Vocabulary) -> Method:
    """Return a new method without state. `method`: text of a `MethodSpec`."""
    spec = _spec_of(method)
    made: dict[str, Callable[[], Method]] = {
        "balanced": Balanced,
        "multinomial": lambda: Multinomial(spec.smoothing),
        "complement": lambda: Complement(spec.smoothing),
        "bernoulli": lambda: Bernoulli(*spec.beta, spec.estimate),
        "bernoulli-complete": lambda: CompleteBernoulli(*spec.beta, spec.estimate),
        "categorical": lambda: Categorical(vocabulary, spec.virtual),
        "gaussian": Gaussian,
        "tree": TreeAugmented,
        "logistic": Logistic,
    }
    return made[spec.name]()


UNIT = float(1 << 40)
"""Value of one in the integers that represent weights."""
_LEARNING_RATE = 8.0


def chances(scores: FloatArray) -> FloatArray:
    """Return the softmax of the scores of classes: chances that add up to 1."""
    heights = np.exp(scores - scores.max())
    return np.asarray(heights / heights.sum())


class Logistic(LinearMethod):
    """A weight for each word and class, changed after each message by the error of its prediction.

    Each message is scaled to length one (1 / sqrt(n) for each word). The weights of all its words
    change by the same integer, which is enough to undo the step exactly.
    """

    counts_suffice: ClassVar[bool] = False
    is_learned: ClassVar[bool] = True

    def __init__(self) -> None:
        self._moved: LongArray = np.zeros((0, 0), np.int64)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        self._moved = with_room(self._moved, len(counts.classes), counts.width)
        moved = self._moved[: len(counts.classes)]
        mine = moved[:, : counts.width] if words is None else moved.take(words, axis=1, mode="clip")
        return Weights(np.zeros(len(moved)), mine / UNIT)

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Change the weights of the message's words, in each class by the error of its chance."""
        right = counts.row_to_be(label)
        # The last column always stays empty.
        width = int(sample.words.max(initial=0)) + 2
        self._moved = with_room(self._moved, max(right + 1, len(counts.classes)), width)
        scale = 1.0 / max(1.0, float(np.sqrt(len(sample.words))))
        scores = self._moved[:, sample.words].sum(axis=1) * (scale / UNIT)
        met = np.zeros(len(scores), np.bool_)
        met[: len(counts.classes)] = np.array(counts.messages) > 0
        met[right] = True
        errors = -chances(np.where(met, scores, -np.inf))
        errors[right] += 1.0
        moves = np.rint(errors * (_LEARNING_RATE * scale * UNIT)).astype(np.int64)
        self._moved[:, sample.words] += moves[:, None]
        return tuple(moves.tolist())

    def unlearn(
        self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None
    ) -> bool:
        if undo_data is None:
            return False
        self._moved[: len(undo_data), sample.words] -= np.array(undo_data, np.int64)[:, None]
        return True

    def state(self) -> LongArray:
        return self._moved.copy()

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        self._moved = np.pad(kept, ((0, 0), (0, 1)))
        return True


_ZERO = 1e-100
"""Count in place of 0 in a logarithm: a probability of zero stays finite, and the class with fewer
zeros wins.
"""


def logarithms(counts: npt.NDArray[np.number]) -> FloatArray:
    return np.asarray(np.log(np.maximum(counts, _ZERO)))


def log_shares(
    occurrences: npt.NDArray[np.integer], totals: FloatArray, vocabulary: int, alpha: float
) -> FloatArray:
    """Return the log of each word's smoothed share of its class: (times + alpha) / (all + alpha *
    vocabulary).
    """
    return logarithms(occurrences + alpha) - logarithms(totals + alpha * vocabulary)[:, None]


class Multinomial(LinearMethod):
    """Smoothed share of the class's words, times occurrences."""

    wants_occurrences: ClassVar[bool] = True
    has_prior: ClassVar[bool] = True

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        totals = np.array(counts.occurrence_totals, np.float64)
        shares = log_shares(counts.occurrences_of(words), totals, counts.words, self.alpha)
        return Weights(
            log_priors(counts.messages), np.where(counts.documents_with(words) > 0, shares, 0.0)
        )


class Complement(Multinomial):
    """Weight of a word from its rarity in all other classes, times occurrences. There is no
    prior.
    """

    has_prior: ClassVar[bool] = False

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        totals = np.array(counts.occurrence_totals, np.float64)
        occurrences = counts.occurrences_of(words)
        others = log_shares(
            occurrences.sum(axis=0) - occurrences, totals.sum() - totals, counts.words, self.alpha
        )
        return Weights(
            np.zeros(len(totals)), np.where(counts.documents_with(words) > 0, -others, 0.0)
        )


def log_chances(
    documents: npt.NDArray[np.number], messages: FloatArray, heads: float, tails: float
) -> FloatArray:
    return logarithms(documents + heads) - logarithms(messages + (heads + tails))[:, None]


class Bernoulli(LinearMethod):
    """Present words only: (1 + messages with it) / (2 + messages), by a Beta(2, 2) prior. Unknown
    words are ignored.

    A Beta(a, b) prior adds pseudo-counts to present (`heads`) and absent words (`tails`).
    `estimate` of the posterior:

    * mode: (heads + a - 1) / (n + a + b - 2).
    * mean: (heads + a) / (n + a + b).
    """

    has_prior: ClassVar[bool] = True

    def __init__(self, a: float = 2.0, b: float = 2.0, estimate: str = "mode") -> None:
        self.heads, self.tails = (a - 1.0, b - 1.0) if estimate == "mode" else (a, b)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        messages = np.array(counts.messages, np.float64)
        present = log_chances(counts.documents_of(words), messages, self.heads, self.tails)
        return Weights(
            log_priors(counts.messages), np.where(counts.documents_with(words) > 0, present, 0.0)
        )


class CompleteBernoulli(Bernoulli):
    """Bernoulli model with absent words. The base is the score of a message without words."""

    def __init__(self, a: float = 2.0, b: float = 2.0, estimate: str = "mode") -> None:
        super().__init__(a, b, estimate)
        self._counts: Counts | None = None
        self._known: dict[int, tuple[int, int, float]] = {}

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        present, absent = self._log_chances(counts, words)
        weights = np.where(counts.documents_with(words) > 0, present - absent, 0.0)
        return Weights(log_priors(counts.messages) + self._nothing(counts), weights)

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        present, _ = self._log_chances(counts, words)
        ratios = np.where(
            counts.documents_with(words) > 0, present[pair[0]] - present[pair[1]], 0.0
        )
        return ratios, np.zeros(len(words))

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        base, removals = self.compare(counts, pair, sample.words)
        (present, absent), priors = (
            self._log_chances(counts, sample.words),
            log_priors(counts.messages),
        )
        wanted, other = pair
        prior = float(priors[wanted] - priors[other])
        known = counts.documents_with(sample.words) > 0
        ratios, losses = (
            np.where(known, each[wanted] - each[other], 0.0) for each in (present, absent)
        )
        lacking = Part(ABSENT, base - prior - float(losses.sum()))
        return DecomposedOdds(
            prior, ratios, np.zeros(len(ratios)), ratios, (lacking,), removals=removals
        )

    def absent_words(
        self, counts: Counts, pair: Pair, sample: Sample
    ) -> tuple[IntArray, FloatArray]:
        known = np.flatnonzero(counts.documents_with(None)).astype(np.int32)
        words = known[~np.isin(known, sample.words)]
        _, absent = self._log_chances(counts, words)
        return words, absent[pair[0]] - absent[pair[1]]

    def _log_chances(self, counts: Counts, words: IntArray | None) -> tuple[FloatArray, FloatArray]:
        """Return the log chances that each word is present and that it is absent."""
        messages = np.array(counts.messages, np.float64)
        documents = counts.documents_of(words)
        present = log_chances(documents, messages, self.heads, self.tails)
        absent = log_chances(messages[:, None] - documents, messages, self.tails, self.heads)
        return present, absent

    def _nothing(self, counts: Counts) -> FloatArray:
        """Return the log chance of a message without any word, per class.

        The sum over the words of a class is cached until the class changes. Words with the same
        number of documents share one logarithm, which takes a tenth of the time.
        """
        if self._counts is not counts:
            self._counts = counts
            self._known = {}
        found = np.empty(len(counts.messages))
        for row, total in enumerate(map(float, counts.messages)):
            change, words, missing = self._known.get(row, (-1, 0, 0.0))
            if change != counts.changes[row]:
                alike = np.bincount(counts.documents[row])
                alike[0] = 0
                held = np.flatnonzero(alike)
                words = int(alike.sum())
                missing = float((alike[held] * logarithms(total - held + self.tails)).sum())
                self._known[row] = counts.changes[row], words, missing
            unheld, everything = logarithms(
                np.array([total + self.tails, total + self.heads + self.tails])
            )
            found[row] = missing + (counts.words - words) * unheld - counts.words * everything
        return found


_NO_FACT = -1


def fact_log_chances(
    documents: npt.NDArray[np.integer], groups: npt.NDArray[np.integer], virtual: FloatArray | float
) -> FloatArray:
    """Return the log probability of each value (column) of its fact (`groups`) in each class (row).

    The probability is (messages with the value + m / k) / (messages with any value + m) for a fact
    of k values. `virtual` is m, 0 for maximum likelihood. With m = alpha * k the formula is Laplace
    smoothing by alpha. A class without any value has 1 / k, which is the limit for small m.
    """
    facts = int(groups.max(initial=-1)) + 1
    values = np.bincount(groups, minlength=facts)
    known = np.stack([np.bincount(groups, weights=row, minlength=facts) for row in documents])
    examples = np.broadcast_to(np.asarray(virtual, np.float64), (facts,))
    examples = np.where(known + examples == 0, 1.0, examples)
    return (
        logarithms(documents + (examples / np.maximum(values, 1))[:, groups])
        - np.log(known + examples)[:, groups]
    )


class Categorical(LinearMethod):
    """Categorical facts ("fact:name=value") only, with m virtual examples each; by default the
    number of values.
    """

    has_prior: ClassVar[bool] = True

    def __init__(self, vocabulary: Vocabulary, virtual: float | None = None) -> None:
        self.virtual = virtual
        self._vocabulary = vocabulary
        self._read = 0
        # The words that state a fact, in rising order, and the number of the fact that each states.
        self._words = np.empty(0, np.int32)
        self._groups = np.empty(0, np.int32)
        self._facts: dict[str, int] = {}

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        facts, chances = self._chances(counts)
        if words is None:
            table = np.zeros((len(counts.classes), counts.width))
            table[:, facts] = chances
            return Weights(log_priors(counts.messages), table)
        # An empty column behind the last stands for words that are no facts.
        places = np.searchsorted(facts, words)
        places[np.append(facts, _NO_FACT)[places] != words] = len(facts)
        return Weights(log_priors(counts.messages), np.pad(chances, ((0, 0), (0, 1)))[:, places])

    def _chances(self, counts: Counts) -> tuple[IntArray, FloatArray]:
        self._read_new_words()
        known = counts.documents_with(self._words) > 0
        facts = self._words[known]
        groups = self._groups[known]
        if not len(facts):
            return facts, np.zeros((len(counts.classes), 0))
        virtual = np.bincount(groups).astype(np.float64) if self.virtual is None else self.virtual
        return facts, fact_log_chances(counts.documents_of(facts), groups, virtual)

    def _read_new_words(self) -> None:
        new = self._vocabulary.words_from(self._read)
        stating = [
            (number, word)
            for number, word in enumerate(new, self._read)
            if word.startswith("fact:")
        ]
        groups = [
            self._facts.setdefault(word.partition("=")[0], len(self._facts)) for _, word in stating
        ]
        if stating:
            self._words = np.append(
                self._words, np.array([number for number, _ in stating], np.int32)
            )
            self._groups = np.append(self._groups, np.array(groups, np.int32))
        self._read += len(new)


_SMOOTHING = 1e-9
"""The share of the widest measure's variance that is added to all, so that none is zero (as
scikit-learn does).
"""


def mean_and_variance(number: int, total: int, squares: int) -> tuple[float, float]:
    """Return mean and variance from exact sums of integers: only the divisions round. NaN without
    values.
    """
    if number == 0:
        return np.nan, np.nan
    return total / number, (number * squares - total * total) / (number * number)


class Gaussian(Method):
    """Numeric facts only. A measure that is unknown in a class or a message has no effect."""

    wants_measures: ClassVar[bool] = True
    has_prior: ClassVar[bool] = True

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        found = np.tile(log_priors(counts.messages), (len(rows), 1))
        if rows.measures is not None:
            bells = means_and_variances(counts, rows.measures.shape[1])
            found += _log_densities(rows.measures, *bells).sum(axis=2)
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        wanted, other = pair
        priors = log_priors(counts.messages)
        (means, variances) = means_and_variances(counts, len(sample.measures))
        densities = _log_densities(np.array([sample.measures], np.int64), means, variances)
        others = list[Part]()
        nothing = np.zeros(len(sample.words))
        for place, value in enumerate(sample.measures):
            known = [
                counts.measures[row][place][0] if place < len(counts.measures[row]) else 0
                for row in pair
            ]
            bells = (
                float(each)
                for row in pair
                for each in (means[row, place], np.sqrt(variances[row, place]))
            )
            name = f"measure:{MEASURES[place] if place < len(MEASURES) else place}"
            adds = float(densities[0, wanted, place] - densities[0, other, place])
            others.append(
                Part(name, adds, (known[0], known[1]), measure=MeasureFigures(value, *bells))
            )
        return DecomposedOdds(
            float(priors[wanted] - priors[other]), nothing, nothing, nothing, tuple(others)
        )


def _log_densities(measures: LongArray, means: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the log density of each message (first), class (second) and measure (third)."""
    values = measures[:, None]
    heights = -0.5 * (
        np.log(2.0 * np.pi * variances) + (values.astype(np.float64) - means) ** 2 / variances
    )
    return np.where((values == MISSING) | np.isnan(means), 0.0, heights)


def means_and_variances(counts: Counts, width: int) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the first measures (columns) in each class (row); NaN if no class
    has values.

    A class without values of a measure gets those of all classes together.
    """
    tables = [(kept + [[0, 0, 0]] * width)[:width] for kept in counts.measures]
    together = [
        [sum(parts) for parts in zip(*column, strict=True)] for column in zip(*tables, strict=True)
    ]
    found = np.array(
        [
            [
                mean_and_variance(*(one if one[0] else whole))
                for one, whole in zip(table, together, strict=True)
            ]
            for table in tables
        ]
    ).reshape(len(tables), width, 2)
    widest = np.nanmax([0.0, *(mean_and_variance(*whole)[1] for whole in together)])
    smoothing = _SMOOTHING * widest if widest > 0 else _SMOOTHING
    return found[:, :, 0], found[:, :, 1] + smoothing
