"""Scores by the model of an earlier time, rebuilt from the label journal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nbmail.core.counting.sample import LongArray, WordRows
from nbmail.core.scoring.explaining import explain
from nbmail.core.scoring.explanation import Explanation
from nbmail.core.scoring.model import LearnRecord, Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause, paused
from nbmail.worker.model.scores import sample_of

# Labels learned in one time slice, about 3 ms, and journal entries read, about 4 ms.
LEARNED = 128
READ = 2000
# A sender is traced at this many moments, by this many messages.
MOMENTS = 40
MESSAGES = 200
# Labels learned from the first of those moments to the last: 60,000 take about 0.8 s. Folders
# learned mixed with others, and relabelled old messages, need more; then there are fewer moments,
# at least `FEWEST`.
MOST_LEARNED = 60_000
FEWEST = 5
Trace = tuple[tuple[float, float], ...]
"""Pairs of moment and probability."""


class PastScores:
    """Requests about earlier models."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    def explain_at(self, message: int, moment: float, strongest: int = 12) -> JobSteps[Explanation]:
        """Explain the score that a message had at `moment`, by the model of that time."""
        past = PastModel(self._store)
        timeline = yield from Timeline.read(self._store)
        entries = timeline.entries_until(moment, self._clock())
        yield from past.go_to(
            timeline.order(entries), _imported_at(self._store, timeline, entries, moment)
        )
        return explain(past.model, sample_of(self._store, message), strongest)

    def trace_sender(self, show: Callable[[Trace], object], message: int) -> JobSteps[Trace]:
        """Compute a sender's mean probability by models of several moments, the latest first.
        `show`: gets pairs.
        """
        store = self._store
        heading = store.messages.headings([message]).get(message)
        if heading is None:
            raise KnownError(ErrorCode.NOT_FOUND, str(message))
        from_sender = store.people.messages_from(heading.sender)[-MESSAGES:]
        rows = store.model.model.rows(list(store.messages.samples(from_sender).values()))
        timeline = yield from Timeline.read(store)
        chosen, total = yield from _choose(timeline)
        traced: dict[int, float] = {}
        if chosen and store.model.is_exact:
            traced[chosen.pop()] = _probability(store.model.model, rows)
        past = PastModel(store)
        for place in chosen:
            show(_trace(timeline, traced))
            yield Pause(past.done, total)
            imported = _imported_at(store, timeline, place + 1, timeline.moment(place))
            for _ in past.go_to(timeline.order(place + 1), imported):
                yield Pause(past.done, total)
            traced[place] = _probability(past.model, rows)
        return _trace(timeline, traced)


def _imported_at(store: Store, timeline: Timeline, entries: int, moment: float) -> int:
    return store.imported.at(moment, *store.journal.steps_around(timeline.number(entries)))


def _trace(timeline: Timeline, traced: dict[int, float]) -> Trace:
    return tuple((timeline.moment(place), traced[place]) for place in sorted(traced))


def _probability(model: Model, rows: WordRows) -> float:
    """Return the mean probability of these messages; 0.5 while a class has no example."""
    return float(np.mean(model.probabilities(model.log_odds(rows)))) if model.calibrated else 0.5


