"""Labels that contradict all other labels.

The labelled messages are divided into `PARTS` by their numbers. A model without a part, calibrated
without it as well, scores the part. `tests/bench/MEASUREMENTS.md`: how many wrong labels this
finds.
"""

from collections.abc import Iterator

import numpy as np

from nbmail.core.scoring.model import Model
from nbmail.store.labels.labels import Labelled, in_pieces
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.marks import SuspiciousLabel

PARTS = 5
# Labels learned, or scored, in one time slice: about 3 ms.
CHUNK = 128
# Log-odds beyond which a label counts as contradicted: 88 % against it.
CONTRADICTION = 2.0


class SuspiciousLabels:
    """Search for suspicious labels in one data folder."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find_suspicious_labels(self) -> JobSteps[tuple[SuspiciousLabel, ...]]:
        """Find labels that contradict all other labels, strongest first."""
        done = 0
        total = PARTS * len(self._store.labels)
        found = list[SuspiciousLabel]()
        for part in range(PARTS):
            model = self._store.model.without_labels()
            held_out = list[Labelled]()
            for learned, chunk in self._learn_others(model, part):
                held_out += chunk
                done += learned
                yield Pause(done, max(total, done))
            for _ in model.cross_validating():
                yield Pause(done, max(total, done))
            for first in range(0, len(held_out), CHUNK):
                found += suspicions(model, held_out[first : first + CHUNK])
                yield Pause(done, max(total, done))
        return self._unchanged(found)

    def _learn_others(self, model: Model, part: int) -> Iterator[tuple[int, list[Labelled]]]:
        """Learn all labels outside a part, in chunks.

        Yield the size of each chunk, and its labels inside the part that can be suspicious.
        """
        for chunk in in_pieces(self._store.labels, CHUNK):
            others = [one for one in chunk if one.message % PARTS != part]
            inside = [one for one in chunk if one.message % PARTS == part]
            model.learn_many(
                [one.sample for one in others],
                [one.label for one in others],
                [one.asked for one in others],
            )
            yield len(chunk), [one for one in inside if one.label in (SPAM, HAM)]

    def _unchanged(self, found: list[SuspiciousLabel]) -> tuple[SuspiciousLabel, ...]:
        """Return the labels that didn't change meanwhile, strongest contradiction first."""
        labels = self._store.labels.of(one.message for one in found)
        unchanged = [one for one in found if labels.get(one.message) == one.label]
        return tuple(sorted(unchanged, key=lambda one: -abs(one.log_odds)))


def suspicions(model: Model, held_out: list[Labelled]) -> list[SuspiciousLabel]:
    """Return those of the labels that a model without them contradicts."""
    scores = model.log_odds(model.rows([one.sample for one in held_out]))
    if not model.calibrated:
        return []
    log_odds = model.calibrate(scores)
    chances = model.probabilities(scores)
    is_spam = np.array([one.label == SPAM for one in held_out])
    against = np.where(is_spam, -log_odds, log_odds)

    found = list[SuspiciousLabel]()
    for place in np.flatnonzero(against > CONTRADICTION).tolist():
        one = held_out[place]
        found.append(
            SuspiciousLabel(one.message, one.label, float(log_odds[place]), float(chances[place]))
        )
    return found
