"""Latest score of every message, and rescoring after the model changed."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbmail.core.counting.sample import FloatArray, LongArray, Sample, WordRows
from nbmail.core.scoring.explanation import NEVER_LEARNED, Typicality, log_likelihoods
from nbmail.core.scoring.model import GOOD, JUNK, Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.mail.listing import no_scores
from nbmail.store.model.word_ids import WordIds
from nbmail.store.store import Store
from nbmail.values import VERDICTS, Scores
from nbmail.worker.engine.job_queue import JobSteps, Pause

# Messages scored in one time slice: 8,192 of 150 words take about 2 ms and stay in the processor's cache.
CHUNK = 8192
# Messages whose words are copied in one time slice: about 5 ms.
COPIED = 500
# Latest messages that count for the base rate, labelled or not.
RECENT = 10_000
# Latest messages that the words of a message are compared with, and the fewest of them.
COMPARED, FEWEST_OTHERS = 1000, 100
# The base rate is rounded to this step, in log-odds. Otherwise every mark would change all probabilities.
_STEP = 1 / 16


@dataclass(frozen=True, slots=True, eq=False)
class ScoresBefore:
    """Copy of the verdicts and probabilities of all messages at one moment, in the order of the word ids."""

    verdicts: Any
    probabilities: FloatArray


class MailboxScores:
    """Scores as columns, in the order of the word ids."""

    def __init__(self, word_ids: WordIds) -> None:
        self._word_ids = word_ids
        self._log_odds: FloatArray = np.zeros(0)
        self._probabilities: FloatArray = np.zeros(0)
        self._verdicts: Any = np.zeros(0, np.int8)
        self._altered: Any = np.zeros(0, bool)
        # Verdicts by rules of the user, -1 without a rule.
        self._rules: Any = np.zeros(0, np.int8)
        self._known = 0
        self._resume_at = 0
        self._stale = 0
        self._scorer: Callable[[WordRows], FloatArray] | None = None
        self.calibrated = False
        self.visible: tuple[int, ...] = ()
        """The messages on the screen."""

    def grow(self) -> None:
        """Make room for messages that were added to the word ids. Their scores are NaN."""
        count = len(self._word_ids)
        if count > len(self._log_odds):
            room = max(count, 2 * len(self._log_odds)) - len(self._log_odds)
            self._log_odds = np.pad(self._log_odds, (0, room), constant_values=np.nan)
            self._probabilities = np.pad(self._probabilities, (0, room), constant_values=np.nan)
            self._verdicts = np.pad(self._verdicts, (0, room))
            self._altered = np.pad(self._altered, (0, room))
            self._rules = np.pad(self._rules, (0, room), constant_values=-1)
        self._stale += count - self._known if self._stale else 0
        self._known = count

    def apply_rules(self, matches: Mapping[int, str], among: Sequence[int] | None = None) -> None:
        """Let rules decide these verdicts from the next scoring on, and no others; `among`: only of these messages."""
        self._rules[slice(None) if among is None else self._known_places(among)] = -1
        self._rules[self._known_places(tuple(matches))] = [VERDICTS.index(each) for each in matches.values()]

    def _known_places(self, messages: Sequence[int]) -> LongArray:
        places = self._word_ids.places(messages)
        return places[places >= 0]

    def score(self, model: Model, messages: Sequence[int] | LongArray) -> None:
        """Score these messages now."""
        places = self._word_ids.places(messages)
        places = places[places >= 0]
        rows = self._word_ids.pick(places, whole=needs_occurrences(model))
        self._store(model, places, model.log_odds(rows))

    @property
    def log_odds(self) -> FloatArray:
        """Copy of the raw scores of all messages, in the order of the word ids; NaN for a message without one."""
        return self._log_odds[: self._known].copy()

    def invalidate(self) -> None:
        self._stale = len(self._word_ids)
        self._scorer = None

    @property
    def is_current(self) -> bool:
        """True if every score is that of the current model."""
        return self._stale == 0

    def update(self, current: Callable[[], Model]) -> JobSteps[None]:
        """Score all stale messages, from where the last pass stopped. `current` returns the model; it may change."""
        while self._stale > 0:
            first = self._resume_at if self._resume_at < len(self._word_ids) else 0
            last = min(first + CHUNK, len(self._word_ids), first + self._stale)
            model = current()
            if self._scorer is None:
                self._scorer = model.scorer()
                # Deriving 300,000 weights takes as long as scoring a chunk: a separate time slice.
                yield Pause(len(self._word_ids) - self._stale, len(self._word_ids))
                continue
            rows = self._word_ids.rows(first, last, whole=needs_occurrences(model))
            self._store(model, slice(first, last), self._scorer(rows))
            self._resume_at, self._stale = last, self._stale - (last - first)
            yield Pause(len(self._word_ids) - self._stale, len(self._word_ids))
        # Its weights take as much memory as the model.
        self._scorer = None

    def recompute_verdicts(self, model: Model) -> JobSteps[None]:
        """Compute probabilities and verdicts again from unchanged scores."""
        for first in range(0, self._known, CHUNK):
            places = slice(first, min(first + CHUNK, self._known))
            self._store(model, places, self._log_odds[places].copy())
            yield Pause()

    def _store(self, model: Model, places: Any, log_odds: FloatArray) -> None:
        probabilities, rules = model.probabilities(log_odds), self._rules[places]
        verdicts = np.where(rules >= 0, rules, model.verdicts(log_odds))
        self.calibrated = model.calibrated
        changed = self._verdicts[places] != verdicts
        same = (self._log_odds[places] == log_odds) & ~changed
        same &= _equal(self._probabilities[places], probabilities)
        self._altered[places] |= ~same
        self._log_odds[places], self._probabilities[places] = log_odds, probabilities
        self._verdicts[places] = verdicts

    def copy(self) -> ScoresBefore:
        """Copy verdicts and probabilities, to compare them later."""
        return ScoresBefore(self._verdicts[: self._known].copy(), self._probabilities[: self._known].copy())

    def changed_since(self, before: ScoresBefore, exclude: Sequence[int]) -> LongArray:
        """Return the messages whose verdict changed, without those in `exclude`."""
        changed = self._verdicts[: len(before.verdicts)] != before.verdicts
        places = self._word_ids.places(exclude)
        changed[places[(places >= 0) & (places < len(before.verdicts))]] = False
        return self._word_ids.messages[np.flatnonzero(changed)]

    def take_altered(self) -> Scores | None:
        """Return the scores that changed since the last call; None if there are none."""
        places = np.flatnonzero(self._altered[: self._known])
        if not len(places):
            return None
        self._altered[places] = False
        return self._scores(places)

    def scores(self, messages: Sequence[int] | LongArray) -> Scores:
        """Return the scores of these messages without computing any; NaN for a message without one."""
        places = self._word_ids.places(messages)
        missing = places < 0
        none = np.zeros(len(missing), np.int64)
        found = self._scores(np.where(missing, 0, places)) if self._known else no_scores(none)
        found.log_odds[missing], found.probabilities[missing], found.verdicts[missing] = np.nan, np.nan, 0
        return Scores(
            np.asarray(messages, np.int64),
            found.log_odds,
            found.probabilities,
            found.verdicts,
            self.calibrated,
            found.ruled,
        )

    def _scores(self, places: LongArray) -> Scores:
        return Scores(
            self._word_ids.messages[places],
            self._log_odds[places],
            self._probabilities[places],
            self._verdicts[places],
            self.calibrated,
            self._rules[places] >= 0,
        )


def sample_of(store: Store, message: int) -> Sample:
    """Return the words of one message. Raises NOT_FOUND for an unknown message."""
    found = store.messages.samples([message]).get(message)
    if found is None:
        raise KnownError(ErrorCode.NOT_FOUND, str(message))
    return found


def places_of(word_ids: WordIds, number: int) -> JobSteps[LongArray]:
    """Return the indexes, in the word ids, of all messages that contain a word: one pass over the array."""
    found = [np.zeros(0, np.int64)]
    for first in range(0, len(word_ids), CHUNK):
        rows = word_ids.rows(first, min(first + CHUNK, len(word_ids)))
        found.append(first + np.searchsorted(rows.starts, np.flatnonzero(rows.words == number), side="right") - 1)
        yield Pause(first, len(word_ids))
    return np.concatenate(found)


def renew_word_ids(store: Store) -> JobSteps[None]:
    """Copy the evidence of all messages again, after words of some changed."""
    word_ids = WordIds(store.word_ids.path, store.samples_revision)
    yield from append_missing(store, word_ids)
    store.word_ids.become(word_ids)


def append_missing(store: Store, word_ids: WordIds) -> JobSteps[None]:
    """Append the messages that the word ids don't contain yet."""
    while (first := int(word_ids.messages[-1]) + 1 if len(word_ids) else 1) <= store.messages.last():
        samples = store.messages.samples(range(first, first + COPIED))
        numbers = sorted(samples)
        word_ids.append(numbers, [samples[number] for number in numbers])
        if not numbers:
            return
        yield Pause()


