"""Explanations of messages: the score in parts that add up to it, and what is known besides."""

import numpy as np

from nbmail.core.calibration.base_rate import shift_base_rate
from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.sample import Sample
from nbmail.core.explaining.explanation import Absent, Explanation, PriorFrom, Reasons
from nbmail.core.explaining.score_parts import ScoreParts, ScoreSource, strongest_first
from nbmail.core.explaining.verdict_flips import marks_to_flip, smallest_flip, without
from nbmail.core.methods.method import Pair
from nbmail.core.scoring.predictor import Predictor
from nbmail.values import HAM, SPAM, VERDICTS

MOST_ABSENT = 500
"""Absent words that an explanation names by default."""


def explain(
    model: Predictor, sample: Sample, strongest: int = 12, absent: int = MOST_ABSENT
) -> Explanation:
    """Decompose a sample's score between spam and good mail.

    `absent`: number of named absent words.
    """
    pair = model.counts.pair(SPAM, HAM)
    sample = _without_ignored(model, sample)
    if pair is None:
        return _explain_without_both(model, sample)

    shares = model.implementation.decompose(model.counts, pair, sample)
    score = np.array([shares.log_odds])
    verdict = _verdict_of(model, shares.log_odds)
    calibrated = float(model.calibrate(score)[0])
    parts = _source(model).parts(sample, shares, pair, strongest, calibrated)
    parts, prior_from = _with_base_rate(model, parts)
    absent_words = _absent(model, sample, pair, min(strongest, absent))

    def changes_verdict(changed: Sample) -> bool:
        log_odds = model.implementation.decompose(model.counts, pair, changed).log_odds
        return _verdict_of(model, log_odds) != verdict

    removals = shares.contributions if shares.removals is None else shares.removals
    flip = sample.words[smallest_flip(sample, removals, changes_verdict)]
    probability = None
    deviation = None
    marks = None
    if model.has_chances:
        probability = float(model.probabilities(score)[0])
        deviation = float(model.line().deviations(score)[0])
        opposite = _opposite_of(verdict, shares.log_odds)
        marks = marks_to_flip(model, sample, opposite, changes_verdict)
    return Explanation(
        prior=parts.prior,
        contributions=parts.contributions,
        weaker_count=parts.weaker_count,
        weaker=parts.weaker,
        calibration=parts.calibration,
        log_odds=parts.log_odds,
        prior_from=prior_from,
        absent=absent_words,
        probability=probability,
        verdict=verdict,
        flip_without=tuple(map(model.vocabulary.word, flip.tolist())),
        marks_to_flip=marks,
        nearest=model.held_out.nearest(shares.log_odds),
        deviation=deviation,
        spam_from=model.costs.spam_from,
        score=shares.log_odds,
        class_scores=_class_scores(model, sample, pair),
        method=model.method,
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
    log_ratio = float(chances[pair[0]] - chances[pair[1]])
    shares = model.implementation.decompose(model.counts, pair, sample)
    parts = _source(model).parts(sample, shares, pair, strongest, log_ratio)
    return Reasons(
        prior=parts.prior,
        contributions=parts.contributions,
        weaker_count=parts.weaker_count,
        weaker=parts.weaker,
        calibration=parts.calibration,
        log_odds=parts.log_odds,
        prior_from=_prior_from(model),
        absent=_absent(model, sample, pair, min(strongest, MOST_ABSENT)),
    )


def word_parts(model: Predictor, words: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return log-ratio and correction of each word; zeros while a class has no example."""
    pair = model.counts.pair(SPAM, HAM)
    if pair is None:
        return np.zeros(len(words)), np.zeros(len(words))
    return model.implementation.weights(model.counts, pair, words)


def _explain_without_both(model: Predictor, sample: Sample) -> Explanation:
    """Return the score while a class has no example, which has no named parts."""
    score = float(model.log_odds(model.rows([sample]))[0])
    return Explanation(
        prior=0.0,
        contributions=(),
        weaker_count=len(sample.words) if score else 0,
        weaker=score,
        calibration=0.0,
        log_odds=score,
        probability=None,
        verdict="unsure",
        score=score,
        method=model.method,
    )


def _verdict_of(model: Predictor, log_odds: float) -> str:
    return VERDICTS[int(model.verdicts(np.array([log_odds]))[0])]


def _opposite_of(verdict: str, log_odds: float) -> str:
    """Return the class whose marks would flip the verdict."""
    if verdict == "unsure":
        return HAM if log_odds < 0 else SPAM
    return HAM if verdict == SPAM else SPAM


def _with_base_rate(model: Predictor, parts: ScoreParts) -> tuple[ScoreParts, PriorFrom]:
    """Return the parts with the base rate as the prior instead of in the calibration."""
    has_prior = model.implementation.has_prior
    if has_prior or not model.calibrated or model.base_rate == 0.5:
        return parts, _prior_from(model)
    base = float(shift_base_rate(np.zeros(1), model.base_rate)[0])
    shifted = parts._replace(prior=parts.prior + base, calibration=parts.calibration - base)
    return shifted, PriorFrom.MAIL


def _prior_from(model: Predictor) -> PriorFrom:
    return PriorFrom.LABELS if model.implementation.has_prior else PriorFrom.EVEN


def _source(model: Predictor) -> ScoreSource:
    return ScoreSource(model.counts, model.vocabulary, model.implementation)


def _without_ignored(model: Predictor, sample: Sample) -> Sample:
    is_ignored = np.isin(sample.words, model.ignored)
    return without(sample, np.flatnonzero(is_ignored))


def _class_scores(model: Predictor, sample: Sample, pair: Pair) -> tuple[float, float] | None:
    if not model.implementation.has_prior:
        return None
    wanted, other = pair
    scores = model.implementation.scores(model.counts, model.rows([sample]))[0]
    return float(scores[wanted]), float(scores[other])


def _absent(model: Predictor, sample: Sample, pair: Pair, strongest: int) -> Absent:
    """Return the absent words with the largest contributions, and the sum of the others."""
    words, contributions = model.implementation.absent_words(model.counts, pair, sample)
    order = strongest_first(contributions)
    chosen = words[order[:strongest]]
    # Methods weigh words in rising order.
    rising = np.argsort(chosen)
    ratios = np.zeros(len(chosen))
    ratios[rising] = model.implementation.weights(model.counts, pair, chosen[rising])[0]

    source = _source(model)
    named = []
    for place, word in enumerate(chosen.tolist()):
        contribution = source.counted(word, pair)._replace(
            log_ratio=float(ratios[place]), contribution=float(contributions[order[place]])
        )
        named.append(contribution)
    weaker = contributions[order[strongest:]]
    return Absent(tuple(named), len(weaker), float(weaker.sum()))
