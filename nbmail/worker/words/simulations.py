"""Simulations: verdicts as if a word were ignored, or a message had a label."""

from collections.abc import Callable, Sequence

import numpy as np

from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.scoring.model import Model, simulating
from nbmail.store.store import Store
from nbmail.values import VERDICTS
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.verdicts import MAX_CHANGES, Simulation, VerdictChange
from nbmail.worker.scores.word_array import needs_occurrences, places_of
from nbmail.worker.words.word_figures import number_of

# Messages scored twice in one time slice: about 5 ms.
SIMULATED = 2000

BothScores = Callable[[LongArray], tuple[FloatArray, FloatArray]]
"""Returns log-odds now and in the simulation, by the messages' indexes in the word ids."""


class Simulations:
    """Scores stored messages twice, and compares their verdicts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def _model(self) -> Model:
        return self._store.model.model

    def simulate_without(self, words: Sequence[str], message: int = -1) -> JobSteps[Simulation]:
        """Simulate that words are ignored.

        `message`: reported in any case, as `Simulation.own`.
        """
        ignored = np.array([number_of(self._model, word) for word in words], np.int32)
        found_places = []
        for number in ignored.tolist():
            found_places.append((yield from places_of(self._store.word_ids, number)))
        places = np.unique(np.concatenate(found_places))
        whole = needs_occurrences(self._model)

        def scores(chunk: LongArray) -> tuple[FloatArray, FloatArray]:
            rows = self._store.word_ids.pick(chunk, whole=whole)
            before = self._model.log_odds(rows)
            return before, self._model.log_odds(rows.without(ignored))

        found = yield from self._compare(places, scores)
        own = self._store.word_ids.places([message])
        if own[0] not in places:
            return found
        (change,) = self._changes(own, scores, unchanged_too=True)
        return found._replace(own=change)

    def simulate_mark(self, message: int, label: str) -> JobSteps[Simulation]:
        """Simulate that a message has this label.

        All messages are scored with and without the mark, which is learned and unlearned within
        each time slice.
        """
        sample = self._store.samples.one(message)
        whole = needs_occurrences(self._model)

        def scores(chunk: LongArray) -> tuple[FloatArray, FloatArray]:
            rows = self._store.word_ids.pick(chunk, whole=whole)
            model = self._model
            before = model.log_odds(rows)
            with simulating(model, sample, label):
                return before, model.log_odds(rows)

        own = self._store.word_ids.places([message])
        others = np.delete(np.arange(len(self._store.word_ids)), own[own >= 0])
        return (yield from self._compare(others, scores))

    def _compare(self, places: LongArray, scores: BothScores) -> JobSteps[Simulation]:
        """Return the messages that would show another verdict.

        Those have a location and no label.
        """
        found = list[VerdictChange]()
        count = 0
        for first in range(0, len(places), SIMULATED):
            chunk = places[first : first + SIMULATED]
            changed = self._changes(chunk, scores)
            messages = {one.message for one in changed}
            labelled = self._store.labels.of(messages)
            hidden = self._store.folders.unlocated(messages).union(labelled)
            count += len(messages - hidden)
            found += [one for one in changed if one.message not in hidden]
            del found[MAX_CHANGES:]
            yield Pause(first + len(chunk), len(places))
        return Simulation(tuple(found), count)

    def _changes(
        self, places: LongArray, scores: BothScores, *, unchanged_too: bool = False
    ) -> list[VerdictChange]:
        """Return the changes of the verdicts of messages, by their indexes in the word ids."""
        model = self._model
        before, after = scores(places)
        verdicts_before = model.verdicts(before)
        verdicts_after = model.verdicts(after)
        chances_before = model.probabilities(before)
        chances_after = model.probabilities(after)
        messages = self._store.word_ids.messages[places]
        return [
            VerdictChange(
                int(messages[place]),
                VERDICTS[verdicts_before[place]],
                VERDICTS[verdicts_after[place]],
                _known(chances_before[place]),
                _known(chances_after[place]),
            )
            for place in np.flatnonzero((verdicts_before != verdicts_after) | unchanged_too)
        ]


def _known(chance: float) -> float | None:
    return None if np.isnan(chance) else float(chance)
