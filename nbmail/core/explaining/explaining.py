"""Explanations: scores in parts that add up to them, and changes that would flip a verdict."""

import numpy as np

from nbmail.core.calibration.base_rate import shift_base_rate
from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.sample import Sample
from nbmail.core.explaining.explanation import Absent, Explanation, PriorFrom, Reasons
from nbmail.core.explaining.score_parts import ScoreSource
from nbmail.core.explaining.verdict_flips import marks_to_flip, smallest_flip, without
from nbmail.core.methods.method import Pair
from nbmail.core.scoring.predictor import Predictor
from nbmail.values import HAM, SPAM, VERDICTS

MOST_ABSENT = 500
"""Absent words that an explanation names by default."""


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
        marks_to_flip=marks_to_flip(model, sample, toward, changes_verdict)
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
