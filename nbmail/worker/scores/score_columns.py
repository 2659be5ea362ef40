"""Scores of all messages as columns, in the order of the word ids."""

from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.scoring.model import Model
from nbmail.values import BoolArray, ByteArray, Scores

NO_RULE = -1


class ScoresBefore(NamedTuple):
    """Copy of the verdicts and chances of all messages at one moment."""

    verdicts: ByteArray
    probabilities: FloatArray


class ScoreColumns:
    """Arrays with room for more messages. `count`: number of messages in them.

    `rules`: verdicts by rules of the user, `NO_RULE` without one. They count from the next `put`
    on.
    """

    def __init__(self) -> None:
        self.count = 0
        self.rules: ByteArray = np.full(1, NO_RULE, np.int8)
        self._log_odds: FloatArray = np.full(1, np.nan)
        self._probabilities: FloatArray = np.full(1, np.nan)
        self._verdicts: ByteArray = np.zeros(1, np.int8)
        self._altered: BoolArray = np.zeros(1, np.bool_)
        self._is_calibrated = False

    @property
    def log_odds(self) -> FloatArray:
        """Copy of the raw scores; NaN for a message without one."""
        return self._log_odds[: self.count].copy()

    def grow(self, count: int) -> None:
        """Make room for `count` messages. New ones have no score."""
        size = len(self._log_odds)
        if count > size:
            room = max(count, 2 * size) - size
            self._log_odds = np.pad(self._log_odds, (0, room), constant_values=np.nan)
            self._probabilities = np.pad(self._probabilities, (0, room), constant_values=np.nan)
            self._verdicts = np.pad(self._verdicts, (0, room))
            self._altered = np.pad(self._altered, (0, room))
            self.rules = np.pad(self.rules, (0, room), constant_values=NO_RULE)
        self.count = count

    def put(self, places: slice | LongArray, log_odds: FloatArray, model: Model) -> None:
        """Store scores, with chances and verdicts by `model`. Note which messages they alter."""
        rules = self.rules[places]
        probabilities = model.probabilities(log_odds)
        verdicts = np.where(rules == NO_RULE, model.verdicts(log_odds), rules)
        self._is_calibrated = model.has_chances

        before = self._probabilities[places]
        same = (before == probabilities) | (np.isnan(before) & np.isnan(probabilities))
        same &= self._log_odds[places] == log_odds
        same &= self._verdicts[places] == verdicts
        self._altered[places] |= ~same

        self._log_odds[places] = log_odds
        self._probabilities[places] = probabilities
        self._verdicts[places] = verdicts

    def judge_again(self, places: slice, model: Model) -> None:
        """Derive chances and verdicts from the raw scores by `model`."""
        self.put(places, self._log_odds[places].copy(), model)

    def read(self, messages: LongArray, places: LongArray) -> Scores:
        """Return the scores of messages. Places that don't exist have none."""
        missing = (places < 0) | (places >= self.count)
        found = self._pick(messages, np.where(missing, 0, places))
        found.log_odds[missing] = np.nan
        found.probabilities[missing] = np.nan
        found.verdicts[missing] = 0
        return found

    def take_altered(self, messages: LongArray) -> Scores | None:
        """Return the scores that changed since the last call, None if there are none.

        `messages`: all messages, in the order of the columns.
        """
        places = np.flatnonzero(self._altered[: self.count])
        if not len(places):
            return None
        self._altered[places] = False
        return self._pick(messages[places], places)

    def copy(self) -> ScoresBefore:
        return ScoresBefore(
            self._verdicts[: self.count].copy(), self._probabilities[: self.count].copy()
        )

    def changed_since(self, before: ScoresBefore) -> BoolArray:
        """Return for each of the messages of that moment whether its verdict changed."""
        return np.asarray(self._verdicts[: len(before.verdicts)] != before.verdicts, bool)

    def _pick(self, messages: LongArray, places: LongArray) -> Scores:
        return Scores(
            messages,
            self._log_odds[places],
            self._probabilities[places],
            self._verdicts[places],
            self._is_calibrated,
            self.rules[places] >= 0,
        )