def _choose(timeline: Timeline) -> JobSteps[tuple[list[int], int]]:
    """Choose entries that end a step, evenly spread; fewer if their models differ much.

    Return the entries, and the number of labels to learn on the way from the first to the last.
    """
    ends = timeline.ends()
    most = MOMENTS
    while True:
        chosen = sorted(
            {
                int(ends[place])
                for place in np.linspace(0, len(ends) - 1, min(most, len(ends))).astype(int)
            }
        )
        learned = 0
        before = NOTHING
        # The model of the last entry is usually the current one, which exists already.
        for place in chosen[:-1]:
            order = timeline.order(place + 1)
            learned += min(len(order), len(before) + len(order) - 2 * _shared(before, order))
            before = order
            yield Pause()
        if learned <= MOST_LEARNED or most <= FEWEST:
            return chosen, learned
        most = max(FEWEST, most // 2)


def _shared(one: LongArray, other: LongArray) -> int:
    """Return the number of labels that both orders begin with."""
    shortest = min(len(one), len(other))
    different = np.flatnonzero((one[:shortest] != other[:shortest]).any(axis=1))
    return int(different[0]) if len(different) else shortest


class PastModel:
    """Model that goes from moment to moment. The labels that both orders begin with stay learned if
    that is shorter.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.done = 0
        """Number of labels that were learned or unlearned."""
        self._start(0)

    def _start(self, imported: int) -> None:
        self.model = self._store.model.without_labels(imported)
        self._imported = imported
        self._order = NOTHING
        self._records = list[LearnRecord]()

    def go_to(self, order: LongArray, imported: int) -> JobSteps[None]:
        """Become the model that learned these labels after the imported counts with number
        `imported`.
        """
        store = self._store
        shared = _shared(self._order, order)
        if imported != self._imported or 2 * shared < len(self._order):
            self._start(imported)
            shared = 0
        # The last labels first, each with its learning record: exact.
        while len(self._records) > shared:
            part = self._order[
                max(shared, len(self._records) - LEARNED) : len(self._records)
            ].tolist()
            samples = store.messages.samples([message for _, message, _ in part])
            for _, message, klass in reversed(part):
                self.model.unlearn(samples[message], store.labels.name(klass), self._records.pop())
            self.done += len(part)
            yield Pause()
        for first in range(shared, len(order), LEARNED):
            _, messages, classes = order[first : first + LEARNED].T.tolist()
            samples = store.messages.samples(messages)
            asked = store.asked.among(messages)
            labels = map(store.labels.name, classes)
            chosen = [message in asked for message in messages]
            self._records += self.model.learn_many(
                [samples[each] for each in messages], list(labels), chosen
            )
            self.done += len(messages)
            yield Pause()
        self._order = order
        yield from paused(self.model.cross_validating())


NOTHING: LongArray = np.zeros((0, 3), np.int64)
"""No labels."""


class Timeline:
    """The label journal as columns, up to the time when it was read."""

    def __init__(self, table: LongArray, moments: LongArray) -> None:
        self._table = table
        self._moments = moments

    @classmethod
    def read(cls, store: Store) -> JobSteps[Timeline]:
        chunks = [np.zeros((0, 5), np.int64)]
        moments = [np.zeros(0)]
        last = 0
        while rows := store.journal.changes(last, READ):
            last = rows[-1][0]
            moments.append(np.array([row[1] for row in rows]))
            chunks.append(np.array([(row[0], *row[2:]) for row in rows], np.int64))
            yield Pause()
        return cls(np.concatenate(chunks), np.concatenate(moments))

    def __len__(self) -> int:
        return len(self._moments)

    def moment(self, place: int) -> float:
        return float(self._moments[place])

    def number(self, entries: int) -> int:
        """Return the number of the last of the first `entries`; 0 for none."""
        return int(self._table[entries - 1, 0]) if entries else 0

    def entries_until(self, moment: float, now: float) -> int:
        """Return the number of entries when the clock first passed `moment`. It may have been set
        back, or ahead.
        """
        later = np.flatnonzero((self._moments > moment) & (self._moments <= now))
        return int(later[0]) if len(later) else len(self)

    def ends(self) -> LongArray:
        """Return the indexes of entries that end a group: all labels of one step, or of one
        moment.
        """
        if not len(self):
            return np.zeros(0, np.int64)
        steps = self._table[:, 1]
        continues = (steps[1:] == steps[:-1]) & (steps[1:] != 0) | (
            self._moments[1:] == self._moments[:-1]
        )
        return np.flatnonzero(np.append(~continues, True))

    def order(self, entries: int) -> LongArray:
        """Return position, message and class of each label after the first `entries`, in learning
        order.
        """
        _, _, messages, classes, positions = self._table[:entries].T
        # The last entry of each message counts.
        _, latest = np.unique(messages[::-1], return_index=True)
        places = entries - 1 - latest
        places = places[classes[places] > 0]
        places = places[np.argsort(positions[places], kind="stable")]
        return np.stack((positions[places], messages[places], classes[places]), axis=1)
