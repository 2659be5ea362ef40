"""Latest score of every message, and rescoring after the model changed."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.verdict import Costs
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.model.word_ids import WordIds
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM, VERDICTS, BoolArray, ByteArray, Rows, Scores
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.events import ClassFigures, Learned

# Messages scored in one time slice: 8,192 of 150 words take about 2 ms and stay in the processor's
# cache.
CHUNK = 8192
# Messages whose words are copied in one time slice: about 5 ms.
COPIED = 500
# Latest messages that count for the base rate, labelled or not.
RECENT = 10_000
# Labels of the largest step that is summarized with every change of the model.
MAX_NAMED = 32
# The base rate is rounded to this step, in log-odds. Otherwise every mark would change all
# probabilities.
_STEP = 1 / 16


class ScoresBefore(NamedTuple):
    """Copy of the verdicts and probabilities of all messages at one moment, in the order of the
    word ids.
    """

    verdicts: ByteArray
    probabilities: FloatArray


class Scoring:
    """Scores of all messages by the current model, as columns in the order of the word ids.

    `costs`: of mistakes. `visible`: the messages on the screen, which are scored first.
    """

    def __init__(self, store: Store, costs: Costs) -> None:
        self._store = store
        self._word_ids = store.word_ids
        self.costs = costs
        self.visible: tuple[int, ...] = ()
        self._log_odds: FloatArray = np.full(1, np.nan)
        self._probabilities: FloatArray = np.full(1, np.nan)
        self._verdicts: ByteArray = np.zeros(1, np.int8)
        self._altered: BoolArray = np.zeros(1, np.bool_)
        # Verdicts by rules of the user, -1 without a rule.
        self._rules: ByteArray = np.full(1, -1, np.int8)
        # Numbers of messages in the columns and of stale scores, and the position where the next
        # pass continues.
        self._known = self._stale = self._resume_at = 0
        self._scorer: Callable[[WordRows], FloatArray] | None = None
        self._calibrated = False
        self._base_rate = 0.5
        self._ignored: IntArray | None = None

    @property
    def model(self) -> Model:
        return self._store.model.model

    @property
    def is_current(self) -> bool:
        return self._stale == 0

    @property
    def log_odds(self) -> FloatArray:
        """Copy of the raw scores of all messages, in the order of the word ids; NaN for a message
        without one.
        """
        return self._log_odds[: self._known].copy()

    def invalidate(self, *, ignored_words_changed: bool = False) -> None:
        if self._ignored is None or ignored_words_changed:
            words = self._store.ignored_words.now()
            self._ignored = np.array(self._store.words.vocabulary.numbers_of(words), np.int32)
            self._grow()
            self._apply_rules()
        self.model.costs = self.costs
        self.model.base_rate = self._base_rate
        self.model.ignored = self._ignored
        self._stale = len(self._word_ids)
        self._scorer = None

    def add(self, messages: Sequence[int]) -> None:
        self._grow()
        self._apply_rules(messages)
        if self.is_current:
            self._score(messages)

    def update(self, filed: Callable[[], Collection[int]] = tuple) -> JobSteps[None]:
        """Score all messages by the current model. `filed` returns the mail that the base rate
        leaves out.
        """
        while not self.is_current:
            yield from self._score_stale()
            self._base_rate = self.estimate_base_rate(filed())
            if self._base_rate != self.model.base_rate:
                self.model.base_rate = self._base_rate
                for first in range(0, self._known, CHUNK):
                    places = slice(first, min(first + CHUNK, self._known))
                    self._put(places, self._log_odds[places].copy())
                    yield Pause()

    def scores_of(self, messages: Sequence[int]) -> Scores:
        if not self.is_current:
            self._score(messages)
        return self.stored_scores(messages)

    def stored_scores(self, messages: Sequence[int] | LongArray) -> Scores:
        """Return the scores of these messages without computing any; NaN for a message without
        one.
        """
        places = self._word_ids.places(messages)
        # While a data folder is opened, word ids are loaded before there is room for their scores.
        missing = (places < 0) | (places >= self._known)
        found = self._columns(np.asarray(messages, np.int64), np.where(missing, 0, places))
        found.log_odds[missing] = np.nan
        found.probabilities[missing] = np.nan
        found.verdicts[missing] = 0
        return found

    def with_scores(self, rows: Rows) -> Rows:
        return replace(rows, scores=self.stored_scores(rows.messages))

    def read_rows(self, messages: list[int]) -> Rows:
        if not self.is_current:
            self._score(messages)
        return self.with_scores(self._store.listing.some(messages))

    def take_altered(self) -> Scores | None:
        """Return the scores that changed since the last call; None if there are none. Visible
        messages are scored.
        """
        if not self.is_current:
            self._score(self.visible)
        places = np.flatnonzero(self._altered[: self._known])
        self._altered[places] = False
        return self._columns(self._word_ids.messages[places], places) if len(places) else None

    def copy(self) -> ScoresBefore:
        return ScoresBefore(
            self._verdicts[: self._known].copy(), self._probabilities[: self._known].copy()
        )

    def changed_since(self, before: ScoresBefore, exclude: Sequence[int]) -> LongArray:
        """Return the messages whose verdict changed, without those in `exclude`."""
        changed = self._verdicts[: len(before.verdicts)] != before.verdicts
        places = self._word_ids.places(exclude)
        changed[places[(places >= 0) & (places < len(before.verdicts))]] = False
        return self._word_ids.messages[np.flatnonzero(changed)]

    def summary(self) -> Learned:
        model = self.model
        counts = self.model.counts
        figures = [
            ClassFigures(name, counts.messages[row], int(np.count_nonzero(counts.documents[row])))
            for row, name in enumerate(counts.classes)
        ]
        (undo, redo), (next_undo, next_redo) = (
            self._store.steps.depth(),
            self._store.steps.preview(MAX_NAMED),
        )
        return Learned(
            classes=tuple(figures),
            vocabulary=counts.words,
            held_out=model.held_out.all.count(),
            calibrated=model.calibrated,
            method=model.method,
            undo=undo,
            redo=redo,
            is_exact=self._store.model.is_exact,
            spam_from=self.costs.spam_from,
            next_undo=next_undo,
            next_redo=next_redo,
            costs=self.costs.values,
        )

    def estimate_base_rate(self, filed: Collection[int] = ()) -> float:
        """Estimate the share of spam in recent mail, from labels and the scores of the unlabelled
        rest; 0.5 at first.

        `filed`: mail that was fetched because it lies in a folder of the user's own. It indicates
        nothing about new mail. The estimate depends on labels and mail alone, not on the former
        one: undo restores every probability.
        """
        if not self.model.calibrated:
            return 0.5
        messages = self._word_ids.messages[-RECENT:]
        log_odds = self.log_odds[-RECENT:]
        labels = self._store.labels.since(int(messages[0])) if len(messages) else {}
        kinds = list(labels.values())
        unlabelled = ~np.isnan(log_odds)
        unlabelled[np.searchsorted(messages, list(labels))] = False
        unlabelled[np.isin(messages, list(filed))] = False
        share = self.model.base_rate_among(
            log_odds[unlabelled], (kinds.count(SPAM), kinds.count(HAM))
        )
        return 1 / (1 + math.exp(-_STEP * round(math.log(share / (1 - share)) / _STEP)))

    def _grow(self) -> None:
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

    def _apply_rules(self, among: Sequence[int] | None = None) -> None:
        """Let rules decide verdicts from the next scoring on; `among`: only of these messages."""
        matches = self._store.sender_rules.matches(among)
        self._rules[slice(None) if among is None else self._places(among)] = -1
        self._rules[self._places(tuple(matches))] = [
            VERDICTS.index(each) for each in matches.values()
        ]

    def _places(self, messages: Sequence[int]) -> LongArray:
        places = self._word_ids.places(messages)
        return places[places >= 0]

    def _score(self, messages: Sequence[int]) -> None:
        places = self._places(messages)
        self._put(
            places,
            self.model.log_odds(self._word_ids.pick(places, whole=needs_occurrences(self.model))),
        )

    def _score_stale(self) -> JobSteps[None]:
        """Score all stale messages, from where the last pass stopped. The model may be replaced
        meanwhile.
        """
        while self._stale > 0:
            count = len(self._word_ids)
            if self._scorer is None:
                # Deriving 300,000 weights takes as long as scoring a chunk: a separate time slice.
                self._scorer = self.model.scorer()
            else:
                first = self._resume_at if self._resume_at < count else 0
                last = min(first + CHUNK, count, first + self._stale)
                rows = self._word_ids.rows(first, last, whole=needs_occurrences(self.model))
                self._put(slice(first, last), self._scorer(rows))
                self._resume_at = last
                self._stale = self._stale - (last - first)
            yield Pause(count - self._stale, count)
        # Its weights take as much memory as the model.
        self._scorer = None

    def _put(self, places: slice | LongArray, log_odds: FloatArray) -> None:
        model = self.model
        rules = self._rules[places]
        probabilities = model.probabilities(log_odds)
        verdicts = np.where(rules >= 0, rules, model.verdicts(log_odds))
        self._calibrated = model.calibrated
        same = (self._log_odds[places] == log_odds) & (self._verdicts[places] == verdicts)
        same &= np.equal(self._probabilities[places], probabilities) | (
            np.isnan(self._probabilities[places]) & np.isnan(probabilities)
        )
        self._altered[places] |= ~same
        self._log_odds[places] = log_odds
        self._probabilities[places] = probabilities
        self._verdicts[places] = verdicts

    def _columns(self, messages: LongArray, places: LongArray) -> Scores:
        return Scores(
            messages,
            self._log_odds[places],
            self._probabilities[places],
            self._verdicts[places],
            self._calibrated,
            self._rules[places] >= 0,
        )


def chances_of(model: Model, samples: list[Sample]) -> list[float | None]:
    """Return the chance of spam of each sample, None without one."""
    if not model.calibrated:
        return [None] * len(samples)
    log_odds = model.log_odds(model.rows(samples))
    chances: list[float | None] = model.probabilities(log_odds).tolist()
    return chances


def sample_of(store: Store, message: int) -> Sample:
    """Return the words of one message. Raises NOT_FOUND for an unknown message."""
    found = store.messages.samples([message]).get(message)
    if found is None:
        raise KnownError(ErrorCode.NOT_FOUND, str(message))
    return found


def places_of(word_ids: WordIds, number: int) -> JobSteps[LongArray]:
    """Return the indexes, in the word ids, of all messages that contain a word: one pass over the
    array.
    """
    found = [np.zeros(0, np.int64)]
    for first in range(0, len(word_ids), CHUNK):
        rows = word_ids.rows(first, min(first + CHUNK, len(word_ids)))
        found.append(
            first
            + np.searchsorted(rows.starts, np.flatnonzero(rows.words == number), side="right")
            - 1
        )
        yield Pause(first, len(word_ids))
    return np.concatenate(found)


def renew_word_ids(store: Store) -> JobSteps[None]:
    """Copy the evidence of all messages again, after words of some changed."""
    word_ids = WordIds(store.word_ids.path, store.samples_revision)
    yield from append_missing(store, word_ids)
    store.word_ids.become(word_ids)


def append_missing(store: Store, word_ids: WordIds) -> JobSteps[None]:
    """Append the messages that the word ids don't contain yet."""
    while (
        first := int(word_ids.messages[-1]) + 1 if len(word_ids) else 1
    ) <= store.messages.last():
        samples = store.messages.samples(range(first, first + COPIED))
        numbers = sorted(samples)
        word_ids.append(numbers, [samples[number] for number in numbers])
        if not numbers:
            return
        yield Pause()


def needs_occurrences(model: Model) -> bool:
    """True if the model's method uses more of a message than the set of its words."""
    return model.rows([]).occurrences is not None
