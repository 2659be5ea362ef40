"""Explanations: scores in parts that add up to them, and changes that would flip a verdict."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample, Vocabulary
from nbmail.core.methods.method import DecomposedOdds, Method, Pair
from nbmail.core.reading.words import place_of
from nbmail.core.scoring.calibration import shift_base_rate
from nbmail.core.scoring.explanation import Absent, Contribution, Explanation, PriorFrom, Reasons
from nbmail.core.scoring.model import Predictor, simulating
from nbmail.values import HAM, SPAM, VERDICTS

MOST_MARKS = 50
MOST_ABSENT = 500
"""Absent words that an explanation names by default."""

VerdictChanges = Callable[[Sample], bool]
"""Returns whether a sample gets another verdict than the message it was cut from."""

Parts = tuple[float, tuple[Contribution, ...], int, float, float, float]
"""The first fields of `Reasons`, which add up to the last of them."""


def explain(
    model: Predictor, sample: Sample, strongest: int = 12, absent: int = MOST_ABSENT
) -> Explanation:
    """Decompose a sample's score between spam and good mail. `absent`: number of named absent
    words.
    """
    pair = model.counts.pair(SPAM, HAM)
    sample = _without_ignored(model, sample)
    if pair is None:
        total = float(model.log_odds(model.rows([sample]))[0])
        weaker = len(sample.words) if total else 0
        return Explanation(
            0.0, (), weaker, total, 0.0, total, None, "unsure", score=total, method=model.method
        )
    shares = model.implementation.decompose(model.counts, pair, sample)
    score = np.array([shares.log_odds])

    def verdict_of(log_odds: float) -> str:
        return VERDICTS[int(model.verdicts(np.array([log_odds]))[0])]

    def changes_verdict(cut: Sample) -> bool:
        return (
            verdict_of(model.implementation.decompose(model.counts, pair, cut).log_odds) != verdict
        )

    verdict = verdict_of(shares.log_odds)
    removals = shares.contributions if shares.removals is None else shares.removals
    flip = sample.words[smallest_flip(sample, removals, changes_verdict)]
    toward = HAM if verdict == SPAM or (verdict == "unsure" and shares.log_odds < 0) else SPAM
    parts = _source(model).parts(sample, shares, pair, strongest, float(model.calibrate(score)[0]))
    prior, named, count, weaker_sum, correction, log_odds = parts
    prior_from = PriorFrom.LABELS if model.implementation.has_prior else PriorFrom.EVEN
    if not model.implementation.has_prior and model.calibrated and model.base_rate != 0.5:
        # The base rate is shown as the prior, not as calibration.
        base = float(shift_base_rate(np.zeros(1), model.base_rate)[0])
        prior = prior + base
        correction = correction - base
        prior_from = PriorFrom.MAIL
    return Explanation(
        *(prior, named, count, weaker_sum, correction, log_odds),
        absent=_absent(model, sample, pair, min(strongest, absent)),
        score=shares.log_odds,
        class_scores=_class_scores(model, sample, pair),
        method=model.method,
        prior_from=prior_from,
        probability=float(model.probabilities(score)[0]) if model.calibrated else None,
        verdict=verdict,
        nearest=model.held_out.nearest(shares.log_odds),
        deviation=float(model.line().deviations(score)[0]) if model.calibrated else None,
        spam_from=model.costs.spam_from,
        flip_without=tuple(map(model.vocabulary.word, flip.tolist())),
        marks_to_flip=_marks_to_flip(model, sample, toward, changes_verdict)
        if model.calibrated
        else None,
    )


def explain_class(
    model: Predictor, sample: Sample, wanted: str, other: str, strongest: int = 12
) -> Reasons:
    """Decompose the log ratio of the probabilities of two classes, as in `class_log_chances`."""
    pair = model.counts.pair(wanted, other)
    if pair is None:
        raise ValueError(f"{wanted} or {other} was never learned")
    sample = _without_ignored(model, sample)
    chances = model.class_log_chances([sample])[0]
    shares = model.implementation.decompose(model.counts, pair, sample)
    return Reasons(
        *_source(model).parts(
            sample, shares, pair, strongest, float(chances[pair[0]] - chances[pair[1]])
        ),
        absent=_absent(model, sample, pair, min(strongest, MOST_ABSENT)),
        prior_from=PriorFrom.LABELS if model.implementation.has_prior else PriorFrom.EVEN,
    )


def word_parts(model: Predictor, words: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return log-ratio and correction of each word; zeros while a class has no example."""
    pair = model.counts.pair(SPAM, HAM)
    if pair is None:
        return np.zeros(len(words)), np.zeros(len(words))
    return model.implementation.weights(model.counts, pair, words)


