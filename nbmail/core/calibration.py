"""Calibration: a monotone map from log-odds to honest ones, fitted on scores given before the message was learned."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from nbmail.core.sample import FloatArray

ENOUGH = 30
"""Held-out scores that each class needs before a probability is promised."""


class Calibration:
    """Held-out scores in the order of learning, and the map fitted on them."""

    def __init__(self, scores: Iterable[float] = (), junk: Iterable[bool] = ()) -> None:
        self._scores = [float(score) for score in scores]
        self._junk = [bool(one) for one in junk]
        self._of_junk = sum(self._junk)

    @property
    def held_out(self) -> tuple[int, int]:
        """How many held-out scores there are: of junk, of good mail."""
        return self._of_junk, len(self._junk) - self._of_junk

    @property
    def ready(self) -> bool:
        """Whether each class has enough."""
        return min(self.held_out) >= ENOUGH

    def learn(self, score: float, junk: bool) -> None:
        """One more score that was given before its label was known."""
        self._scores.append(score)
        self._junk.append(junk)
        self._of_junk += junk

    def unlearn_latest(self) -> None:
        """Take the latest back."""
        self._scores.pop()
        self._of_junk -= self._junk.pop()

    def apply(self, log_odds: FloatArray) -> FloatArray:
        """Honest log-odds, finite; the same as given until ready."""
        return log_odds

    @property
    def scores(self) -> FloatArray:
        """The held-out scores, oldest first."""
        return np.array(self._scores, np.float64)

    @property
    def junk(self) -> npt.NDArray[np.bool_]:
        """Whether each of them was junk."""
        return np.array(self._junk, np.bool_)
