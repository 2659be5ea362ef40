"""JSON object of each scored message, with its reasons."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nbmail.values import HAM, SPAM, VERDICTS

if TYPE_CHECKING:
    from nbmail.cli.messages.tokenizing import SampledMessage
    from nbmail.core.explaining.explanation import Contribution, Reasons
    from nbmail.core.scoring.model import Model

Object = dict[str, Any]

_TERMS = ("prior", "prior_from", "prior_share", "weaker_count", "weaker", "calibration")


def score_objects(
    model: Model, messages: Sequence[SampledMessage], strongest: int
) -> Iterator[Object]:
    """Yield the object of each message, with its `strongest` reasons.

    `score` is the one for ranking, `log_odds` are those of `probability`, and `posterior` is the
    probability before calibration. With classes of the user's own, `class` is the likeliest.
    """
    import numpy as np

    samples = [message.sample for message in messages]
    scores = model.log_odds(model.rows(samples))
    classes = _learned_classes(model)
    class_chances = None
    if classes.keys() <= {SPAM, HAM}:
        verdicts = model.verdicts(scores)
    else:
        class_chances = np.exp(model.class_log_chances(samples))
        verdicts = model.verdicts(scores, class_chances)
    rows = zip(
        messages,
        verdicts.tolist(),
        model.probabilities(scores).tolist(),
        model.calibrate(scores).tolist(),
        scores.tolist(),
        strict=True,
    )
    for place, (message, verdict, probability, log_odds, score) in enumerate(rows):
        found = _score_object(message.name, VERDICTS[verdict], probability, log_odds, score)
        ranked: list[str] = []
        if class_chances is not None:
            chances = {name: float(class_chances[place, row]) for name, row in classes.items()}
            ranked = sorted(chances, key=lambda name: (-chances[name], name))
            found["class"] = ranked[0]
            found["classes"] = {name: chances[name] for name in ranked}
        if strongest:
            found |= _reasons(model, message, ranked, strongest)
        yield found


def _learned_classes(model: Model) -> dict[str, int]:
    """Return the row of each class that has messages."""
    counts = model.counts
    return {name: row for row, name in enumerate(counts.classes) if counts.messages[row]}


def _score_object(
    path: str, verdict: str, probability: float, log_odds: float, score: float
) -> Object:
    from nbmail.core.scoring.log_odds import sigmoid

    is_known = not math.isnan(probability)
    return {
        "path": path,
        "verdict": verdict,
        "probability": probability if is_known else None,
        "log_odds": log_odds,
        "score": score,
        "posterior": sigmoid(score) if is_known else None,
    }


def _reasons(model: Model, message: SampledMessage, ranked: list[str], most: int) -> Object:
    """Return the log-odds as a sum: prior, words, all weaker words and calibration.

    `between`: 95 % interval of the probability. `class_scores`: log p(x, class), null if the method
    has none. With classes of the user's own, `ranked`, `class_why` decomposes the log-odds of the
    likeliest one against the second.
    """
    from nbmail.core.explaining.explaining import explain, explain_class

    why = explain(model, message.sample, most, most)
    found = _sum(why)
    found["between"] = why.between
    found["method"] = why.method
    found["class_scores"] = why.class_scores
    if why.class_scores:
        spam, ham = why.class_scores
        found["class_scores"] = {"spam": spam, "ham": ham}

    if len(ranked) > 1:
        wanted, other = ranked[:2]
        own = explain_class(model, message.sample, wanted, other, most)
        found["class_why"] = {
            "against": other,
            "log_odds": own.log_odds,
            **_sum(own, counts=("in_class", "in_other")),
        }
    return found


def _sum(reasons: Reasons, counts: tuple[str, str] = ("spam", "ham")) -> Object:
    """Return the terms of the log-odds.

    `absent` are the words of the term "absent:words", if there are any. `counts`: names of the
    numbers of messages that contain a word.
    """
    found: Object = {"why": [_term(one, counts) for one in reasons.contributions]}
    for name in _TERMS:
        found[name] = getattr(reasons, name)
    if reasons.absent.words:
        found["absent"] = {
            "count": reasons.absent.total,
            "words": [_term(one, counts) for one in reasons.absent.words],
            "weaker_count": reasons.absent.weaker_count,
            "weaker": reasons.absent.weaker,
        }
    return found


def _term(one: Contribution, counts: tuple[str, str]) -> Object:
    spam_name, ham_name = counts
    found: Object = {
        "word": one.word,
        "place": one.place,
        spam_name: one.spam,
        ham_name: one.ham,
        "log_ratio": one.log_ratio,
        "occurrences": one.occurrences,
        "correction": one.correction,
        "contribution": one.contribution,
        "adds": one.contribution,
    }
    if one.pair:
        found["pair"] = one.pair
    if one.parent:
        found["parent"] = one.parent
    if one.measure:
        found |= one.measure._asdict()
    return found