class ScoreSource(NamedTuple):
    """Everything that a score between two classes depends on."""

    counts: Counts
    vocabulary: Vocabulary
    method: Method

    def parts(
        self, sample: Sample, shares: DecomposedOdds, pair: Pair, strongest: int, log_odds: float
    ) -> Parts:
        """Return the strongest contributions, and the sum of the others. `log_odds`: after
        calibration.
        """
        values: FloatArray = np.append(shares.contributions, [part.value for part in shares.others])
        order = np.argsort(-np.abs(values), kind="stable")[: int(np.count_nonzero(values))]
        weaker = order[strongest:]
        named = tuple(
            self._contribution(sample, shares, pair, place) for place in order[:strongest].tolist()
        )
        return (
            shares.prior,
            named,
            len(weaker),
            float(values[weaker].sum()),
            log_odds - shares.log_odds,
            log_odds,
        )

    def counted(self, number: int, pair: Pair) -> Contribution:
        word = self.vocabulary.word(number)
        documents = self.counts.documents_of(np.array([number], np.int32))
        spam, ham = (int(documents[row, 0]) for row in pair)
        number_of_parent = self.method.parent_of(number)
        parent = "" if number_of_parent is None else self.vocabulary.word(number_of_parent)
        return Contribution(word, place_of(word), spam, ham, 0.0, 0.0, 0.0, 0, parent=parent)

    def _contribution(
        self, sample: Sample, shares: DecomposedOdds, pair: Pair, place: int
    ) -> Contribution:
        """Return the part at an index: a word of the sample, or behind them one of
        `shares.others`.
        """
        if place < len(sample.words):
            return self.counted(int(sample.words[place]), pair)._replace(
                log_ratio=float(shares.ratios[place]),
                correction=float(shares.corrections[place]),
                contribution=float(shares.contributions[place]),
                occurrences=int(sample.occurrences[place]),
            )
        name, value, counts, numbers, measure = shares.others[place - len(sample.words)]
        words = tuple(map(self.vocabulary.word, numbers or ()))
        name = f"{name}:{' '.join(words)}" if words else name
        occurrences = len(words) // 2
        return Contribution(
            name, place_of(name), *counts, value, 0.0, value, occurrences, measure, words
        )


def _source(model: Predictor) -> ScoreSource:
    return ScoreSource(model.counts, model.vocabulary, model.implementation)


def _without_ignored(model: Predictor, sample: Sample) -> Sample:
    return without(sample, np.flatnonzero(np.isin(sample.words, model.ignored)))


def _class_scores(model: Predictor, sample: Sample, pair: Pair) -> tuple[float, float] | None:
    if not model.implementation.has_prior:
        return None
    scores = model.implementation.scores(model.counts, model.rows([sample]))[0]
    return float(scores[pair[0]]), float(scores[pair[1]])


def _absent(model: Predictor, sample: Sample, pair: Pair, strongest: int) -> Absent:
    words, adds = model.implementation.absent_words(model.counts, pair, sample)
    order = np.argsort(-np.abs(adds), kind="stable")[: int(np.count_nonzero(adds))]
    chosen = words[order[:strongest]]
    rank = np.argsort(chosen)
    ratios = np.zeros(len(chosen))
    ratios[rank] = model.implementation.weights(model.counts, pair, chosen[rank])[0]
    parts = zip(chosen.tolist(), ratios.tolist(), adds[order].tolist(), strict=False)
    source = _source(model)
    named = [
        source.counted(word, pair)._replace(log_ratio=ratio, contribution=its)
        for word, ratio, its in parts
    ]
    weaker = adds[order[strongest:]]
    return Absent(tuple(named), len(weaker), float(weaker.sum()))


def _marks_to_flip(
    model: Predictor, sample: Sample, toward: str, changes_verdict: VerdictChanges
) -> int | None:
    """Return the number of marks that change the verdict; None if `MOST_MARKS` don't suffice."""
    with ExitStack() as simulated:
        for marks in range(1, MOST_MARKS + 1):
            simulated.enter_context(simulating(model, sample, toward))
            if changes_verdict(sample):
                return marks
    return None


def without(sample: Sample, places: IntArray | LongArray) -> Sample:
    return Sample(
        np.delete(sample.words, places), np.delete(sample.occurrences, places), sample.measures
    )


def smallest_flip(
    sample: Sample, contributions: FloatArray, changes_verdict: VerdictChanges
) -> IntArray:
    """Return the indexes of the fewest words without which the verdict changes, empty if there are
    none.

    The k strongest words of one side change the score most, so bisection finds the smallest k. The
    result is exact for linear methods. If words depend on each other, the verdict still changes,
    but fewer words may suffice.
    """
    found = list[IntArray]()
    for shares in (contributions, -contributions):
        order = np.argsort(-shares, kind="stable").astype(np.int32)[
            : int(np.count_nonzero(shares > 0))
        ]
        if len(order) and changes_verdict(without(sample, order)):
            kept = 0
            gone = len(order)
            while gone - kept > 1:
                middle = (kept + gone) // 2
                kept, gone = (
                    (kept, middle)
                    if changes_verdict(without(sample, order[:middle]))
                    else (middle, gone)
                )
            found.append(order[:gone])
    return min(found, key=len, default=np.empty(0, np.int32))
