"""Tree-augmented Bayes: the most informative words, each depending on one other word.

Sources: UBC CPSC 340 ("less naive"); Friedman, Geiger and Goldszmidt 1997.

Counts don't contain pairs of words, so the method keeps the words of each message: 45 MB for 75,000
messages of 150 words. A new tree is chosen whenever the number of messages has doubled; in between
only its counts grow. The state depends on labels and their order, and the latest step can be
undone. Imported counts have no effect.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods.class_chances import log_priors
from nbmail.core.methods.decomposition import ABSENT, DecomposedOdds, Part
from nbmail.core.methods.method import Method, Pair
from nbmail.lab.methods.dependency_tree import (
    NO_PARENT,
    Presence,
    conditional_information,
    information,
    widest_tree,
)

MOST_WORDS = 1000
_FIRST = 32
"""Messages before the first tree."""
_CHUNK = 2048
"""Messages laid out as presence at a time: 2 MB."""


class PairWeights(NamedTuple):
    """Weights of chosen words (columns) in each class (row), alone and with their parent."""

    base: FloatArray
    words: FloatArray
    pairs: FloatArray


class LogChances(NamedTuple):
    """Log chances that words (columns) are present, and that they are absent, in each class."""

    present: FloatArray
    absent: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class WordTree:
    """Chosen words in rising order, and the place of each one's parent among them."""

    words: IntArray
    parents: LongArray

    @classmethod
    def without_parents(cls, words: IntArray) -> "WordTree":
        return cls(words, np.full(len(words), NO_PARENT, np.int64))

    @property
    def is_child(self) -> Presence:
        return np.asarray(self.parents != NO_PARENT)

    def presence(self, rows: Sequence[IntArray]) -> Presence:
        """Return which chosen words messages of these words contain."""
        found = np.zeros((len(rows), len(self.words)), np.bool_)
        if not len(self.words):
            return found
        for message, words in zip(found, rows, strict=True):
            places = np.searchsorted(self.words, words)
            places[places == len(self.words)] = 0
            message[places[self.words[places] == words]] = True
        return found

    def paired(self, presence: Presence) -> Presence:
        """Return which chosen words are present together with their parent."""
        return np.asarray(presence & presence[:, self.parents] & self.is_child)


class PairCounts:
    """Messages of each class (row) that contain each chosen word (column).

    `both`: those that contain its parent as well.
    """

    def __init__(self, words: int) -> None:
        self.ones: LongArray = np.zeros((0, words), np.int64)
        self.both: LongArray = np.zeros((0, words), np.int64)

    def make_room(self, classes: int) -> None:
        if classes > len(self.ones):
            more = ((0, classes - len(self.ones)), (0, 0))
            self.ones = np.pad(self.ones, more)
            self.both = np.pad(self.both, more)

    def add(self, labels: LongArray, present: Presence, paired: Presence, sign: int) -> None:
        np.add.at(self.ones, labels, sign * present.astype(np.int64))
        np.add.at(self.both, labels, sign * paired.astype(np.int64))


class PairChances(NamedTuple):
    """Log chances of chosen words, if their parent is present and if it is absent.

    A word without a parent is treated like one whose parent is always absent.
    """

    with_parent: LogChances
    without: LogChances

    @classmethod
    def of(
        cls, messages: LongArray, ones: LongArray, both: LongArray, tree: WordTree
    ) -> "PairChances":
        """Estimate the chances with Laplace smoothing.

        `ones`: messages with the word. `both`: messages with word and parent.
        """
        given = np.where(tree.is_child, ones[:, tree.parents], 0)
        return cls(_log_chances(both, given), _log_chances(ones - both, messages[:, None] - given))

    def weights(self, tree: WordTree) -> PairWeights:
        words = self.without.present - self.without.absent
        # The weight of a parent includes the changed weight of its absent children.
        shifts = (self.with_parent.absent - self.without.absent)[:, tree.is_child]
        np.add.at(words.T, tree.parents[tree.is_child], shifts.T)
        pairs = np.where(
            tree.is_child,
            self.with_parent.present
            - self.with_parent.absent
            - self.without.present
            + self.without.absent,
            0.0,
        )
        return PairWeights(self.without.absent.sum(axis=1), words, pairs)


