"""The sets of folders that messages lie in, each kept once. No Qt."""

from __future__ import annotations

from typing import Any

import numpy as np

FolderSet = tuple[tuple[int, bool], ...]


class FolderSets:
    """Sets by number: folders, with whether a message is unread in each; the one where it was met first stands first.

    Number 0 is the empty set.
    """

    def __init__(self) -> None:
        self._numbers: dict[FolderSet, int] = {}
        self._sets: list[dict[int, bool]] = []
        self.number(())

    def number(self, folders: FolderSet) -> int:
        """The number of a set, a new one for a new set."""
        if folders not in self._numbers:
            self._numbers[folders] = len(self._sets)
            self._sets.append(dict(folders))
        return self._numbers[folders]

    def of(self, number: int) -> dict[int, bool]:
        """The folders of a set, with whether a message is unread there."""
        return self._sets[number]

    def first(self) -> Any:
        """For each set the folder that stands first, -1 for none."""
        return np.array([next(iter(each), -1) for each in self._sets])

    def holding(self, folder: int) -> Any:
        """For each set whether it holds the folder."""
        return np.array([folder in each for each in self._sets], bool)

    def unread_in(self, folder: int | None) -> Any:
        """For each set whether a message is unread in that folder; without one, in the folder that stands first."""
        if folder is None:
            return np.array([next(iter(each.values()), False) for each in self._sets], bool)
        return np.array([each.get(folder, False) for each in self._sets], bool)

    def count(self, numbers: Any, size: int) -> tuple[Any, Any]:
        """How many messages with these numbers lie in each of so many folders, and how many are unread there."""
        held, unread = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for times, folders in zip(np.bincount(numbers, minlength=len(self._sets)), self._sets, strict=True):
            for folder, is_unread in folders.items():
                held[folder] += times
                unread[folder] += times if is_unread else 0
        return held, unread
