"""Labels that the rest contradicts: each is scored by a model that never saw it.

The labelled messages are dealt into `PARTS`, by their numbers alone; for each part a model is folded from all others,
in their order: counts, corrections and calibration know nothing of the part they are asked about. So the probability
is as honest as any given before learning. How many wrong labels it finds: `tests/bench/MEASUREMENTS.md`.
"""

import numpy as np

from nbmail.core.scoring.model import GOOD, JUNK, Model
from nbmail.store.labels.labels import Labelled, in_pieces
from nbmail.store.store import Store
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.protocol import FindSuspicious, Suspicion

PARTS = 5
# Labels learned, or scored, between two looks at the queue: about 3 ms.
PIECE = 128
# A label is contradicted by log-odds beyond this: 88 % against it.
CONTRADICTION = 2.0


def find_suspicious(state: EngineState, command: FindSuspicious) -> JobSteps:
    """Those that contradict their labels, strongest first. What is labelled otherwise meanwhile is left out."""
    store, found, done = state.store, list[Suspicion](), 0
    total = PARTS * len(store.labels)
    for part in range(PARTS):
        model, held = store.model.unlearned(), list[Labelled]()
        for chunk in in_pieces(store.labels, PIECE):
            others = [one for one in chunk if one.message % PARTS != part]
            held += [one for one in chunk if one.message % PARTS == part and one.label in (JUNK, GOOD)]
            asked = [one.asked for one in others]
            model.learn_many([one.sample for one in others], [one.label for one in others], asked)
            done += len(chunk)
            yield Pause(done, max(total, done))
        for _ in model.cross_validating():
            yield Pause(done, max(total, done))
        for first in range(0, len(held), PIECE):
            found += suspicions(model, held[first : first + PIECE])
            yield Pause(done, max(total, done))
    return tuple(sorted(_still(store, found), key=lambda one: -abs(one.log_odds)))


def suspicions(model: Model, held: list[Labelled]) -> list[Suspicion]:
    """Those of the messages whose label this model, which has not learned them, contradicts."""
    raw = model.log_odds(model.rows([one.sample for one in held]))
    if not model.calibrated:
        return []
    honest, chances = model.honest(raw), model.probabilities(raw)
    against = np.where([one.label == JUNK for one in held], -honest, honest)
    return [
        Suspicion(
            held[place].message,
            held[place].label,
            float(honest[place]),
            float(chances[place]),
        )
        for place in np.flatnonzero(against > CONTRADICTION).tolist()
    ]


def _still(store: Store, found: list[Suspicion]) -> list[Suspicion]:
    labels = store.labels.of(one.message for one in found)
    return [one for one in found if labels.get(one.message) == one.label]
