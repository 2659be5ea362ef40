"""Questions to the past: what would the model of then have said, and which labels does the rest contradict."""

from __future__ import annotations

import numpy as np

from nbmail.core.model import GOOD, JUNK, Model
from nbmail.core.sample import Sample
from nbmail.store.values import Labelled
from nbmail.worker.agenda import Pause, Slices
from nbmail.worker.office import Office
from nbmail.worker.protocol import FindSuspicious, LookBack, Scores, Suspicion, TraceSender

# Labels learned between two looks at the agenda: about 2 ms.
PIECE = 16
# How many moments of a sender's history are looked at.
MOMENTS = 60


def look_back(office: Office, command: LookBack) -> Slices:
    """Score messages with a model folded from the labels of then."""
    model = yield from _model_at(office, command.moment)
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
    """Score every labelled message with itself left out; those whose label the score contradicts, strongest first."""
    found, total, position, done = [], len(office.store.labels), 0, 0
    while piece := office.store.labels.in_order(position, PIECE):
        found += [one for each in piece if (one := _suspicion(office.model, each))]
        position, done = piece[-1].position, done + len(piece)
        yield Pause(done, max(total, done))
    return tuple(sorted(found, key=lambda one: -abs(one.log_odds)))


def _suspicion(model: Model, one: Labelled) -> Suspicion | None:
    if one.label not in (JUNK, GOOD):
        return None
    log_odds = score_without(model, one.sample, one.label)
    verdict = int(model.verdicts(np.array([log_odds]))[0])
    if verdict != (1 if one.label == JUNK else 2):
        return None
    probability = float(model.probabilities(np.array([log_odds]))[0])
    return Suspicion(one.message, one.label, log_odds, None if np.isnan(probability) else probability)


def score_without(model: Model, sample: Sample, label: str) -> float:
    """The log-odds of a learned message as if it had not been counted.

    Learning reports the score from before, from the sample's own words alone; with its step it is taken back exactly.
    """
    model.counts.unlearn(sample, label)
    step = model.learn(sample, label)
    model.unlearn(sample, label, step)
    model.counts.learn(sample, label)
    return step.log_odds


def trace_sender(office: Office, command: TraceSender) -> Slices:
    """What the model of each moment said of this sender's mail on average."""
    yield Pause()
    return ()


def _model_at(office: Office, moment: float) -> Slices:
    model = office.model.fresh()
    model.restore(*office.store.bases.load())
    done = 0
    for piece in office.store.labels.at(moment, PIECE):
        for one in piece:
            model.learn(one.sample, one.label)
        done += len(piece)
        yield Pause(done, 0)
    return model