def typicality_of(store: Store, model: Model, message: int) -> Typicality | None:
    """Compare log p(x) per word of a message with the latest others; None if there are fewer than `FEWEST_OTHERS`."""
    word_ids = store.word_ids
    (place,), count = word_ids.places([message]), len(word_ids)
    first = max(0, count - COMPARED)
    rows, messages = word_ids.rows(first, count), word_ids.messages[first:count]
    if place < 0 or len(messages) <= FEWEST_OTHERS or not model.calibrated:
        return None
    labels = store.labels.of([message, *messages.tolist()])

    def likelihoods(rows: WordRows, numbers: Sequence[int]) -> FloatArray:
        found = (model.counts.row(labels[number]) if number in labels else None for number in numbers)
        learned = np.array([NEVER_LEARNED if row is None else row for row in found], np.int32)
        return log_likelihoods(model.counts, rows, learned)

    own = float(likelihoods(word_ids.pick(np.array([place])), [message])[0])
    others = likelihoods(rows, messages.tolist())[messages != message]
    return Typicality(own, int(np.count_nonzero(others > own)), len(others)) if math.isfinite(own) else None


def needs_occurrences(model: Model) -> bool:
    """True if the model's method uses more of a message than the set of its words."""
    return model.rows([]).occurrences is not None


def _equal(old: FloatArray, new: FloatArray) -> Any:
    return (old == new) | (np.isnan(old) & np.isnan(new))


def base_rate(store: Store, model: Model, scores: MailboxScores, filed: Collection[int] = ()) -> float:
    """Estimate the share of junk in recent mail, from its labels and the scores of the unlabelled rest; 0.5 at first.

    `filed`: mail that was fetched because it lies in a folder of the user's own. It says nothing about arriving mail.
    The estimate depends on labels and mail alone, not on the former estimate: undo restores every probability.
    """
    if not model.calibrated:
        return 0.5
    messages, log_odds = store.word_ids.messages[-RECENT:], scores.log_odds[-RECENT:]
    labels = store.labels.since(int(messages[0])) if len(messages) else {}
    kinds = list(labels.values())
    unlabelled = ~np.isnan(log_odds)
    unlabelled[np.searchsorted(messages, list(labels))] = False
    unlabelled[np.isin(messages, list(filed))] = False
    share = model.base_rate_among(log_odds[unlabelled], (kinds.count(JUNK), kinds.count(GOOD)))
    return 1 / (1 + math.exp(-_STEP * round(math.log(share / (1 - share)) / _STEP)))
