"""The latest score of every message, and bringing all of them up to date after the model changed."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbmail.core.counting.sample import FloatArray, LongArray, WordRows
from nbmail.core.scoring.model import GOOD, JUNK, Model
from nbmail.store.mail.listing import no_scores
from nbmail.store.model.word_ids import WordIds
from nbmail.store.store import Store
from nbmail.values import Scores
from nbmail.worker.engine.job_queue import JobSteps, Pause

# Messages scored between two looks at the queue: 8,192 of 150 words take about 2 ms and stay in the cache.
CHUNK = 8192
# The mail that came last, labelled or not.
RECENT = 10_000
# Shares closer than this, in log-odds, are one: probabilities wander with every mark otherwise, all of them.
_STEP = 1 / 16


@dataclass(frozen=True, slots=True, eq=False)
class ScoresBefore:
    """Verdicts and probabilities of all messages as they were at one moment, in the order of the word ids."""

    verdicts: Any
    probabilities: FloatArray


class MailboxScores:
    """Scores column by column, in the order of the word ids."""

    def __init__(self, word_ids: WordIds) -> None:
        self._word_ids = word_ids
        self._log_odds: FloatArray = np.zeros(0)
        self._probabilities: FloatArray = np.zeros(0)
        self._verdicts: Any = np.zeros(0, np.int8)
        self._altered: Any = np.zeros(0, bool)
        self._known = 0
        self._resume_at = 0
        self._old = 0
        self._scorer: Callable[[WordRows], FloatArray] | None = None
        self.calibrated = False
        self.visible: tuple[int, ...] = ()
        """The messages on the screen."""

    def grow(self) -> None:
        """Make room for what came to the word ids; it has no score yet."""
        count = len(self._word_ids)
        if count > len(self._log_odds):
            room = max(count, 2 * len(self._log_odds)) - len(self._log_odds)
            self._log_odds = np.pad(self._log_odds, (0, room), constant_values=np.nan)
            self._probabilities = np.pad(self._probabilities, (0, room), constant_values=np.nan)
            self._verdicts = np.pad(self._verdicts, (0, room))
            self._altered = np.pad(self._altered, (0, room))
        self._old += count - self._known if self._old else 0
        self._known = count

    def score(self, model: Model, messages: Sequence[int] | LongArray) -> Scores:
        """Score these messages now."""
        places = self._word_ids.places(messages)
        places = places[places >= 0]
        rows = self._word_ids.pick(places, whole=_wants_whole(model))
        self._take(model, places, model.log_odds(rows))
        return self._scores(places)

    @property
    def log_odds(self) -> FloatArray:
        """The raw score of every message, in the order of the word ids; NaN where there is none yet. A copy."""
        return self._log_odds[: self._known].copy()

    def score_visible(self, model: Model) -> None:
        self.score(model, self.visible)

    def mark_old(self) -> None:
        self._old = len(self._word_ids)
        self._scorer = None

    @property
    def exact(self) -> bool:
        """Whether every score is that of the model as it is."""
        return self._old == 0

    def update(self, current: Callable[[], Model]) -> JobSteps:
        """Score all that is old, round and round from where the last pass stopped until nothing is old.

        Always by the `current` model: a fold may put another in its place in the middle of a pass.
        """
        while self._old > 0:
            first = self._resume_at if self._resume_at < len(self._word_ids) else 0
            last = min(first + CHUNK, len(self._word_ids), first + self._old)
            model = current()
            if self._scorer is None:
                self._scorer = model.scorer()
                # Deriving 300,000 weights takes as long as using them on a piece: a slice of its own.
                yield Pause(len(self._word_ids) - self._old, len(self._word_ids))
                continue
            rows = self._word_ids.rows(first, last, whole=_wants_whole(model))
            self._take(model, slice(first, last), self._scorer(rows))
            self._resume_at, self._old = last, self._old - (last - first)
            yield Pause(len(self._word_ids) - self._old, len(self._word_ids))
        # Its weights take as much memory as the model.
        self._scorer = None

    def judge_anew(self, model: Model) -> JobSteps:
        """The scores are the same, but not what follows from them."""
        for first in range(0, self._known, CHUNK):
            places = slice(first, min(first + CHUNK, self._known))
            self._take(model, places, self._log_odds[places].copy())
            yield Pause()

    def _take(self, model: Model, places: Any, log_odds: FloatArray) -> None:
        probabilities, verdicts = model.probabilities(log_odds), model.verdicts(log_odds)
        self.calibrated = model.calibrated
        turned = self._verdicts[places] != verdicts
        same = (self._log_odds[places] == log_odds) & ~turned
        same &= _equal(self._probabilities[places], probabilities)
        self._altered[places] |= ~same
        self._log_odds[places], self._probabilities[places] = log_odds, probabilities
        self._verdicts[places] = verdicts

    def remember(self) -> ScoresBefore:
        return ScoresBefore(self._verdicts[: self._known].copy(), self._probabilities[: self._known].copy())

    def turned_since(self, before: ScoresBefore, besides: Sequence[int]) -> LongArray:
        """The messages whose verdict is other than it was, without the messages `besides`."""
        turned = self._verdicts[: len(before.verdicts)] != before.verdicts
        places = self._word_ids.places(besides)
        turned[places[(places >= 0) & (places < len(before.verdicts))]] = False
        return self._word_ids.messages[np.flatnonzero(turned)]

    def take_altered(self) -> Scores | None:
        """The scores that have changed since they were last taken."""
        places = np.flatnonzero(self._altered[: self._known])
        if not len(places):
            return None
        self._altered[places] = False
        return self._scores(places)

    def scores(self, messages: Sequence[int] | LongArray) -> Scores:
        """The scores of these messages as they stand; without one for what has none yet."""
        places = self._word_ids.places(messages)
        missing = places < 0
        none = np.zeros(len(missing), np.int64)
        found = self._scores(np.where(missing, 0, places)) if self._known else no_scores(none)
        found.log_odds[missing], found.probabilities[missing], found.verdicts[missing] = np.nan, np.nan, 0
        return Scores(
            np.asarray(messages, np.int64), found.log_odds, found.probabilities, found.verdicts, self.calibrated
        )

    def _scores(self, places: LongArray) -> Scores:
        return Scores(
            self._word_ids.messages[places],
            self._log_odds[places],
            self._probabilities[places],
            self._verdicts[places],
            self.calibrated,
        )


def _wants_whole(model: Model) -> bool:
    """Whether the model's method looks at more of a message than which words it holds."""
    return model.rows([]).occurrences is not None


def _equal(old: FloatArray, new: FloatArray) -> Any:
    return (old == new) | (np.isnan(old) & np.isnan(new))


def junk_share(store: Store, model: Model, scores: MailboxScores) -> float:
    """The share of junk in recent mail, by its labels, and by its scores where it has none; a half at first.

    The labels and the mail alone decide, never the share of before: an undo brings every probability back.
    """
    if not model.calibrated:
        return 0.5
    messages, log_odds = store.word_ids.messages[-RECENT:], scores.log_odds[-RECENT:]
    labels = store.labels.since(int(messages[0])) if len(messages) else {}
    kinds = list(labels.values())
    free = ~np.isnan(log_odds)
    free[np.searchsorted(messages, list(labels))] = False
    share = model.share_among(log_odds[free], (kinds.count(JUNK), kinds.count(GOOD)))
    return 1 / (1 + math.exp(-_STEP * round(math.log(share / (1 - share)) / _STEP)))
