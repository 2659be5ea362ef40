"""Questions to the past: what would the model of then have said, and how did a sender come to look like junk."""

from collections.abc import Generator

import numpy as np

from nbmail.core.counting.sample import WordRows
from nbmail.core.scoring.model import Model, Step
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.store import Store
from nbmail.values import Scores
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause, paused
from nbmail.worker.engine.questions import sample_of
from nbmail.worker.past.timeline import NOTHING, LabelSequence, Timeline
from nbmail.worker.protocol import LookBack, TraceSender
from nbmail.worker.protocol.words import ExplainThen

# Labels learned between two looks at the queue: about 3 ms.
PIECE = 128
# At how many moments a sender is looked at, by how many messages.
MOMENTS, MESSAGES = 40, 200
# Labels learned on the way from the first of those moments to the last: 60,000 take about 0.8 s. Folders learned mixed
# with others, and old messages labelled anew, make the way long; then fewer moments are looked at, down to so many.
LONGEST_WAY, FEWEST = 60_000, 5


def look_back(state: EngineState, command: LookBack) -> JobSteps:
    """Score messages with a model folded from the labels of then."""
    model = yield from model_of(state, command.moment)
    samples = state.store.messages.samples(command.messages)
    messages = [message for message in command.messages if message in samples]
    log_odds = model.log_odds(model.rows([samples[message] for message in messages]))
    return Scores(
        np.array(messages, np.int64),
        log_odds,
        model.probabilities(log_odds),
        model.verdicts(log_odds),
        model.calibrated,
    )


def model_of(state: EngineState, moment: float) -> Generator[Pause, None, Model]:
    """The model of that moment, folded from the labels of then."""
    past, timeline = PastModel(state.store), (yield from Timeline.read(state.store))
    lines = timeline.lines_until(moment, state.clock())
    yield from past.go_to(timeline.order(lines), _base_at(state.store, timeline, lines, moment))
    return past.model


def trace_sender(state: EngineState, command: TraceSender) -> JobSteps:
    """The mean probability of this sender's mail by the model of one moment after the other, that of now first."""
    store = state.store
    heading = store.messages.headings([command.message]).get(command.message)
    if heading is None:
        raise KnownError(ErrorCode.NOT_FOUND, str(command.message))
    theirs = [message for message, _ in store.messages.from_sender(heading.sender)][-MESSAGES:]
    rows = state.model.rows(list(store.messages.samples(theirs).values()))
    timeline = yield from Timeline.read(store)
    chosen, total = yield from _choose(timeline)
    traced: dict[int, float] = {}
    if chosen and store.model.is_exact:
        traced[chosen.pop()] = _chance(state.model, rows)
    past = PastModel(state.store)
    for place in chosen:
        yield Pause(past.done, total, so_far=_points(timeline, traced))
        base = _base_at(store, timeline, place + 1, timeline.moment(place))
        for _ in past.go_to(timeline.order(place + 1), base):
            yield Pause(past.done, total)
        traced[place] = _chance(past.model, rows)
    return _points(timeline, traced)


def _base_at(store: Store, timeline: Timeline, lines: int, moment: float) -> int:
    return store.bases.at(moment, *store.journal.steps_around(timeline.line(lines)))


def _points(timeline: Timeline, traced: dict[int, float]) -> tuple[tuple[float, float], ...]:
    return tuple((timeline.moment(place), traced[place]) for place in sorted(traced))


def _choose(timeline: Timeline) -> Generator[Pause, None, tuple[list[int], int]]:
    """Lines to look at, spread evenly over all that end something; fewer where going from one to the next is long.

    And how many labels must be learned on the way.
    """
    ends, most = timeline.ends(), MOMENTS
    while True:
        chosen = sorted({int(ends[place]) for place in np.linspace(0, len(ends) - 1, min(most, len(ends))).astype(int)})
        way, before = 0, NOTHING
        # The last is most often that of now, which is there already.
        for place in chosen[:-1]:
            order = timeline.order(place + 1)
            way += _way(before, order)
            before = order
            yield Pause()
        if way <= LONGEST_WAY or most <= FEWEST:
            return chosen, way
        most = max(FEWEST, most // 2)


def _chance(model: Model, rows: WordRows) -> float:
    """The mean probability of these messages; a half while a class has no example."""
    return float(np.mean(model.probabilities(model.log_odds(rows)))) if model.calibrated else 0.5


def _way(one: LabelSequence, other: LabelSequence) -> int:
    """How many labels are to be learned, or taken back, to come from one order to the other."""
    return min(len(other), _way_over(one, other))


def _way_over(one: LabelSequence, other: LabelSequence) -> int:
    return len(one) + len(other) - 2 * one.shared(other)


class PastModel:
    """A model that goes from moment to moment: what both orders begin with stays learned where that is shorter."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._order = NOTHING
        self._steps: list[Step] = []
        self.done = 0
        """How many labels were learned or taken back on the way."""
        self._start(0)

    def _start(self, base: int) -> None:
        self.model, self._base = self._store.model.unlearned(base), base
        self._order, self._steps = NOTHING, []

    def go_to(self, order: LabelSequence, base: int) -> JobSteps:
        """Be the model that learned these labels on top of that base."""
        if base != self._base or len(order) < _way_over(self._order, order):
            self._start(base)
        shared = self._order.shared(order)
        while len(self._steps) > shared:
            self._take_back(max(shared, len(self._steps) - PIECE))
            yield Pause()
        for first in range(len(self._steps), len(order), PIECE):
            self._learn(order, slice(first, first + PIECE))
            yield Pause()
        self._order = order
        yield from paused(self.model.cross_validating())

    def _take_back(self, down_to: int) -> None:
        """The latest first, each with what learning it gave: exact."""
        messages, classes = self._order.messages[down_to:].tolist(), self._order.classes[down_to:].tolist()
        samples = self._store.messages.samples(messages[: len(self._steps) - down_to])
        while len(self._steps) > down_to:
            place = len(self._steps) - 1 - down_to
            self.model.unlearn(samples[messages[place]], self._store.labels.name(classes[place]), self._steps.pop())
            self.done += 1

    def _learn(self, order: LabelSequence, chunk: slice) -> None:
        messages, classes = order.messages[chunk].tolist(), order.classes[chunk].tolist()
        samples = self._store.messages.samples(messages)
        labels = [self._store.labels.name(klass) for klass in classes]
        asked = self._store.asked.among(messages)
        chosen = [message in asked for message in messages]
        self._steps += self.model.learn_many([samples[message] for message in messages], labels, chosen)
        self.done += len(messages)


def explain_then(state: EngineState, command: ExplainThen) -> JobSteps:
    """Take the score apart that the message had by the labels of then."""
    model = yield from model_of(state, command.moment)
    return model.explain(sample_of(state, command.message), command.strongest)
