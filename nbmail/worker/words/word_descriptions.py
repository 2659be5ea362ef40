"""Descriptions of single words: figures, history, and the messages that contain them."""

import numpy as np

from nbmail.core.counting.arrays import LongArray
from nbmail.core.scoring.model import Model
from nbmail.method_spec import MethodSpec
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.words import WordCounts, WordDescription
from nbmail.worker.scores.word_array import places_of
from nbmail.worker.words.word_figures import figures_of, number_of

# Messages looked up in one time slice.
CHUNK = 8192
# Points of a word's history, and messages listed that contain it.
MOST_POINTS = 200
MOST_MESSAGES = 1000


class WordDescriptions:
    """Describes words of the model and of stored mail."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def _model(self) -> Model:
        return self._store.model.model

    def describe_word(self, word: str) -> JobSteps[WordDescription]:
        """Describe one word: its figures, its history and the messages that contain it."""
        number = number_of(self._model, word)
        places = yield from places_of(self._store.word_ids, number)
        messages = self._store.word_ids.messages[places]
        figures = figures_of(self._model, number)
        located, labels = yield from self._look_up(messages)
        newest = located[: -MOST_MESSAGES - 1 : -1]
        return WordDescription(
            figures=figures,
            spam_messages=self._model.counts.messages_of(SPAM),
            ham_messages=self._model.counts.messages_of(HAM),
            history=_history(labels),
            messages=tuple(newest),
            message_count=len(located),
            prior=MethodSpec.parse(self._model.method).beta,
        )

    def _look_up(self, messages: LongArray) -> JobSteps[tuple[list[int], list[tuple[float, str]]]]:
        """Return those of the messages that have a location, and moment and label of all labels."""
        located = list[int]()
        labels = list[tuple[float, str]]()
        for first in range(0, len(messages), CHUNK):
            chunk = messages[first : first + CHUNK].tolist()
            labels += self._store.labels.moments(chunk)
            yield Pause(first, len(messages))
            # Messages of a removed mailbox have no location.
            unlocated = self._store.folders.unlocated(set(chunk))
            located += [message for message in chunk if message not in unlocated]
            yield Pause(first, len(messages))
        return located, labels


def _history(labels: list[tuple[float, str]]) -> tuple[WordCounts, ...]:
    """Return the counts after labels, at most `MOST_POINTS` of them."""
    counts = {SPAM: 0, HAM: 0}
    history = list[WordCounts]()
    for moment, label in sorted(labels):
        if label in counts:
            counts[label] += 1
            history.append(WordCounts(moment, counts[SPAM], counts[HAM]))
    points = np.linspace(0, len(history) - 1, min(len(history), MOST_POINTS))
    chosen = np.unique(points.astype(int)).tolist()
    return tuple(history[place] for place in chosen)
