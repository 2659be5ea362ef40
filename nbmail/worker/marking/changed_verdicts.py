"""Other messages whose verdict the latest mark, undo or redo changed."""

from collections.abc import Sequence

import numpy as np

from nbmail.chunks import batches
from nbmail.store.store import Store
from nbmail.values import VERDICTS
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.verdicts import MAX_CHANGES, VerdictChange
from nbmail.worker.scores.score_columns import ScoresBefore
from nbmail.worker.scores.scores import Scoring

# Messages looked up in one time slice: about 3 ms.
COUNTED = 2000


class ChangedVerdicts:
    """Compares the scores before a step with those after it."""

    def __init__(self, store: Store, scoring: Scoring) -> None:
        self._store = store
        self._scoring = scoring
        self._before = scoring.copy()
        """Scores from before the latest step."""
        self._changed: list[int] = []

    def copy_scores(self) -> ScoresBefore:
        """Copy the scores before a step."""
        return self._scoring.copy()

    def count(self, before: ScoresBefore, exclude: Sequence[int]) -> JobSteps[int]:
        """Count the other messages whose shown verdict changed, and note them.

        Labelled messages show their label, and messages without a location are not shown. Until a
        pending rebuild is over, every verdict may change again: the count is 0 then.
        """
        found = list[int]()
        if self._store.model.is_exact:
            found = self._scoring.changed_since(before, exclude).tolist()
        changed = list[int]()
        for chunk in batches(found, COUNTED):
            unlabelled = set(chunk).difference(self._store.labels.of(chunk))
            changed += sorted(unlabelled - self._store.folders.unlocated(unlabelled))
            yield Pause()
        self._before = before
        self._changed = changed
        return len(changed)

    def list_changed_verdicts(self) -> tuple[VerdictChange, ...]:
        """List the other messages whose verdict the latest mark, undo or redo changed."""
        now = self._scoring.copy()
        messages = self._changed[:MAX_CHANGES]
        places = self._store.word_ids.places(messages).tolist()
        changes = list[VerdictChange]()
        for message, place in zip(messages, places, strict=True):
            changes.append(
                VerdictChange(
                    message,
                    VERDICTS[self._before.verdicts[place]],
                    VERDICTS[now.verdicts[place]],
                    _chance(self._before, place),
                    _chance(now, place),
                )
            )
        return tuple(changes)


def _chance(scores: ScoresBefore, place: int) -> float | None:
    chance = float(scores.probabilities[place])
    return None if np.isnan(chance) else chance
