"""Scoring of all messages by the current model."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.methods.method import Scorer
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.verdict import Costs
from nbmail.store.store import Store
from nbmail.values import VERDICTS, Rows, Scores
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.events import Learned
from nbmail.worker.scores.base_rate import recent_base_rate
from nbmail.worker.scores.model_summary import summarize
from nbmail.worker.scores.score_columns import NO_RULE, ScoreColumns, ScoresBefore
from nbmail.worker.scores.word_array import needs_occurrences

# Messages scored in one time slice: 8,192 of 150 words take about 2 ms and stay in the processor's
# cache.
CHUNK = 8192


class Scoring:
    """Latest score of every message, and rescoring after the model changed.

    `costs`: of mistakes. `visible`: the messages on the screen, which are scored first.
    """

    def __init__(self, store: Store, costs: Costs) -> None:
        self._store = store
        self._word_ids = store.word_ids
        self.costs = costs
        self.withheld = False
        """True while no message gets a chance and a verdict."""
        self.visible: tuple[int, ...] = ()
        self._columns = ScoreColumns()
        self._stale = 0
        """Number of messages whose scores belong to an earlier model."""
        self._resume_at = 0
        """Index where the next pass continues."""
        self._scorer: Scorer | None = None
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
        """Copy of all raw scores, in the order of the word ids; NaN for a message without one."""
        return self._columns.log_odds

    def invalidate(self, *, ignored_words_changed: bool = False) -> None:
        """Make all scores stale, after a change of the model, the costs or the ignored words."""
        if self._ignored is None or ignored_words_changed:
            words = self._store.ignored_words.now()
            self._ignored = np.array(self._store.words.vocabulary.numbers_of(words), np.int32)
            self._grow()
            self._apply_rules()
        self.model.costs = self.costs
        self.model.withheld = self.withheld
        self.model.base_rate = self._base_rate
        self.model.ignored = self._ignored
        self._stale = len(self._word_ids)
        self._scorer = None

    def add(self, messages: Sequence[int]) -> None:
        """Make room for new messages, and score them unless all scores are stale."""
        self._grow()
        self._apply_rules(messages)
        if self.is_current:
            self._score(messages)

    def update(self, filed: Callable[[], Collection[int]] = tuple) -> JobSteps[None]:
        """Score all messages. `filed` returns the mail that the base rate leaves out."""
        while not self.is_current:
            yield from self._score_stale()
            self._base_rate = recent_base_rate(self._store, self.model, self.log_odds, filed())
            if self._base_rate != self.model.base_rate:
                self.model.base_rate = self._base_rate
                yield from self._judge_again()

    def scores_of(self, messages: Sequence[int]) -> Scores:
        """Return the scores of messages by the current model."""
        if not self.is_current:
            self._score(messages)
        return self.stored_scores(messages)

    def stored_scores(self, messages: Sequence[int] | LongArray) -> Scores:
        """Return scores without computing any; NaN for a message without one."""
        # While a data folder is opened, word ids are loaded before there is room for their scores.
        return self._columns.read(np.asarray(messages, np.int64), self._word_ids.places(messages))

    def with_scores(self, rows: Rows) -> Rows:
        """Return rows with the stored scores."""
        return replace(rows, scores=self.stored_scores(rows.messages))

    def scored(self, rows: Rows) -> Rows:
        """Return rows with the scores by the current model."""
        return replace(rows, scores=self.scores_of(rows.messages.tolist()))

    def take_altered(self) -> Scores | None:
        """Return the scores that changed since the last call; None if there are none.

        Visible messages are scored before.
        """
        if not self.is_current:
            self._score(self.visible)
        return self._columns.take_altered(self._word_ids.messages)

    def copy(self) -> ScoresBefore:
        """Copy the verdicts and chances of this moment."""
        return self._columns.copy()

    def changed_since(self, before: ScoresBefore, exclude: Sequence[int]) -> LongArray:
        """Return the messages whose verdict changed, without those in `exclude`."""
        changed = self._columns.changed_since(before)
        places = self._word_ids.places(exclude)
        changed[places[(places >= 0) & (places < len(changed))]] = False
        return self._word_ids.messages[np.flatnonzero(changed)]

    def summary(self) -> Learned:
        return summarize(self._store, self.costs)

    def _grow(self) -> None:
        """Make room for messages that were added to the word ids."""
        new = len(self._word_ids) - self._columns.count
        if self._stale:
            self._stale += new
        self._columns.grow(len(self._word_ids))

    def _apply_rules(self, among: Sequence[int] | None = None) -> None:
        """Let rules decide verdicts from the next scoring on; `among`: only of these messages."""
        rules = self._columns.rules
        if among is None:
            rules[:] = NO_RULE
        else:
            rules[self._places(among)] = NO_RULE
        verdicts = self._store.sender_rules.matches(among)
        numbers = [VERDICTS.index(verdict) for verdict in verdicts.values()]
        rules[self._places(tuple(verdicts))] = numbers

    def _places(self, messages: Sequence[int]) -> LongArray:
        """Return the indexes of those messages that have some."""
        places = self._word_ids.places(messages)
        return places[places >= 0]

    def _score(self, messages: Sequence[int]) -> None:
        places = self._places(messages)
        rows = self._word_ids.pick(places, whole=needs_occurrences(self.model))
        self._columns.put(places, self.model.log_odds(rows), self.model)

    def _score_stale(self) -> JobSteps[None]:
        """Score all stale messages, from where the last pass stopped.

        The model may be replaced meanwhile.
        """
        while self._stale > 0:
            count = len(self._word_ids)
            if self._scorer is None:
                # Deriving 300,000 weights takes as long as scoring a chunk: a separate time slice.
                self._scorer = self.model.scorer()
            else:
                self._score_next(self._scorer, count)
            yield Pause(count - self._stale, count)
        # Its weights take as much memory as the model.
        self._scorer = None

    def _score_next(self, scorer: Scorer, count: int) -> None:
        """Score the next stale messages of one time slice. `count`: of all messages."""
        first = self._resume_at if self._resume_at < count else 0
        last = min(first + CHUNK, count, first + self._stale)
        rows = self._word_ids.rows(first, last, whole=needs_occurrences(self.model))
        self._columns.put(slice(first, last), scorer(rows), self.model)
        self._resume_at = last
        self._stale -= last - first

    def _judge_again(self) -> JobSteps[None]:
        """Derive all chances and verdicts from the raw scores, by the model's new base rate."""
        count = self._columns.count
        for first in range(0, count, CHUNK):
            self._columns.judge_again(slice(first, min(first + CHUNK, count)), self.model)
            yield Pause()
