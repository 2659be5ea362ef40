"""Scores, probabilities, verdicts and explanations from counts, corrections and calibration."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypedDict

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.methods import registry
from nbmail.core.methods.method import DecomposedOdds, Pair, Scorer
from nbmail.core.reading.words import place_of
from nbmail.core.scoring import explanation
from nbmail.core.scoring.calibration import MEASURED, SHARED, HeldOut, Line, estimate_base_rate, shift_base_rate
from nbmail.core.scoring.explanation import (
    Absent,
    Contribution,
    Costs,
    Explanation,
    PlacedWord,
    PriorFrom,
    Reasons,
    VerdictArray,
)
from nbmail.core.scoring.held_out_scores import HeldOutScores
from nbmail.method_spec import DEFAULT
from nbmail.values import GOOD, JUNK, VERDICTS

MOST_MARKS = 50
MOST_ABSENT = 500
"""Absent words that an explanation names by default."""
_MORE_CLASSES = 0.07
"""By which power of their number classes are told apart more clearly; `tests/bench/MEASUREMENTS.md`, "Many folders"."""

VerdictChanges = Callable[[Sample], bool]
"""Whether a sample gets another verdict than the message it was cut from."""

_Parts = tuple[float, tuple[Contribution, ...], int, float, float, float]


class _More(TypedDict):
    absent: Absent
    score: float
    class_scores: tuple[float, float] | None
    method: str


class Predictor:
    """Scores and explains samples. Attributes to set: `costs`, `base_rate` of junk, `ignored` words without effect."""

    def __init__(self, vocabulary: Vocabulary | None = None, method: str = DEFAULT) -> None:
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self.method = method
        self.counts = Counts()
        self.costs = Costs()
        self.base_rate = 0.5
        self.ignored: IntArray = np.zeros(0, np.int32)
        self._method = registry.create(method, self.vocabulary)
        self._held_out = HeldOutScores(HeldOut.none())
        self._prior = SHARED if self._method.has_shared_scale else MEASURED

    def rows(self, samples: list[Sample]) -> WordRows:
        """Lay samples end to end with as much of their evidence as the method wants."""
        if self._method.wants_occurrences or self._method.wants_measures:
            return WordRows.of(samples)
        return WordRows.join([sample.words for sample in samples])

    def log_odds(self, rows: WordRows) -> FloatArray:
        """Uncalibrated log-odds of junk, for many messages at once; for ranking alone while one class was never met."""
        pair, rows = self._pair(JUNK, GOOD), self._heard(rows)
        return self._alone(rows) if pair is None else self._method.odds(self.counts, pair, rows)

    def scorer(self) -> Scorer:
        """`log_odds` for one piece of a mailbox after another, until the model changes: weights are derived once."""
        pair = self._pair(JUNK, GOOD)
        scorer = self._alone if pair is None else self._method.scorer(self.counts, pair)
        return scorer if not len(self.ignored) else lambda rows: scorer(self._heard(rows))

    def _heard(self, rows: WordRows) -> WordRows:
        return rows.without(self.ignored) if len(self.ignored) else rows

    def class_log_chances(self, samples: list[Sample], *, calibrated: bool = True) -> FloatArray:
        """Return the logarithm of the probability of each class (column, as in `counts.classes`) for each sample (row).

        The farther a score is behind the best, the less each step still counts. Between junk and good mail their
        calibrated probability decides, which compares the two alone. Without `calibrated` the scores alone decide.
        """
        # Among more than two classes it counts how often a word occurs.
        rows = self._heard(WordRows.of(samples) if len(self.counts.classes) > 2 else self.rows(samples))
        scores = self._method.scores(self.counts, rows)
        met = np.array(self.counts.messages) > 0
        gaps = np.where(met, scores.max(axis=1, keepdims=True, initial=-np.inf, where=met) - scores, np.inf)
        chances = -(max(1, int(met.sum())) ** _MORE_CLASSES) * np.sqrt(gaps)
        chances -= np.logaddexp.reduce(chances, axis=1, keepdims=True)
        pair = self._pair(JUNK, GOOD)
        if pair is not None and self.calibrated and calibrated:
            both, odds = np.logaddexp(*chances.T[list(pair)]), self.calibrate(self.log_odds(rows))
            for row, sign in zip(pair, (-1, 1), strict=True):
                chances[:, row] = both - np.logaddexp(0.0, sign * odds)
        return np.asarray(chances)

    def probabilities(self, log_odds: FloatArray) -> FloatArray:
        """Calibrated probabilities of junk; NaN everywhere while a class has no example."""
        if not self.calibrated:
            return np.full(len(log_odds), np.nan)
        return explanation.to_probabilities(self.calibrate(log_odds))

    def calibrate(self, log_odds: FloatArray) -> FloatArray:
        """Return calibrated log-odds at the base rate; unchanged without examples of both classes."""
        return shift_base_rate(self._line().log_odds(log_odds), self.base_rate) if self.calibrated else log_odds

    def calibrate_at_even_odds(self, log_odds: FloatArray) -> FloatArray:
        """Return calibrated log-odds at even odds; unchanged without examples of both classes."""
        return self._line().log_odds(log_odds) if self.calibrated else log_odds

    def base_rate_among(self, log_odds: FloatArray, known: tuple[int, int]) -> float:
        """Return the share of junk among these scores and `known` junk and good messages.

        After active learning the line depends on the base rate, so that two rounds are needed.
        """
        share, labels = 0.5, sum(self.held_out.count())
        for _ in range(2):
            calibrate = self._held_out.line(self._prior, share).log_odds(log_odds)
            share = estimate_base_rate(calibrate, known, labels)
        return share

    @property
    def calibrated(self) -> bool:
        """True if there are probabilities: each class has an example."""
        return self._fewest() > 0

    @property
    def held_out(self) -> HeldOut:
        """The scores that calibration rests on, in the order of the labels."""
        return self._held_out.all

    @property
    def has_shared_scale(self) -> bool:
        return self._method.has_shared_scale

    def verdicts(self, log_odds: FloatArray) -> VerdictArray:
        """Places in `VERDICTS` by least expected cost; all unsure while a class has no example."""
        return explanation.judge(self.probabilities(log_odds), self.costs)

    def verdicts_among(self, log_odds: FloatArray, class_chances: FloatArray) -> VerdictArray:
        """`verdicts`, but unsure instead of junk where a class of one's own is likeliest."""
        found = self.verdicts(log_odds)
        own = [row for row, label in enumerate(self.counts.classes) if label not in (JUNK, GOOD)]
        found[(found == VERDICTS.index("junk")) & np.isin(class_chances.argmax(axis=1), own)] = VERDICTS.index("unsure")
        return found

    def explain(self, sample: Sample, strongest: int = 12, absent: int = MOST_ABSENT) -> Explanation:
        """Take the sample's score apart, between junk and good mail. `absent`: number of named absent words."""
        pair, sample = self._pair(JUNK, GOOD), self._heard_of(sample)
        if pair is None:
            return self._explain_alone(sample)
        shares = self._method.decompose(self.counts, pair, sample)
        score = np.array([shares.log_odds])
        verdict = self._verdict(shares.log_odds)

        def changes_verdict(cut: Sample) -> bool:
            return self._verdict(self._method.decompose(self.counts, pair, cut).log_odds) != verdict

        removals = shares.contributions if shares.removals is None else shares.removals
        flip = sample.words[smallest_flip(sample, removals, changes_verdict)]
        toward = GOOD if verdict == JUNK or (verdict == "unsure" and shares.log_odds < 0) else JUNK
        parts = self._parts(sample, shares, pair, strongest, float(self.calibrate(score)[0]))
        parts, prior_from = self._with_base_rate(parts)
        return Explanation(
            *parts,
            **self._more(sample, shares, pair, min(strongest, absent)),
            prior_from=prior_from,
            probability=float(self.probabilities(score)[0]) if self.calibrated else None,
            verdict=verdict,
            nearest=self._held_out.nearest(shares.log_odds),
            deviation=float(self._line().deviations(score)[0]) if self.calibrated else None,
            junk_from=self.costs.junk_from,
            flip_without=tuple(self.vocabulary.word(int(number)) for number in flip),
            marks_to_flip=self._marks_to_flip(sample, toward, changes_verdict) if self.calibrated else None,
        )

    def explain_class(self, sample: Sample, wanted: str, other: str, strongest: int = 12) -> Reasons:
        """Why one class is likelier than another: their `class_log_chances` taken apart."""
        pair = self._pair(wanted, other)
        if pair is None:
            raise ValueError(f"{wanted} or {other} was never learned")
        sample = self._heard_of(sample)
        chances = self.class_log_chances([sample])[0]
        shares = self._method.decompose(self.counts, pair, sample)
        parts = self._parts(sample, shares, pair, strongest, float(chances[pair[0]] - chances[pair[1]]))
        prior_from = PriorFrom.LABELS if self._method.has_prior else PriorFrom.EVEN
        more = self._more(sample, shares, pair, min(strongest, MOST_ABSENT))
        return Reasons(*parts, **more, prior_from=prior_from)

    def _with_base_rate(self, parts: _Parts) -> tuple[_Parts, PriorFrom]:
        """Move the base rate from the calibration to the prior, unless the method has a prior of its own."""
        if self._method.has_prior:
            return parts, PriorFrom.LABELS
        if not self.calibrated or self.base_rate == 0.5:
            return parts, PriorFrom.EVEN
        prior, named, count, weaker, calibration, log_odds = parts
        base = float(shift_base_rate(np.zeros(1), self.base_rate)[0])
        return (prior + base, named, count, weaker, calibration - base, log_odds), PriorFrom.MAIL

    def _more(self, sample: Sample, shares: DecomposedOdds, pair: Pair, strongest: int) -> _More:
        """Return the fields of `Reasons` that are not summed."""
        absent, both = self._absent(sample, pair, strongest), None
        if self._method.has_prior:
            scores = self._method.scores(self.counts, self.rows([sample]))[0]
            both = float(scores[pair[0]]), float(scores[pair[1]])
        return {"absent": absent, "score": shares.log_odds, "class_scores": both, "method": self.method}

    def _absent(self, sample: Sample, pair: Pair, strongest: int) -> Absent:
        words, adds = self._method.absent_words(self.counts, pair, sample)
        order = np.argsort(-np.abs(adds), kind="stable")[: int(np.count_nonzero(adds))]
        chosen = words[order[:strongest]]
        rank, ratios = np.argsort(chosen), np.zeros(len(chosen))
        ratios[rank] = self._method.weights(self.counts, pair, chosen[rank])[0]
        parts = zip(chosen.tolist(), ratios.tolist(), adds[order].tolist(), strict=False)
        named = [replace(self._counted(word, pair), log_ratio=ratio, contribution=its) for word, ratio, its in parts]
        weaker = adds[order[strongest:]]
        return Absent(tuple(named), len(weaker), float(weaker.sum()))

    def _parts(self, sample: Sample, shares: DecomposedOdds, pair: Pair, strongest: int, log_odds: float) -> _Parts:
        """Return the fields of `Reasons`: the strongest contributions, and the sum of the others."""
        values: FloatArray = np.append(shares.contributions, [part.value for part in shares.others])
        order = np.argsort(-np.abs(values), kind="stable")[: int(np.count_nonzero(values))]
        weaker = order[strongest:]
        named = tuple(self._contribution(sample, shares, pair, int(part)) for part in order[:strongest])
        return shares.prior, named, len(weaker), float(values[weaker].sum()), log_odds - shares.log_odds, log_odds

    def _contribution(self, sample: Sample, shares: DecomposedOdds, pair: Pair, place: int) -> Contribution:
        """Return the part at this place: a word of the sample, or one of the others behind them."""
        if place >= len(sample.words):
            name, value, counts, numbers, measure = shares.others[place - len(sample.words)]
            words = tuple(map(self._placed, numbers or ()))
            name = f"{name}:{' '.join(one.word for one in words)}" if words else name
            occurrences = len(words) // 2
            return Contribution(
                name, place_of(name), *counts, value, 0.0, value, occurrences, measure=measure, pair=words
            )
        return replace(
            self._counted(int(sample.words[place]), pair),
            log_ratio=float(shares.ratios[place]),
            correction=float(shares.corrections[place]),
            contribution=float(shares.contributions[place]),
            occurrences=int(sample.occurrences[place]),
        )

    def _counted(self, number: int, pair: Pair) -> Contribution:
        """Return a word with its counts alone."""
        word, documents = self.vocabulary.word(number), self.counts.documents_of(np.array([number], np.int32))
        junk, good = (int(documents[row, 0]) for row in pair)
        parent = self._method.parent_of(number)
        return Contribution(
            word, place_of(word), junk, good, 0.0, 0.0, 0.0, 0, parent=None if parent is None else self._placed(parent)
        )

    def _placed(self, number: int) -> PlacedWord:
        word = self.vocabulary.word(number)
        return PlacedWord(word, place_of(word))

    def _explain_alone(self, sample: Sample) -> Explanation:
        total = float(self._alone(self.rows([sample]))[0])
        weaker = len(sample.words) if total else 0
        return Explanation(0.0, (), weaker, total, 0.0, total, None, "unsure", score=total, method=self.method)

    def _heard_of(self, sample: Sample) -> Sample:
        return without(sample, np.flatnonzero(np.isin(sample.words, self.ignored)))

    def _pair(self, wanted: str, other: str) -> Pair | None:
        rows = self.counts.row(wanted), self.counts.row(other)
        return None if rows[0] is None or rows[1] is None else (rows[0], rows[1])

    def _alone(self, rows: WordRows) -> FloatArray:
        """Log-odds while at most one of junk and good mail was met."""
        for label, sign in ((JUNK, 1.0), (GOOD, -1.0)):
            row = self.counts.row(label)
            if row is not None:
                # Less than nothing is nothing, never -0.
                return sign * self._method.alone(self.counts, row, rows) + 0.0
        return np.zeros(len(rows))

    def _fewest(self, wanted: str = JUNK, other: str = GOOD) -> int:
        """Return the number of examples of the smaller class."""
        pair = self._pair(wanted, other)
        return 0 if pair is None else min(self.counts.messages[row] for row in pair)

    def _line(self) -> Line:
        return self._held_out.line(self._prior, self.base_rate)

    def _verdict(self, log_odds: float) -> str:
        return VERDICTS[int(self.verdicts(np.array([log_odds]))[0])]

    def _marks_to_flip(self, sample: Sample, toward: str, changes_verdict: VerdictChanges) -> int | None:
        """Marks are tried out on the counts themselves and taken back exactly; None if the most don't suffice."""
        done: list[tuple[int, ...]] = []
        try:
            for marks in range(1, MOST_MARKS + 1):
                done.append(self._method.learn(self.counts, sample, toward))
                self.counts.learn(sample, toward)
                if changes_verdict(sample):
                    return marks
            return None
        finally:
            for undo_data in reversed(done):
                self.counts.unlearn(sample, toward)
                self._method.unlearn(self.counts, sample, toward, undo_data)


