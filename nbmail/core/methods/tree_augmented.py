"""Tree-augmented Bayes: the most informative words, each depending on one other word.

Sources: UBC CPSC 340 ("less naive"); Chow and Liu 1968 for the tree; Friedman, Geiger and
Goldszmidt 1997.

Counts don't contain pairs of words, so the method keeps the words of each message: 45 MB for 75,000
messages of 150 words. A new tree is chosen whenever the number of messages has doubled; in between
only its counts grow. The state depends on labels and their order, and the latest step can be
undone. Imported counts have no effect.
"""

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample, WordRows
from nbmail.core.methods.method import ABSENT, DecomposedOdds, Method, Pair, Part, log_priors

Presence = npt.NDArray[np.bool_]
"""True for the chosen words (columns) that a message (row) contains."""

NO_PARENT = -1


class PairWeights(NamedTuple):
    """Weights of chosen words (columns) in each class (row), alone and together with their
    parent.
    """

    base: FloatArray
    words: FloatArray
    pairs: FloatArray


def information(
    documents: npt.NDArray[np.integer], messages: npt.NDArray[np.integer]
) -> FloatArray:
    """Return the mutual information of each word's presence and the class, in nats."""
    everything = max(1.0, float(messages.sum()))
    present = documents / everything
    absent = (messages[:, None] - documents) / everything
    shares = messages[:, None] / everything
    found = np.zeros(documents.shape[1])
    for part in (present, absent):
        found += (part * _log_ratio(part, shares * part.sum(axis=0))).sum(axis=0)
    return found


def conditional_information(classes: Iterable[Presence]) -> FloatArray:
    """Return the mutual information of two words given the class, times the number of messages."""
    found: FloatArray = np.zeros((0, 0))
    for presence in classes:
        both = np.zeros((presence.shape[1], presence.shape[1]))
        for held in presence:
            # A message holds few of the words: counting its pairs takes less time than multiplying
            # tables.
            words = np.flatnonzero(held)
            both[np.ix_(words, words)] += 1.0
        messages = len(presence)
        ones = np.diag(both).copy()
        zeros = messages - ones
        only = ones[:, None] - both
        one = both * _log_ratio(both * messages, np.outer(ones, ones))
        crossed = only * _log_ratio(only * messages, np.outer(ones, zeros))
        neither = zeros[None, :] - only
        one += crossed + crossed.T
        one += neither * _log_ratio(neither * messages, np.outer(zeros, zeros))
        found = one if not found.size else found + one
    return found


def _log_ratio(upper: FloatArray, lower: FloatArray) -> FloatArray:
    """Return the logarithm of the ratio, 0 where the upper is 0: 0 log 0 is 0."""
    return np.log(np.where(upper > 0, upper, 1.0)) - np.log(np.where(upper > 0, lower, 1.0))


def widest_tree(strengths: FloatArray) -> LongArray:
    """Return the maximum spanning tree (Prim) as the parent of each node; the first has
    `NO_PARENT`.
    """
    size = len(strengths)
    parents = np.full(size, NO_PARENT, np.int64)
    outside = np.ones(size, np.bool_)
    best = np.full(size, -np.inf)
    newest = 0
    for _ in range(size - 1):
        outside[newest] = False
        better = outside & (strengths[newest] > best)
        best[better] = strengths[newest, better]
        parents[better] = newest
        newest = int(np.where(outside, best, -np.inf).argmax())
    return parents


def pair_weights(
    messages: LongArray, ones: LongArray, both: LongArray, parents: LongArray
) -> PairWeights:
    """Return the weights of words given their parents, with Laplace smoothing.

    `ones`: messages with the word. `both`: messages with word and parent. A word without a parent
    is treated like one whose parent is always absent.
    """
    child = parents != NO_PARENT
    given = np.where(child, ones[:, parents], 0)
    on_with, off_with = _log_chances(both, given)
    on_without, off_without = _log_chances(ones - both, messages[:, None] - given)
    words = on_without - off_without
    # The weight of a parent includes the changed weight of its absent children.
    shifts = (off_with - off_without)[:, child]
    np.add.at(words.T, parents[child], shifts.T)
    pairs = np.where(child, on_with - off_with - on_without + off_without, 0.0)
    return PairWeights(off_without.sum(axis=1), words, pairs)


