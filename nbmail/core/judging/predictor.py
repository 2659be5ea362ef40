"""What counts, corrections and calibration say of messages: scores, probabilities, verdicts, reasons."""

from collections.abc import Callable

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.judging import verdict as verdicts
from nbmail.core.judging.calibration import MEASURED, SHARED, HeldOut, Line, shifted
from nbmail.core.judging.explanation import Contribution, Explanation
from nbmail.core.judging.held_out_scores import HeldOutScores
from nbmail.core.judging.verdict import VERDICTS, Costs, VerdictArray
from nbmail.core.methods import registry
from nbmail.core.methods.method import Pair, Scorer, Shares
from nbmail.core.reading.word_places import place_of

JUNK, GOOD = "junk", "good"
MOST_MARKS = 50
CLASS_SLOPE = 0.35
"""What a difference of scores between classes counts in log-odds: of the folders of three users, honest to 5 to 8 %."""

Turned = Callable[[Sample], bool]
"""Whether a sample gets another verdict than the message it was cut from."""


class Predictor:
    """Scores and explains samples.

    `costs`, `share`, that of junk in the mail to be judged, and `ignored`, the words that shall add nothing, may be set
    at any time; the rest is what was learned.
    """

    def __init__(self, vocabulary: Vocabulary | None = None, method: str = registry.DEFAULT) -> None:
        self.vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self.method = method
        self.counts = Counts()
        self.costs = Costs()
        self.share = 0.5
        self.ignored: IntArray = np.zeros(0, np.int32)
        self._method = registry.create(method, self.vocabulary)
        self._held_out = HeldOutScores(HeldOut.none())
        self._prior = SHARED if self._method.has_shared_scale else MEASURED

    def rows(self, samples: list[Sample]) -> WordRows:
        """Lay samples end to end with as much of their evidence as the method wants."""
        if self._method.wants_occurrences or self._method.wants_measures:
            return WordRows.of(samples)
        return WordRows.join([sample.words for sample in samples])

    def rows_for_classes(self, samples: list[Sample]) -> WordRows:
        """Samples end to end for `class_scores`: among more than two classes it counts how often a word occurs."""
        return self.rows(samples) if len(self.counts.classes) <= 2 else WordRows.of(samples)

    def log_odds(self, rows: WordRows) -> FloatArray:
        """Uncalibrated log-odds of junk, for many messages at once; for ranking alone while one class was never met."""
        pair, rows = self._pair(JUNK, GOOD), self._heard(rows)
        return self._alone(rows) if pair is None else self._method.odds(self.counts, pair, rows)

    def scorer(self) -> Scorer:
        """`log_odds` for one piece of a mailbox after another, until the model changes: weights are derived once."""
        pair = self._pair(JUNK, GOOD)
        scorer = self._alone if pair is None else self._method.scorer(self.counts, pair)
        return scorer if not len(self.ignored) else lambda rows: scorer(self._heard(rows))

    def class_scores(self, rows: WordRows) -> FloatArray:
        """A score for each message (row) and class (column, as in `counts.classes`); the highest is the class."""
        return self._method.scores(self.counts, self._heard(rows))

    def _heard(self, rows: WordRows) -> WordRows:
        return rows.without(self.ignored) if len(self.ignored) else rows

    def class_probabilities(self, scores: FloatArray) -> FloatArray:
        """A probability for each message (row) and class (column), by `class_scores`, on the slope of all mailboxes."""
        scaled = CLASS_SLOPE * scores
        shares = np.exp(scaled - scaled.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def probabilities(self, log_odds: FloatArray) -> FloatArray:
        """Calibrated probabilities of junk; NaN everywhere while a class has no example."""
        if not self.calibrated:
            return np.full(len(log_odds), np.nan)
        return verdicts.to_probabilities(self.honest(log_odds))

    def honest(self, log_odds: FloatArray) -> FloatArray:
        """The log-odds of those probabilities; as they are while there is no calibration."""
        return shifted(self._line().log_odds(log_odds), self.share) if self.calibrated else log_odds

    def honest_at_even_odds(self, log_odds: FloatArray) -> FloatArray:
        """What is honest where there is as much junk as good mail: what is known without the share."""
        return self._line().log_odds(log_odds) if self.calibrated else log_odds

    @property
    def calibrated(self) -> bool:
        """Whether there is a probability: each class has an example."""
        return self._fewest() > 0

    @property
    def held_out(self) -> HeldOut:
        """The scores that calibration rests on, in the order of the labels."""
        return self._held_out.all

    @property
    def held_out_count(self) -> tuple[int, int]:
        """How many of them there are: of junk, of good mail."""
        return self._held_out.count()

    @property
    def has_shared_scale(self) -> bool:
        """Whether scores mean the same in all mailboxes."""
        return self._method.has_shared_scale

    def verdicts(self, log_odds: FloatArray) -> VerdictArray:
        """Places in `verdict.VERDICTS` by least expected cost; all unsure while a class has no example."""
        return verdicts.judge(self.probabilities(log_odds), self.costs)

    def explain(self, sample: Sample, strongest: int = 12, wanted: str = JUNK, other: str = GOOD) -> Explanation:
        """Take the sample's score apart, between junk and good mail or any two classes."""
        pair = self._pair(wanted, other)
        if pair is None:
            return self._explain_alone(sample, wanted, other)
        sample = without(sample, np.flatnonzero(np.isin(sample.words, self.ignored)))
        shares = self._method.shares(self.counts, pair, sample)
        honest, probability = self._honest(shares.log_odds, wanted, other)
        verdict = self._verdict(shares.log_odds, wanted, other)
        # Of words and what else speaks the strongest come first; what says nothing is not counted.
        values: FloatArray = np.append(shares.contributions, [value for _, value in shares.others])
        order = np.argsort(-np.abs(values), kind="stable")[: int(np.count_nonzero(values))]
        weaker = order[strongest:]

        def turned(cut: Sample) -> bool:
            return self._verdict(self._method.shares(self.counts, pair, cut).log_odds, wanted, other) != verdict

        flip = sample.words[smallest_flip(sample, shares.contributions, turned)]
        toward = other if verdict == wanted or (verdict == "unsure" and shares.log_odds < 0) else wanted
        return Explanation(
            wanted=wanted,
            other=other,
            prior=shares.prior,
            contributions=tuple(self._contribution(sample, shares, pair, int(part)) for part in order[:strongest]),
            weaker_count=len(weaker),
            weaker=float(values[weaker].sum()),
            calibration=honest - shares.log_odds,
            log_odds=honest,
            probability=probability,
            verdict=verdict,
            alike=self._held_out.alike(shares.log_odds) if (wanted, other) == (JUNK, GOOD) else (0, 0),
            deviation=self._deviation(shares.log_odds, wanted, other),
            junk_from=self.costs.junk_from if (wanted, other) == (JUNK, GOOD) else None,
            flip_without=tuple(self.vocabulary.word(int(number)) for number in flip),
            marks_to_flip=self._marks_to_flip(sample, toward, turned) if self._fewest(wanted, other) else None,
        )

    def _contribution(self, sample: Sample, shares: Shares, pair: Pair, place: int) -> Contribution:
        """The part at this place: a word of the sample, or one of the others behind them."""
        if place >= len(sample.words):
            name, value = shares.others[place - len(sample.words)]
            return Contribution(name, place_of(name), 0, 0, value, 0.0, value)
        number = sample.words[place : place + 1]
        word, documents = self.vocabulary.word(int(number[0])), self.counts.documents_of(number)
        return Contribution(
            word,
            place_of(word),
            int(documents[pair[0], 0]),
            int(documents[pair[1], 0]),
            float(shares.ratios[place]),
            float(shares.corrections[place]),
            float(shares.contributions[place]),
        )

    def _explain_alone(self, sample: Sample, wanted: str, other: str) -> Explanation:
        """Nothing to compare with: the words are summed up, there is no verdict."""
        sign = {(JUNK, GOOD): 1.0, (GOOD, JUNK): -1.0}.get((wanted, other), 0.0)
        total = sign * float(self._alone(self.rows([sample]))[0])
        words = len(sample.words) if total else 0
        return Explanation(wanted, other, 0.0, (), words, total, 0.0, total, None, "unsure")

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
        """How many examples the smaller of two classes has."""
        pair = self._pair(wanted, other)
        return 0 if pair is None else min(self.counts.messages[row] for row in pair)

    def _honest(self, log_odds: float, wanted: str, other: str) -> tuple[float, float | None]:
        """Calibrated log-odds and probability; as given and None where there is no calibration."""
        if (wanted, other) != (JUNK, GOOD) or not self.calibrated:
            return log_odds, None
        honest = self.honest(np.array([log_odds]))
        return float(honest[0]), float(verdicts.to_probabilities(honest)[0])

    def _deviation(self, log_odds: float, wanted: str, other: str) -> float | None:
        if (wanted, other) != (JUNK, GOOD) or not self.calibrated:
            return None
        return float(self._line().deviations(np.array([log_odds]))[0])

    def _line(self) -> Line:
        return self._held_out.line(self._prior, self.share)

    def _verdict(self, log_odds: float, wanted: str, other: str) -> str:
        """By cost between junk and good mail; between other classes simply the likelier."""
        if (wanted, other) == (JUNK, GOOD):
            return VERDICTS[int(self.verdicts(np.array([log_odds]))[0])]
        if self._fewest(wanted, other) == 0 or log_odds == 0:
            return "unsure"
        return wanted if log_odds > 0 else other

    def _marks_to_flip(self, sample: Sample, toward: str, turned: Turned) -> int | None:
        """Marks are tried out on the counts themselves and taken back exactly; None if the most don't suffice."""
        done: list[tuple[int, ...]] = []
        try:
            for marks in range(1, MOST_MARKS + 1):
                done.append(self._method.learn(self.counts, sample, toward))
                self.counts.learn(sample, toward)
                if turned(sample):
                    return marks
            return None
        finally:
            for details in reversed(done):
                self.counts.unlearn(sample, toward)
                self._method.unlearn(self.counts, sample, toward, details)


def without(sample: Sample, places: IntArray | LongArray) -> Sample:
    """The sample less the words at these places."""
    return Sample(np.delete(sample.words, places), np.delete(sample.occurrences, places), sample.measures)


def smallest_flip(sample: Sample, contributions: FloatArray, turned: Turned) -> IntArray:
    """Places of the fewest words without which the verdict turns, empty where none do.

    Leaving out the strongest words on one side moves the score most, so the k strongest are the best choice of k,
    and the fewest are found by halving: exact for every linear method. Both sides are tried, the shorter list wins.
    Where words depend on each other the list still turns the verdict, but now and then isn't the shortest.
    """
    tries = [_flip_on_side(sample, side * contributions, turned) for side in (1.0, -1.0)]
    found = [places for places in tries if len(places)]
    return min(found, key=len, default=np.empty(0, np.int32))


def _flip_on_side(sample: Sample, shares: FloatArray, turned: Turned) -> IntArray:
    order = np.argsort(-shares, kind="stable").astype(np.int32)[: int(np.count_nonzero(shares > 0))]
    if not len(order) or not turned(without(sample, order)):
        return np.empty(0, np.int32)
    kept, gone = 0, len(order)
    while gone - kept > 1:
        middle = (kept + gone) // 2
        if turned(without(sample, order[:middle])):
            gone = middle
        else:
            kept = middle
    return order[:gone]
