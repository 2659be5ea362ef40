"""Chances of spam of samples that are not stored yet."""

from nbmail.core.counting.sample import Sample
from nbmail.core.scoring.model import Model


def chances_of(model: Model, samples: list[Sample]) -> list[float | None]:
    """Return the chance of spam of each sample, None without one."""
    if not model.calibrated:
        return [None] * len(samples)
    log_odds = model.log_odds(model.rows(samples))
    chances: list[float | None] = model.probabilities(log_odds).tolist()
    return chances