def _log_chances(heads: LongArray, tosses: LongArray) -> LogChances:
    whole = np.log(tosses + 2.0)
    return LogChances(np.log(heads + 1.0) - whole, np.log(tosses - heads + 1.0) - whole)


class TreeAugmented(Method):
    """The most informative words, each depending on one other."""

    counts_suffice: ClassVar[bool] = False
    has_prior: ClassVar[bool] = True

    def __init__(self) -> None:
        self._rows: list[IntArray] = []
        self._classes: list[int] = []
        self._messages: LongArray = np.zeros(0, np.int64)
        """Number of messages of each class."""
        self._tree = WordTree.without_parents(np.empty(0, np.int32))
        self._chosen_from = 0
        self._counts = PairCounts(0)
        self._counted = 0

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        tree = self._tree_for(counts)
        weights = self._chances(counts).weights(tree)
        base = self._log_priors(counts) + weights.base
        found = np.empty((len(rows), len(counts.classes)))
        for first in range(0, len(rows), _CHUNK):
            last = min(first + _CHUNK, len(rows))
            words = [rows.words[rows.starts[i] : rows.starts[i + 1]] for i in range(first, last)]
            presence = tree.presence(words)
            alone = _sums(presence, weights.words)
            pairs = _sums(tree.paired(presence), weights.pairs)
            found[first:last] = base + alone + pairs
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        wanted, other = pair
        tree = self._tree_for(counts)
        chances = self._chances(counts)
        weights = chances.weights(tree)
        presence = tree.presence([sample.words])
        present = np.flatnonzero(presence[0])
        paired = np.flatnonzero(tree.paired(presence)[0])
        beside = np.searchsorted(sample.words, tree.words[present])

        removals = np.zeros(len(sample.words))
        removals[beside] = weights.words[wanted, present] - weights.words[other, present]
        pair_weights = weights.pairs[wanted, paired] - weights.pairs[other, paired]

        # The log chance of each word without its parent, and the difference that its parent makes.
        alone = chances.without.present
        ratios = np.zeros(len(sample.words))
        ratios[beside] = alone[wanted, present] - alone[other, present]
        together = np.where(tree.is_child, chances.with_parent.present - alone, 0.0)
        shares = (together[wanted, paired] - together[other, paired]).tolist()

        base = float(weights.base[wanted] - weights.base[other])
        traded = float(removals.sum() + pair_weights.sum())
        absent = base + traded - float(ratios.sum()) - sum(shares)
        others = [Part(ABSENT, absent)]
        both = self._counts.both
        for place, share in zip(paired.tolist(), shares, strict=True):
            messages = (int(both[wanted, place]), int(both[other, place]))
            words = (int(tree.words[tree.parents[place]]), int(tree.words[place]))
            others.append(Part("pair", share, messages, words))

        priors = self._log_priors(counts)
        prior = float(priors[wanted] - priors[other])
        return DecomposedOdds(
            prior, ratios, np.zeros(len(ratios)), ratios, tuple(others), removals=removals
        )

    def parent_of(self, word: int) -> int | None:
        tree = self._tree
        place = int(np.searchsorted(tree.words, word))
        if place == len(tree.words) or tree.words[place] != word:
            return None
        parent = tree.parents[place]
        return None if parent == NO_PARENT else int(tree.words[parent])

    def absent_words(
        self, counts: Counts, pair: Pair, sample: Sample
    ) -> tuple[IntArray, FloatArray]:
        wanted, other = pair
        tree = self._tree_for(counts)
        present = tree.presence([sample.words])[0]
        chances = self._chances(counts)
        has_present_parent = tree.is_child & present[tree.parents]
        log_chances = np.where(
            has_present_parent, chances.with_parent.absent, chances.without.absent
        )
        absent = np.flatnonzero(~present)
        return tree.words[absent], log_chances[wanted, absent] - log_chances[other, absent]

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        row = counts.row_to_be(label)
        self._rows.append(sample.words)
        self._classes.append(row)
        self._make_room(row + 1)
        self._messages[row] += 1
        return ()

    def unlearn(
        self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None
    ) -> bool:
        """Remove the latest message. Any other message stays until the next rebuild."""
        if undo_data is None:
            return False
        last = len(self._rows) - 1
        if self._counted > last:
            self._count(last, self._counted, -1)
            self._counted = last
        if self._chosen_from > last:
            self._chosen_from = -1
        self._messages[self._classes[last]] -= 1
        del self._rows[last]
        del self._classes[last]
        return True

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        """Return False if there are messages: counts contain no pairs, so a rebuild is needed."""
        return not any(counts.messages)

    def _tree_for(self, counts: Counts) -> WordTree:
        """Return the tree after choosing it and counting its pairs in all messages."""
        self._make_room(len(counts.classes))
        self._keep_up()
        return self._tree

    def _chances(self, counts: Counts) -> PairChances:
        tree = self._tree_for(counts)
        classes = slice(len(counts.classes))
        ones = self._counts.ones[classes]
        both = self._counts.both[classes]
        return PairChances.of(self._messages[classes], ones, both, tree)

    def _log_priors(self, counts: Counts) -> FloatArray:
        return log_priors(self._messages[: len(counts.classes)].tolist())

    def _make_room(self, classes: int) -> None:
        """Make room for this number of classes.

        The counts may have more, or fewer, than the stored messages.
        """
        missing = max(0, classes - len(self._messages))
        self._messages = np.pad(self._messages, (0, missing))

    def _keep_up(self) -> None:
        messages = len(self._rows)
        wanted = _messages_to_choose_from(messages)
        if wanted != self._chosen_from:
            self._choose(wanted)
        self._counts.make_room(len(self._messages))
        self._count(self._counted, messages, 1)
        self._counted = messages

    def _choose(self, messages: int) -> None:
        """Choose words and their parents from the first messages."""
        classes = len(self._messages)
        rows = self._rows[:messages]
        labels = np.array(self._classes[:messages], np.int64)
        widths = [int(row[-1]) + 1 for row in rows if len(row)]
        width = max(widths, default=0)
        documents = np.zeros((classes, width), np.int64)
        for label, row in zip(labels, rows, strict=True):
            documents[label, row] += 1

        worth = information(documents, np.bincount(labels, minlength=classes))
        best = np.argsort(-worth, kind="stable")[:MOST_WORDS]
        words = np.sort(best).astype(np.int32)
        chosen = WordTree.without_parents(words)
        presences = (
            chosen.presence([rows[i] for i in np.flatnonzero(labels == label)])
            for label in np.unique(labels)
        )
        self._tree = WordTree(words, widest_tree(conditional_information(presences)))
        self._counts = PairCounts(len(words))
        self._counted = 0
        self._chosen_from = messages

    def _count(self, start: int, stop: int, sign: int) -> None:
        for first in range(start, stop, _CHUNK):
            last = min(first + _CHUNK, stop)
            presence = self._tree.presence(self._rows[first:last])
            labels = np.array(self._classes[first:last])
            self._counts.add(labels, presence, self._tree.paired(presence), sign)


def _messages_to_choose_from(messages: int) -> int:
    """Return the number of first messages that choose the tree: `_FIRST`, doubled repeatedly."""
    if messages < _FIRST:
        return 0
    return _FIRST << (messages // _FIRST).bit_length() - 1


def _sums(presence: Presence, weights: FloatArray) -> FloatArray:
    """Return the sum of the weights of the present words for each message and class.

    Messages are summed separately: the rounding of a matrix product depends on the processor and
    the number of messages.
    """
    messages, places = np.nonzero(presence)
    found = np.empty((len(presence), len(weights)))
    for row, weights_of_class in enumerate(weights):
        found[:, row] = np.bincount(messages, weights_of_class[places], len(presence))
    return found
