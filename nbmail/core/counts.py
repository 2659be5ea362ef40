"""Counts: whole numbers from which every weight is derived."""

from __future__ import annotations

import numpy as np

from nbmail.core.sample import LongArray, Sample


class Counts:
    """Per class: how many messages, and per word how many messages hold it and how often it occurs."""

    def __init__(self) -> None:
        self.classes: list[str] = []
        self.messages: list[int] = []
        self.documents: LongArray = np.zeros((0, 0), np.int64)
        self.occurrences: LongArray = np.zeros((0, 0), np.int64)

    def learn(self, sample: Sample, label: str) -> None:
        """Count the message in its class."""
        self._add(sample, label, 1)

    def unlearn(self, sample: Sample, label: str) -> None:
        """The exact inverse of `learn`. Going below zero is an error."""
        self._add(sample, label, -1)

    def _add(self, sample: Sample, label: str, sign: int) -> None:
        row = self._row(label)
        if len(sample.words) and sample.words[-1] >= self.documents.shape[1]:
            room = max(1024, 2 * int(sample.words[-1]) + 2) - self.documents.shape[1]
            self.documents = np.pad(self.documents, ((0, 0), (0, room)))
            self.occurrences = np.pad(self.occurrences, ((0, 0), (0, room)))
        if sign < 0 and (self.messages[row] == 0 or np.any(self.documents[row, sample.words] == 0)):
            raise ValueError("unlearning what was not learned")
        self.messages[row] += sign
        self.documents[row, sample.words] += sign
        self.occurrences[row, sample.words] += sign * sample.occurrences

    def _row(self, label: str) -> int:
        if label not in self.classes:
            self.classes.append(label)
            self.messages.append(0)
            self.documents = np.pad(self.documents, ((0, 1), (0, 0)))
            self.occurrences = np.pad(self.occurrences, ((0, 1), (0, 0)))
        return self.classes.index(label)
