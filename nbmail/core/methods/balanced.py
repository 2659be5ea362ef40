"""Balanced evidence, the default method: self-weighted log-ratios plus learned corrections.

    score = sum(r**3) / (sum(r**2) + DOUBT)  +  sum(c) / sqrt(n)

over the distinct words of a message, of which n are shown. r is the log-ratio of a word: the share
of spam messages with the word to the share of ham ones, slightly smoothed. c is its learned
correction (`corrections`).

The first part is the mean of the log-ratios, each weighed by its square. Hundreds of weak words
can't outvote ten strong ones, and no threshold separates them. Unlike the sum of Naive Bayes, the
mean doesn't grow with the length or with words that always occur together. The second part is
online logistic regression. Both parts are additive.

For spam against ham, each family of words (`words.families`) has such a score by its own words,
too. The score is the weighted mean of that by all words, of weight 1, and those of the families.
Their weights say how well each ranked lately (`calibration.family_weights`). The sum stays
additive: a word adds its share in all words, and weight times its share in its family.

With more classes, each is weighed against all others together. Corrections then count twice,
multinomial evidence of unit length is added (`folder_scores`), and the highest score wins. That
evidence compares class with class, which helps with many small folders. Measurements:
`tests/bench/MEASUREMENTS.md`, "Balanced evidence" and "Many folders".
"""

import math
from collections.abc import Sequence

import numpy as np

from nbmail.core.calibration.family_weights import PARTS, blend
from nbmail.core.compiled import compiled
from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
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
from nbmail.core.methods.evidence import VERSION, Evidence, add_up, score_parts
from nbmail.core.methods.folder_evidence import filled_classes, folder_contributions, folder_scores
from nbmail.core.methods.log_ratios import LogRatios
from nbmail.core.methods.method import MethodFactory, Pair, Run, Scorer
from nbmail.core.methods.word_families import WordFamilies
from nbmail.core.words.families import HOW
from nbmail.method_spec import DEFAULT
from nbmail.values import HAM, SPAM

# Pseudo-counts of a word in each class, for two classes and for more.
SMOOTHING_OF_TWO = 0.01
SMOOTHING_OF_MANY = 0.06
# The score of a class that has no example left.
NEVER = -50.0

# Weight of corrections with up to `_FEW_CLASSES`, and how it decreases with more.
_MOST_CORRECTIONS = 2.0
_FEW_CLASSES = 11
_DECREASE = 0.15

compiled_learning = compiled("learning", VERSION)


