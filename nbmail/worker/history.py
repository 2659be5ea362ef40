"""Questions to the past: what would the model of then have said, and which labels does the rest contradict."""

from __future__ import annotations

import numpy as np

from nbmail.core.calibration import ENOUGH
from nbmail.core.model import GOOD, JUNK, Learned, Model
from nbmail.core.sample import FloatArray, Sample
from nbmail.core.verdict import cautious, to_probabilities
from nbmail.errors import KnownError, Trouble
from nbmail.store.store import Store
from nbmail.store.values import Labelled
from nbmail.worker.agenda import Pause, Slices
from nbmail.worker.office import Office
from nbmail.worker.protocol import FindSuspicious, LookBack, Scores, Suspicion, TraceSender

# Labels learned between two looks at the agenda: about 2 ms.
PIECE = 16
# A label is contradicted by log-odds beyond this: 88 % against it.
CONTRADICTION = 2.0
# At how many moments a sender is looked at, over how many of the latest changes, by how many messages.
MOMENTS, CHANGES, MESSAGES = 40, 5000, 200


def look_back(office: Office, command: LookBack) -> Slices:
    """Score messages with a model folded from the labels of then."""
    past = Past(office)
    yield from past.go_to(command.moment)
    model = past.model
    samples = office.store.messages.samples(command.messages)
    messages = [message for message in command.messages if message in samples]
    log_odds = model.log_odds(model.rows([samples[message] for message in messages]))
    return Scores(
        np.array(messages, np.int64),
        log_odds,
        model.probabilities(log_odds),
        model.verdicts(log_odds),
        model.calibrated,
    )


def find_suspicious(office: Office, command: FindSuspicious) -> Slices:
    """Score every labelled message with itself left out; those whose label the score contradicts, strongest first.

    By counts alone: what a message taught the corrections can't be told apart from what others did.
    """
    found, total, position, done = [], len(office.store.labels), 0, 0
    while piece := office.store.labels.in_order(position, PIECE):
        model = by_counts_alone(office.model)
        found += [one for each in piece if (one := _suspicion(model, each))]
        position, done = piece[-1].position, done + len(piece)
        yield Pause(done, max(total, done))
    return tuple(sorted(found, key=lambda one: -abs(one.log_odds)))


def _suspicion(model: Model, one: Labelled) -> Suspicion | None:
    if one.label not in (JUNK, GOOD):
        return None
    log_odds = score_without(model, one.sample, one.label)
    contradicts = log_odds < -CONTRADICTION if one.label == JUNK else log_odds > CONTRADICTION
    return Suspicion(one.message, one.label, log_odds, None) if contradicts else None


def by_counts_alone(model: Model) -> Model:
    """A model over the same counts (the very same) that has learned nothing beside them."""
    alone = model.fresh()
    alone.restore(model.counts, Learned(np.zeros((0, 0), np.int64), np.zeros(0), np.zeros(0, bool)))
    return alone


def score_without(model: Model, sample: Sample, label: str) -> float:
    """The log-odds of a counted message as if it had not been.

    Learning reports the score from before, from the sample's own words alone; with its step it is taken back exactly.
    """
    model.counts.unlearn(sample, label)
    step = model.learn(sample, label)
    model.unlearn(sample, label, step)
    model.counts.learn(sample, label)
    return step.log_odds


def trace_sender(office: Office, command: TraceSender) -> Slices:
    """The mean probability of this sender's mail by the model of one moment after the other."""
    store = office.store
    head = store.messages.heads([command.message]).get(command.message)
    if head is None:
        raise KnownError(Trouble.NOT_FOUND, str(command.message))
    theirs = [message for message, _ in store.messages.from_sender(head.sender)][-MESSAGES:]
    rows = office.model.rows(list(store.messages.samples(theirs).values()))
    moments, traced, past = _moments(store), [], Past(office)
    for done, moment in enumerate(moments, 1):
        yield from past.go_to(moment)
        traced.append((moment, float(np.mean(_likely(past.model, past.model.log_odds(rows))))))
        yield Pause(done, len(moments))
    return tuple(traced)


def _moments(store: Store) -> list[float]:
    """Some moments of the latest changes, spread evenly over them, oldest first."""
    found = sorted({line.moment for line in store.journal.latest(CHANGES)})
    if len(found) <= MOMENTS:
        return found
    return [found[place] for place in np.linspace(0, len(found) - 1, MOMENTS).astype(int).tolist()]


def _likely(model: Model, log_odds: FloatArray) -> FloatArray:
    """Probabilities to draw a line through: while there is no calibration, as cautious as verdicts are."""
    if model.calibrated:
        return model.probabilities(log_odds)
    rows = [model.counts.row(label) for label in (JUNK, GOOD)]
    fewest = min(0 if row is None else model.counts.messages[row] for row in rows)
    return to_probabilities(cautious(log_odds, fewest, ENOUGH))


class Past:
    """A model that goes from moment to moment: what was only added to the labels is only learned."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._learned: list[tuple[int, int, int]] = []
        self._start()

    def _start(self) -> None:
        self.model = self._office.model.fresh()
        self.model.restore(*self._office.store.bases.load())
        self._learned = []

    def go_to(self, moment: float) -> Slices:
        """Be the model of that moment."""
        store = self._office.store
        places = store.labels.places_at(store.labels.line_at(moment))
        wanted = sorted((place.position, message, place.klass) for message, place in places.items())
        if wanted[: len(self._learned)] != self._learned:
            self._start()
        for first in range(len(self._learned), len(wanted), PIECE):
            piece = wanted[first : first + PIECE]
            samples = store.messages.samples(message for _, message, _ in piece)
            for _, message, klass in piece:
                self.model.learn(samples[message], store.labels.name(klass))
            self._learned += piece
            yield Pause()