def without(sample: Sample, places: IntArray | LongArray) -> Sample:
    """Return the sample less the words at these places."""
    return Sample(np.delete(sample.words, places), np.delete(sample.occurrences, places), sample.measures)


def smallest_flip(sample: Sample, contributions: FloatArray, changes_verdict: VerdictChanges) -> IntArray:
    """Return the indexes of the fewest words without which the verdict changes, empty if there are none.

    The k strongest words of one side change the score most, so bisection finds the smallest k. The result is exact for
    linear methods. If words depend on each other, the verdict still changes, but fewer words may suffice.
    """
    tries = [_flip_on_side(sample, side * contributions, changes_verdict) for side in (1.0, -1.0)]
    found = [places for places in tries if len(places)]
    return min(found, key=len, default=np.empty(0, np.int32))


def _flip_on_side(sample: Sample, shares: FloatArray, changes_verdict: VerdictChanges) -> IntArray:
    order = np.argsort(-shares, kind="stable").astype(np.int32)[: int(np.count_nonzero(shares > 0))]
    if not len(order) or not changes_verdict(without(sample, order)):
        return np.empty(0, np.int32)
    kept, gone = 0, len(order)
    while gone - kept > 1:
        middle = (kept + gone) // 2
        if changes_verdict(without(sample, order[:middle])):
            gone = middle
        else:
            kept = middle
    return order[:gone]