class Balanced(CorrectingMethod):
    """The self-weighted mean of log-ratios plus learned corrections, blended with its families."""

    has_shared_scale = True
    reads_words = True

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._log_ratios = LogRatios()
        self._families = WordFamilies(vocabulary)

    def scorer(self, counts: Counts, pair: Pair, words: IntArray | None = None) -> Scorer:
        if not _is_direct(counts, pair):
            return super().scorer(counts, pair)
        if _are_mail(counts, pair):
            weights = self.family_weights
            score = self._part_scorer(counts, pair, words)
            return lambda rows: blend(score(rows), weights)
        packed = self._between(counts, pair, words).pack()
        is_aligned = words is not None
        return lambda rows: add_up(packed, rows, aligned=is_aligned).scores()

    def parts(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        return self._part_scorer(counts, pair, rows.words_if_few(counts.width))(rows)

    def _part_scorer(self, counts: Counts, pair: Pair, words: IntArray | None) -> Scorer:
        """Return the scores by all words and by each family as a function of messages."""
        packed = self._between(counts, pair, words).pack()
        is_aligned = words is not None

        def score(rows: WordRows) -> FloatArray:
            families = self._families.up_to(int(rows.words.max(initial=-1)) + 1)
            return score_parts(packed, families, rows, aligned=is_aligned)

        return score

    def alone(self, counts: Counts, row: int, rows: WordRows) -> FloatArray:
        words = rows.words_if_few(counts.width)
        packed = self._against_rest(counts, row, words).pack()
        return add_up(packed, rows, aligned=words is not None).scores()

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Score each class against the rest, in one pass for each."""
        pair = counts.pair(SPAM, HAM)
        if pair is not None and filled_classes(counts) <= 2 and any(self.family_weights):
            return self._opposite_scores(counts, pair, rows)
        found = np.empty((len(rows), len(counts.classes)))
        for row in range(len(counts.classes)):
            found[:, row] = self.alone(counts, row, rows) + _score_before(counts, row)
        if filled_classes(counts) > 2:
            found += folder_scores(counts, rows)
        return found

    def _opposite_scores(self, counts: Counts, pair: Pair, rows: WordRows) -> FloatArray:
        """Return the blended scores of spam and ham, which are opposite."""
        found = np.full((len(rows), len(counts.classes)), NEVER)
        wanted, other = pair
        found[:, wanted] = self.odds(counts, pair, rows)
        found[:, other] = -found[:, wanted]
        return found

    def length_of(self, words: IntArray) -> int:
        return self._families.shown_among(words)

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        if _is_direct(counts, pair):
            return self._decompose_direct(counts, pair, sample.words)

        wanted, other = pair
        for_wanted = self._against_rest(counts, wanted, sample.words)
        for_other = self._against_rest(counts, other, sample.words)
        length = len(sample.words)
        contributions = for_wanted.contributions(length)[0] - for_other.contributions(length)[0]
        contributions += folder_contributions(counts, wanted, sample.words, sample.occurrences)
        contributions -= folder_contributions(counts, other, sample.words, sample.occurrences)
        return DecomposedOdds(
            prior=_score_before(counts, wanted) - _score_before(counts, other),
            ratios=for_wanted.ratios - for_other.ratios,
            corrections=for_wanted.scaled(length) - for_other.scaled(length),
            contributions=contributions,
        )

    def _decompose_direct(self, counts: Counts, pair: Pair, words: IntArray) -> DecomposedOdds:
        """Return the parts of the blended score: each word counts in all words and its family."""
        evidence = self._between(counts, pair, words)
        is_mail = _are_mail(counts, pair)
        length = self.length_of(words) if is_mail else len(words)
        contributions, total = evidence.contributions(length)
        corrections = evidence.scaled(length)
        if is_mail and any(self.family_weights):
            total_weight = 1.0
            marks = self._families.up_to(int(words.max(initial=-1)) + 1)[words]
            for family, weight in enumerate(self.family_weights):
                is_own = np.minimum(marks, HOW) == family
                own = evidence.at(is_own)
                own_length = int(np.count_nonzero(marks == family))
                own_contributions, own_total = own.contributions(own_length)
                contributions[is_own] += weight * own_contributions
                corrections[is_own] += weight * own.scaled(own_length)
                total += weight * own_total
                total_weight += weight
            contributions /= total_weight
            corrections /= total_weight
            total /= total_weight
        return DecomposedOdds(
            prior=0.0,
            ratios=evidence.ratios,
            corrections=corrections,
            contributions=contributions,
            total=total,
        )

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        if _is_direct(counts, pair):
            # In a message of one word, all words and its family are that word.
            evidence = self._between(counts, pair, words)
            return evidence.ratios, evidence.corrections * self._shares_alone(words)
        ratios, corrections = super().weights(counts, pair, words)
        return ratios, corrections / scale_of(max(1, len(words)))

    def _shares_alone(self, words: IntArray) -> FloatArray:
        """Return how much of its evidence each word adds to a message of this word alone."""
        own = np.array(self.family_weights)
        families = self._families.up_to(int(words.max(initial=-1)) + 1)[words]
        return np.asarray((1.0 + own[np.minimum(families, HOW)]) / (1.0 + own.sum()))

    def learn_run(
        self, counts: Counts, samples: Sequence[Sample], labels: Sequence[str]
    ) -> Run | None:
        """Learn in compiled code.

        None without it, and if other classes are learned or affect the scores.
        """
        if compiled_learning is None or not _are_mail_alone(counts, labels):
            return None
        spam = counts.row(SPAM)
        ham = counts.row(HAM)
        met = [row for row in (spam, ham) if row is not None]

        # A single one is joined, too: what was read from a file need not be aligned.
        joined = WordRows.join([sample.words for sample in samples])
        occurrences = np.concatenate([sample.occurrences for sample in samples])
        is_spam = np.array([label == SPAM for label in labels], np.bool_)
        highest = int(joined.words.max(initial=0))
        counts.make_room(highest)
        self._table = with_room(self._table, max(met) + 1, highest + 2)
        most = max(counts.messages[row] for row in met) + len(samples)
        families = self._families.up_to(highest + 1)
        parts = np.empty((len(samples), PARTS))
        errors = np.empty(len(samples), np.int64)

        new_words, spam_occurrences, ham_occurrences = compiled_learning.learn(
            joined.words,
            occurrences.astype(np.int32, copy=False),
            joined.starts,
            is_spam,
            self._tables_of(counts, spam),
            self._tables_of(counts, ham),
            counts.holders,
            self._log_ratios.logarithms(most, SMOOTHING_OF_TWO),
            self._log_ratios.logarithms(most, 2 * SMOOTHING_OF_TWO),
            parts.reshape(-1),
            errors,
            families,
        )

        spam_row = -1 if spam is None else spam
        ham_row = -1 if ham is None else ham
        gains: dict[int, int] = {}
        if is_spam.any():
            gains[spam_row] = spam_occurrences
        if not is_spam.all():
            gains[ham_row] = ham_occurrences
        own = np.where(is_spam, spam_row, ham_row).tolist()
        opposite = np.where(is_spam, ham_row, spam_row).tolist()
        counts.note_run(own, samples, gains, new_words)
        return Run(parts, list(map(undo_data_of, own, opposite, errors.tolist())))

    def _tables_of(
        self, counts: Counts, row: int | None
    ) -> tuple[IntArray, LongArray, LongArray, int] | None:
        """Return the row of each table and the number of messages; None for an unknown class."""
        if row is None:
            return None
        messages = counts.messages[row]
        return counts.documents[row], counts.occurrences[row], self._table[row], messages

    def _between(self, counts: Counts, pair: Pair, words: IntArray | None) -> Evidence:
        wanted, other = pair
        documents = counts.documents_of(words)
        messages = (counts.messages[wanted], counts.messages[other])
        ratios = self._log_ratios.between(
            documents[wanted], documents[other], messages, SMOOTHING_OF_TWO
        )
        corrections = self.corrections(counts, wanted, words)
        corrections -= self.corrections(counts, other, words)
        # Two classes that are no opposites were each learned against the other: mirror images.
        halves = 1 if _are_mail(counts, pair) else 2
        return Evidence(ratios, corrections / (UNIT * halves))

    def _against_rest(self, counts: Counts, row: int, words: IntArray | None) -> Evidence:
        # Only this row: taking the words of all classes for each class takes quadratic time.
        documents = counts.documents[row]
        if words is not None:
            documents = documents.take(words, mode="clip")
        others = counts.documents_with(words) - documents
        messages = (counts.messages[row], sum(counts.messages) - counts.messages[row])
        classes = filled_classes(counts)
        smoothing = SMOOTHING_OF_MANY if classes > 2 else SMOOTHING_OF_TWO
        ratios = self._log_ratios.between(documents, others, messages, smoothing)

        corrections = self.corrections(counts, row, words)
        opposite = counts.row(OPPOSITE.get(counts.classes[row], ""))
        if opposite is not None:
            corrections = corrections - self.corrections(counts, opposite, words)
        weight = _weight_of_corrections(classes)
        return Evidence(ratios, np.asarray(corrections * (weight / UNIT), np.float64))


BALANCED = MethodFactory(DEFAULT, Balanced)


def _score_before(counts: Counts, row: int) -> float:
    """Return the score of a class before any word."""
    return 0.0 if counts.messages[row] else NEVER


def _is_direct(counts: Counts, pair: Pair) -> bool:
    """Return whether two classes are compared with each other instead of each with the rest.

    With only two classes this is equal. Folders contain no evidence about spam.
    """
    return filled_classes(counts) <= 2 or _are_mail(counts, pair)


def _are_mail(counts: Counts, pair: Pair) -> bool:
    return all(is_mail(counts, row) for row in pair)


def _are_mail_alone(counts: Counts, labels: Sequence[str]) -> bool:
    """True if only spam and ham are learned, and no other class affects their scores.

    Another class does while one of the two is unknown.
    """
    if not OPPOSITE.keys() >= set(labels):
        return False
    rows = [row for label in OPPOSITE if (row := counts.row(label)) is not None]
    return len(rows) == 2 or sum(counts.messages) == sum(counts.messages[row] for row in rows)


def _weight_of_corrections(classes: int) -> float:
    """Return 1 for two classes, twice as much for up to eleven, slightly less for more."""
    if classes <= 2:
        return 1.0
    return _MOST_CORRECTIONS * math.pow(min(1.0, _FEW_CLASSES / classes), _DECREASE)