def _log_chances(heads: LongArray, tosses: LongArray) -> tuple[FloatArray, FloatArray]:
    whole = np.log(tosses + 2.0)
    return np.log(heads + 1.0) - whole, np.log(tosses - heads + 1.0) - whole


MOST_WORDS = 1000
_FIRST = 32
"""Messages before the first tree."""
_CHUNK = 2048
"""Messages laid out as presence at a time: 2 MB."""


class TreeAugmented(Method):
    """The most informative words, each depending on one other."""

    counts_suffice: ClassVar[bool] = False
    has_prior: ClassVar[bool] = True

    def __init__(self) -> None:
        self._rows: list[IntArray] = []
        self._classes: list[int] = []
        self._held: LongArray = np.zeros(0, np.int64)
        self._chosen_from = 0
        self._words: IntArray = np.empty(0, np.int32)
        self._parents: LongArray = np.empty(0, np.int64)
        self._ones: LongArray = np.zeros((0, 0), np.int64)
        self._both: LongArray = np.zeros((0, 0), np.int64)
        self._counted = 0

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        weights = self._weights(counts)
        found = np.empty((len(rows), len(counts.classes)))
        base = self._log_priors(counts) + weights.base
        for first in range(0, len(rows), _CHUNK):
            last = min(first + _CHUNK, len(rows))
            presence = self._presence(
                [rows.words[rows.starts[i] : rows.starts[i + 1]] for i in range(first, last)]
            )
            pairs = self._paired(presence)
            found[first:last] = base + _sums(presence, weights.words) + _sums(pairs, weights.pairs)
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        weights = self._weights(counts)
        presence = self._presence([sample.words])
        places = np.flatnonzero(presence[0])
        paired = np.flatnonzero(self._paired(presence)[0])
        beside = np.searchsorted(sample.words, self._words[places])
        wanted, other = pair
        ratios = np.zeros(len(sample.words))
        removals = np.zeros(len(sample.words))
        removals[beside] = weights.words[wanted, places] - weights.words[other, places]
        # The log chance of each word without its parent, and the difference that its parent makes.
        classes = len(counts.classes)
        child = self._parents != NO_PARENT
        ones = self._ones[:classes]
        both = self._both[:classes]
        given = np.where(child, ones[:, self._parents], 0)
        alone, _ = _log_chances(ones - both, self._held[:classes, None] - given)
        together = np.where(child, _log_chances(both, given)[0] - alone, 0.0)
        ratios[beside] = alone[wanted, places] - alone[other, places]
        shares = (together[wanted, paired] - together[other, paired]).tolist()
        words = zip(
            self._words[self._parents[paired]].tolist(), self._words[paired].tolist(), strict=True
        )
        counted = zip(both[wanted, paired].tolist(), both[other, paired].tolist(), strict=True)
        parts = zip(shares, counted, words, strict=True)
        traded = float(
            removals.sum() + (weights.pairs[wanted, paired] - weights.pairs[other, paired]).sum()
        )
        base = float(weights.base[wanted] - weights.base[other])
        absent = base + traded - float(ratios.sum()) - sum(shares)
        others = (Part(ABSENT, absent), *(Part("pair", *each) for each in parts))
        priors = self._log_priors(counts)
        prior = float(priors[wanted] - priors[other])
        return DecomposedOdds(
            prior, ratios, np.zeros(len(ratios)), ratios, others, removals=removals
        )

    def parent_of(self, word: int) -> int | None:
        (place,) = np.searchsorted(self._words, [word])
        chosen = (
            place < len(self._words)
            and self._words[place] == word
            and self._parents[place] != NO_PARENT
        )
        return int(self._words[self._parents[place]]) if chosen else None

    def absent_words(
        self, counts: Counts, pair: Pair, sample: Sample
    ) -> tuple[IntArray, FloatArray]:
        present = self._presence([sample.words])[0]
        child = self._parents != NO_PARENT
        given = np.where(child, self._ones[:, self._parents], 0)
        without = _log_chances(self._ones - self._both, self._held[:, None] - given)[1]
        chances = np.where(
            child & present[self._parents], _log_chances(self._both, given)[1], without
        )
        absent = np.flatnonzero(~present)
        return self._words[absent], chances[pair[0], absent] - chances[pair[1], absent]

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        row = counts.row_to_be(label)
        self._rows.append(sample.words)
        self._classes.append(row)
        self._make_room(row + 1)
        self._held[row] += 1
        return ()

    def unlearn(
        self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None
    ) -> bool:
        """Remove the latest message. Any other message stays until the next rebuild."""
        if undo_data is None:
            return False
        last = len(self._rows) - 1
        if self._counted > last:
            self._count(slice(last, self._counted), -1)
            self._counted = last
        if self._chosen_from > last:
            self._chosen_from = -1
        self._held[self._classes[last]] -= 1
        del self._rows[last], self._classes[last]
        return True

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        """Return False if there are messages: counts contain no pairs, so that a rebuild is
        needed.
        """
        return not any(counts.messages)

    def _weights(self, counts: Counts) -> PairWeights:
        classes = len(counts.classes)
        self._make_room(classes)
        self._keep_up()
        return pair_weights(
            self._held[:classes], self._ones[:classes], self._both[:classes], self._parents
        )

    def _log_priors(self, counts: Counts) -> FloatArray:
        return log_priors(self._held[: len(counts.classes)].tolist())

    def _make_room(self, classes: int) -> None:
        """Make room for this number of classes: the counts may have more, or fewer, than the stored
        messages.
        """
        self._held = np.pad(self._held, (0, max(0, classes - len(self._held))))

    def _keep_up(self) -> None:
        messages = len(self._rows)
        classes = len(self._held)
        wanted = _FIRST << (messages // _FIRST).bit_length() - 1 if messages >= _FIRST else 0
        if wanted != self._chosen_from:
            self._choose(wanted)
        if len(self._ones) < classes:
            more = ((0, classes - len(self._ones)), (0, 0))
            self._ones = np.pad(self._ones, more)
            self._both = np.pad(self._both, more)
        self._count(slice(self._counted, messages), 1)
        self._counted = messages

    def _choose(self, first: int) -> None:
        classes = len(self._held)
        rows = self._rows[:first]
        labels = np.array(self._classes[:first], np.int64)
        width = max((int(row[-1]) + 1 for row in rows if len(row)), default=0)
        documents = np.zeros((classes, width), np.int64)
        for label, row in zip(labels, rows, strict=True):
            documents[label, row] += 1
        worth = information(documents, np.bincount(labels, minlength=classes))
        words = np.sort(np.argsort(-worth, kind="stable")[:MOST_WORDS]).astype(np.int32)
        self._begin_tree(words, np.full(len(words), NO_PARENT, np.int64))
        presences = (
            self._presence([rows[i] for i in np.flatnonzero(labels == label)])
            for label in np.unique(labels)
        )
        self._begin_tree(words, widest_tree(conditional_information(presences)))
        self._chosen_from = first

    def _begin_tree(self, words: IntArray, parents: LongArray) -> None:
        self._words = words
        self._parents = parents
        self._ones = np.zeros((0, len(words)), np.int64)
        self._both = np.zeros((0, len(words)), np.int64)
        self._counted = 0

    def _count(self, part: slice, sign: int) -> None:
        for first in range(part.start, part.stop, _CHUNK):
            last = min(first + _CHUNK, part.stop)
            presence = self._presence(self._rows[first:last])
            labels = np.array(self._classes[first:last])
            np.add.at(self._ones, labels, sign * presence.astype(np.int64))
            np.add.at(self._both, labels, sign * self._paired(presence).astype(np.int64))

    def _presence(self, rows: list[IntArray]) -> Presence:
        found = np.zeros((len(rows), len(self._words)), np.bool_)
        if not len(self._words):
            return found
        for message, words in zip(found, rows, strict=True):
            places = np.searchsorted(self._words, words)
            places[places == len(self._words)] = 0
            message[places[self._words[places] == words]] = True
        return found

    def _paired(self, presence: Presence) -> Presence:
        return np.asarray(presence & presence[:, self._parents] & (self._parents != NO_PARENT))


def _sums(presence: Presence, weights: FloatArray) -> FloatArray:
    """Return the sum of the weights of the present words for each message and class.

    Messages are summed separately: the rounding of a matrix product depends on the processor and
    the number of messages.
    """
    messages, places = np.nonzero(presence)
    found = np.empty((len(presence), len(weights)))
    for row, one in enumerate(weights):
        found[:, row] = np.bincount(messages, one[places], len(presence))
    return found
