"""Balanced evidence, the default method: self-weighted log-ratios plus learned corrections.

    score = sum(r**3) / (sum(r**2) + DOUBT)  +  sum(c) / sqrt(n)

over the n distinct words of a message. r is the log-ratio of a word: the share of spam messages
with the word to the share of ham ones, slightly smoothed. c is its learned correction
(`corrections`).

The first part is the mean of the log-ratios, each weighed by its square. Hundreds of weak words
can't outvote ten strong ones, and no threshold separates them. Unlike the sum of Naive Bayes, the
mean doesn't grow with the length or with words that always occur together. The second part is
online logistic regression. Both parts are additive.

With more classes, each is weighed against all others together. Corrections then count twice,
multinomial evidence of unit length is added (`folder_scores`), and the highest score wins. That
evidence compares class with class, which helps with many small folders. Measurements:
`tests/bench/MEASUREMENTS.md`, "Balanced evidence" and "Many folders".
"""

import math
from collections.abc import Sequence

import numpy as np

from nbmail.core.compiled import compiled
from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.growing_table import with_room
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods.corrections import (
    OPPOSITE,
    UNIT,
    CorrectingMethod,
    is_mail,
    scale_of,
    undo_data_of,
)
from nbmail.core.methods.decomposition import DecomposedOdds
from nbmail.core.methods.evidence import Evidence, add_up
from nbmail.core.methods.folder_evidence import filled_classes, folder_contributions, folder_scores
from nbmail.core.methods.method import MethodFactory, Pair, Run, Scorer
from nbmail.method_spec import DEFAULT
from nbmail.values import HAM, SPAM

# Pseudo-counts of a word in each class, for two classes and for more.
SMOOTHING_OF_TWO = 0.01
SMOOTHING_OF_MANY = 0.06
# A word met in all spam and in no good mail has at most this log-ratio, so that sums fit into their
# bits (see `pack`).
STRONGEST = 8.0
# The score of a class that has no example left.
NEVER = -50.0

VERSION = 2
compiled_learning = compiled("learning", VERSION)


