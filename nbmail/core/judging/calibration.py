"""Calibration: a monotone map from log-odds to honest ones, fitted on scores given before the message was learned.

Held-out scores fall into bins of equal weight, recent ones weighing more. In each the share of junk is counted,
together with a few imaginary messages that follow a logistic curve through all bins; shares that fall where they
should rise are pooled (isotonic regression). Between bins the map is a straight line in log-odds. It never promises
more than the number of held-out messages of each class allows, and it keeps every order. How far it errs and what
each choice brought was measured: `tests/bench/MEASUREMENTS.md`, "Calibration".
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.sample import FloatArray, LongArray

ENOUGH = 30
"""Held-out scores that each class needs before a probability is promised."""
_BINS = 64
_IMAGINARY = 3.0
# What all junk together promises at most: as if so much of a message had been good after all, and the other way round.
_UNSEEN = 0.2
# After this share of all held-out scores, and no fewer than so many, a score weighs half as much.
_HALF_LIFE = 0.15
_SHORTEST_HALF_LIFE = 1000.0
# Keeps the order of scores that the map makes equal; too little to be seen in any probability.
_TILT = 1e-6
# Scores within this distance are alike; never fewer than the nearest ten, never more than the nearest 200.
_NEAR = 1.0
_FEWEST_ALIKE, _MOST_ALIKE = 10, 200
_FIT_DIGITS = 7
_ROUNDS = 25

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CalibrationMap:
    """A fitted map: straight lines between `knots`, and the scores it was fitted on, in rising order."""

    knots: FloatArray
    heights: FloatArray
    scores: FloatArray
    junk_up_to: LongArray

    def log_odds(self, raw: FloatArray) -> FloatArray:
        """Honest log-odds, in the same order as the raw ones."""
        return np.asarray(np.interp(raw, self.knots, self.heights) + _TILT * raw)

    def alike(self, raw: float) -> tuple[int, int]:
        """How many held-out messages scored like this one, and how many of them were junk."""
        low, high = np.searchsorted(self.scores, (raw - _NEAR, raw + _NEAR), side="left")
        place = int(np.searchsorted(self.scores, raw))
        low = max(min(int(low), place - _FEWEST_ALIKE // 2), place - _MOST_ALIKE // 2)
        high = min(max(int(high), place + _FEWEST_ALIKE // 2), place + _MOST_ALIKE // 2)
        # Beyond the ends the nearest are all on one side.
        low, high = min(low, len(self.scores) - _FEWEST_ALIKE), max(high, _FEWEST_ALIKE)
        low, high = max(low, 0), min(high, len(self.scores))
        return high - low, int(self.junk_up_to[high] - self.junk_up_to[low])


@dataclass(frozen=True, slots=True)
class _Bins:
    """Neighbouring scores together: their mean, their weight, and the weight of the junk among them."""

    scores: FloatArray
    weights: FloatArray
    junk: FloatArray


def fit(scores: FloatArray, junk: Flags) -> CalibrationMap:
    """Fit the map on held-out scores, oldest first."""
    ages = np.arange(len(scores))[::-1]
    weights = np.exp2(-ages / max(_SHORTEST_HALF_LIFE, _HALF_LIFE * len(scores)))
    order = np.argsort(scores, kind="stable")
    bins = _binned(scores[order], weights[order], junk[order])
    of_junk = int(junk.sum())
    lowest, highest = -math.log((len(junk) - of_junk) / _UNSEEN + 1), math.log(of_junk / _UNSEEN + 1)
    curve = _sigmoid(np.clip(_logistic_curve(bins), lowest, highest))
    knots, shares = _pooled(bins.scores, bins.junk + _IMAGINARY * curve, bins.weights + _IMAGINARY)
    heights = np.clip(np.log(shares) - np.log1p(-shares), lowest, highest)
    return CalibrationMap(knots, heights, scores[order], np.append(0, np.cumsum(junk[order])))


class Calibration:
    """Held-out scores in the order of learning, and the map fitted on them."""

    def __init__(self, scores: npt.ArrayLike = (), junk: npt.ArrayLike = ()) -> None:
        self._scores = np.array(scores, np.float64)
        self._junk = np.array(junk, np.bool_)
        self._length = len(self._scores)
        self._of_junk = int(self._junk.sum())
        self._fitted = 0
        self._map: CalibrationMap | None = None

    @property
    def held_out(self) -> tuple[int, int]:
        """How many held-out scores there are: of junk, of good mail."""
        return self._of_junk, self._length - self._of_junk

    @property
    def ready(self) -> bool:
        """Whether each class has enough."""
        return min(self.held_out) >= ENOUGH

    @property
    def scores(self) -> FloatArray:
        """The held-out scores, oldest first."""
        return self._scores[: self._length].copy()

    @property
    def junk(self) -> Flags:
        """Whether each of them was junk."""
        return self._junk[: self._length].copy()

    def learn_many(self, scores: FloatArray, junk: Flags) -> None:
        """More scores that were given before their labels were known, oldest first."""
        length = self._length + len(scores)
        if length > len(self._scores):
            room = max(64, self._length, length - len(self._scores))
            self._scores, self._junk = np.pad(self._scores, (0, room)), np.pad(self._junk, (0, room))
        self._scores[self._length : length], self._junk[self._length : length] = scores, junk
        self._length = length
        self._of_junk += int(np.count_nonzero(junk))

    def unlearn_latest(self) -> None:
        """Take the latest back."""
        self._length -= 1
        self._of_junk -= int(self._junk[self._length])
        if self._fitted > self._length:
            self._map = None

    def apply(self, log_odds: FloatArray) -> FloatArray:
        """Honest log-odds, finite; the same as given until ready."""
        return self._current().log_odds(log_odds) if self.ready else log_odds

    def alike(self, log_odds: float) -> tuple[int, int]:
        """How many held-out messages scored like this one, and how many of them were junk; none until ready."""
        return self._current().alike(log_odds) if self.ready else (0, 0)

    def _current(self) -> CalibrationMap:
        """The map for as many scores as there are.

        Fitted on the first of them, as many as their number rounded down to seven binary digits, so that a mailbox of
        75,000 fits 1,500 times rather than 75,000; all of them where the first would leave a class without enough.
        """
        length = self._length >> max(0, self._length.bit_length() - _FIT_DIGITS)
        length <<= max(0, self._length.bit_length() - _FIT_DIGITS)
        of_junk = self._of_junk - int(self._junk[length : self._length].sum())
        if min(of_junk, length - of_junk) < ENOUGH:
            length = self._length
        if self._map is None or self._fitted != length:
            self._map, self._fitted = fit(self._scores[:length], self._junk[:length]), length
        return self._map


def _sigmoid(log_odds: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0))))


def _binned(scores: FloatArray, weights: FloatArray, junk: Flags) -> _Bins:
    """Bins of about equal weight over scores in rising order.

    Equal scores go into one bin together, that of the middle of their weight: apart, they would be told from each other
    by the order in which they came, and the map would jump at their score.
    """
    firsts = np.flatnonzero(np.append(True, scores[1:] != scores[:-1]))
    alike = np.add.reduceat(weights, firsts)
    up_to = np.cumsum(alike)
    middles = np.minimum((up_to - alike / 2) / up_to[-1] * _BINS, _BINS - 1).astype(np.int64)
    places = np.repeat(middles, np.diff(np.append(firsts, len(scores))))
    total = np.bincount(places, weights, _BINS)
    of_junk = np.bincount(places[junk], weights[junk], _BINS)
    sums = np.bincount(places, weights * scores, _BINS)
    filled = total > 0
    return _Bins(*(np.asarray(one[filled], np.float64) for one in (sums / np.maximum(total, 1e-300), total, of_junk)))


def _logistic_curve(bins: _Bins) -> FloatArray:
    """Log-odds of the logistic curve through all bins (Platt 1999, with his targets short of 0 and 1), by Newton."""
    bad, good = float(bins.junk.sum()), float((bins.weights - bins.junk).sum())
    targets = (bins.junk * (bad + 1) / (bad + 2) + (bins.weights - bins.junk) / (good + 2)) / bins.weights
    scores = bins.scores / max(1.0, float(np.abs(bins.scores).mean()))
    slope, offset = 1.0, 0.0
    for _ in range(_ROUNDS):
        chances = _sigmoid(slope * scores + offset)
        missing = bins.weights * (targets - chances)
        bend = bins.weights * chances * (1 - chances)
        # A little ridge towards slope 1 keeps the system solvable when all scores are equal.
        along, cross, level = (bend * scores**2).sum() + 1e-3, (bend * scores).sum(), bend.sum() + 1e-6
        pull, lift = (missing * scores).sum() - 1e-3 * (slope - 1), missing.sum()
        area = along * level - cross * cross
        turn, shift = (level * pull - cross * lift) / area, (along * lift - cross * pull) / area
        slope, offset = max(0.05, slope + min(1.0, max(-1.0, turn))), offset + min(1.0, max(-1.0, shift))
        if abs(turn) + abs(shift) < 1e-6:
            break
    return np.asarray(slope * scores + offset)


def _pooled(scores: FloatArray, junk: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pool neighbours until shares rise: where each pool begins and ends, and its share."""
    pools: list[tuple[float, float, float, float]] = []
    for score, of_junk, weight in zip(scores.tolist(), junk.tolist(), weights.tolist(), strict=True):
        pool = (of_junk, weight, score, score)
        while pools and pools[-1][0] * pool[1] >= pool[0] * pools[-1][1]:
            before = pools.pop()
            pool = (before[0] + pool[0], before[1] + pool[1], before[2], score)
        pools.append(pool)
    ends = np.array([pool[2:] for pool in pools]).ravel()
    return ends, np.repeat([pool[0] / pool[1] for pool in pools], 2)