class Balanced(CorrectingMethod):
    """The self-weighted mean of log-ratios plus learned corrections."""

    has_shared_scale = True

    def __init__(self) -> None:
        super().__init__()
        self._logs: dict[float, FloatArray] = {}

    def scorer(self, counts: Counts, pair: Pair, words: IntArray | None = None) -> Scorer:
        if not self._is_direct(counts, pair):
            return super().scorer(counts, pair)
        packed = self._between(counts, pair, words).pack()
        return lambda rows: add_up(packed, rows, aligned=words is not None)

    def alone(self, counts: Counts, row: int, rows: WordRows) -> FloatArray:
        words = rows.words_if_few(counts.width)
        return add_up(
            self._against_rest(counts, row, words).pack(), rows, aligned=words is not None
        )

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Score each class against the rest, in one pass for each."""
        found = np.empty((len(rows), len(counts.classes)))
        for row, messages in enumerate(counts.messages):
            found[:, row] = self.alone(counts, row, rows) + (0.0 if messages else NEVER)
        return found + folder_scores(counts, rows) if filled_classes(counts) > 2 else found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        if self._is_direct(counts, pair):
            one = self._between(counts, pair, sample.words)
            contributions, total = one.contributions()
            return DecomposedOdds(0.0, one.ratios, one.scaled(), contributions, total=total)
        wanted, other = (self._against_rest(counts, row, sample.words) for row in pair)
        own, others = (
            folder_contributions(counts, row, sample.words, sample.occurrences) for row in pair
        )
        contributions = wanted.contributions()[0] - other.contributions()[0] + own - others
        prior = sum(
            sign * NEVER
            for sign, row in zip((1, -1), pair, strict=True)
            if not counts.messages[row]
        )
        return DecomposedOdds(
            float(prior),
            wanted.ratios - other.ratios,
            wanted.scaled() - other.scaled(),
            contributions,
        )

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        ratios, corrections = super().weights(counts, pair, words)
        return ratios, corrections / scale_of(max(1, len(words)))

    def learn_run(
        self, counts: Counts, samples: Sequence[Sample], labels: Sequence[str]
    ) -> Run | None:
        """Learn in compiled code. None without it, and if other classes are learned or affect the
        scores.
        """
        rows = counts.row(SPAM), counts.row(HAM)
        met = [row for row in rows if row is not None]
        alone = len(met) < 2 and sum(counts.messages) > sum(counts.messages[row] for row in met)
        if compiled_learning is None or alone or not OPPOSITE.keys() >= set(labels):
            return None
        # A single one is joined, too: what was read from a file need not be aligned.
        joined = WordRows.join([sample.words for sample in samples])
        occurrences = np.concatenate([sample.occurrences for sample in samples]).astype(
            np.int32, copy=False
        )
        highest = int(joined.words.max(initial=0))
        counts.make_room(highest)
        self._table = with_room(self._table, max(met) + 1, highest + 2)
        scores = np.empty(len(samples))
        errors = np.empty(len(samples), np.int64)
        is_spam = np.array([label == SPAM for label in labels], np.bool_)
        tables = counts.documents, counts.occurrences, self._table, counts.messages
        sides = (None if row is None else tuple(table[row] for table in tables) for row in rows)
        most = max(counts.messages[row] for row in met) + len(samples)
        logarithms = (self._logarithms(most, times * SMOOTHING_OF_TWO) for times in (1, 2))
        mail = joined.words, occurrences, joined.starts, is_spam
        fresh, *gained = compiled_learning.learn(
            *mail, *sides, counts.holders, *logarithms, scores, errors
        )
        spam, ham = (-1 if row is None else row for row in rows)
        own = np.where(is_spam, spam, ham).tolist()
        opposite = np.where(is_spam, ham, spam).tolist()
        gains = {row: gain for row, gain in zip((spam, ham), gained, strict=True) if row in own}
        counts.note_run(own, samples, gains, fresh)
        return Run(scores, list(map(undo_data_of, own, opposite, errors.tolist())))

    def _is_direct(self, counts: Counts, pair: Pair) -> bool:
        """Return whether two classes are compared with each other instead of each with the rest.

        With only two classes this is equal. Folders contain no evidence about spam.
        """
        return filled_classes(counts) <= 2 or all(is_mail(counts, row) for row in pair)

    def _between(self, counts: Counts, pair: Pair, words: IntArray | None) -> Evidence:
        wanted, other = pair
        documents = counts.documents_of(words)
        totals = counts.messages[wanted], counts.messages[other]
        ratios = self._ratios(documents[wanted], documents[other], totals, SMOOTHING_OF_TWO)
        both = self.corrections(counts, wanted, words)
        both -= self.corrections(counts, other, words)
        # Two classes that are no opposites were each learned against the other: mirror images.
        halves = 1 if all(is_mail(counts, row) for row in pair) else 2
        return Evidence(ratios, both / (UNIT * halves))

    def _against_rest(self, counts: Counts, row: int, words: IntArray | None) -> Evidence:
        # Only this row: taking the words of all classes for each class takes quadratic time.
        documents = (
            counts.documents[row]
            if words is None
            else counts.documents[row].take(words, mode="clip")
        )
        others = counts.documents_with(words) - documents
        totals = counts.messages[row], sum(counts.messages) - counts.messages[row]
        classes = filled_classes(counts)
        smoothing = SMOOTHING_OF_MANY if classes > 2 else SMOOTHING_OF_TWO
        # Corrections count twice among up to eleven classes, slightly less among more.
        weight = (
            _MOST_CORRECTIONS * math.pow(min(1.0, _FEW_CLASSES / classes), 0.15)
            if classes > 2
            else 1.0
        )
        ratios = self._ratios(documents, others, totals, smoothing)
        corrections = self.corrections(counts, row, words)
        opposite = counts.row(OPPOSITE.get(counts.classes[row], ""))
        if opposite is not None:
            corrections = corrections - self.corrections(counts, opposite, words)
        return Evidence(ratios, np.asarray(corrections * (weight / UNIT), np.float64))

    def _ratios(
        self, wanted: IntArray, other: IntArray, totals: Pair, smoothing: float
    ) -> FloatArray:
        """Return log-ratios of smoothed shares: 0 for words in neither class, and if a class has no
        message.
        """
        if not all(totals):
            return np.zeros(len(wanted))
        logs = self._logarithms(max(totals), smoothing)
        levels = self._logarithms(max(totals), 2 * smoothing)
        level = levels[totals[0]] - levels[totals[1]]
        # Every count has its logarithm; "clip" only saves `take` the check.
        ratios = logs.take(wanted, mode="clip")
        ratios -= logs.take(other, mode="clip")
        ratios -= level
        np.maximum(ratios, -STRONGEST, out=ratios)
        np.minimum(ratios, STRONGEST, out=ratios)
        ratios *= (wanted | other) != 0
        return ratios

    def _logarithms(self, most: int, smoothing: float) -> FloatArray:
        """Return the logarithm of each smoothed count: a look-up takes a tenth of the time of
        computing it.
        """
        known = self._logs.get(smoothing)
        if known is None or len(known) <= most:
            known = np.log(np.arange(2 * most + 2) + smoothing)
            self._logs[smoothing] = known
        return known


def _create(_: Vocabulary) -> Balanced:
    return Balanced()


BALANCED = MethodFactory(DEFAULT, _create)
_FEW_CLASSES = 11
_MOST_CORRECTIONS = 2.0
