"""Numbered sets of folders: which folders a message lies in, and where it is unread."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from nbmail.ui.list.contents.positions import Mask, Positions
from nbmail.values import Locations


class FolderSets:
    """Sets of folders with their unread state, the first known location first.

    Few different sets occur in a mailbox: messages store their numbers. Number 0 is the empty set.
    """

    def __init__(self) -> None:
        self._numbers: dict[Locations, int] = {}
        self._sets: list[dict[int, bool]] = []
        self.number(())

    def number(self, folders: Locations) -> int:
        """Return the number of a set, adding the set if it is new."""
        if folders not in self._numbers:
            self._numbers[folders] = len(self._sets)
            self._sets.append(dict(folders))
        return self._numbers[folders]

    def of(self, number: int) -> dict[int, bool]:
        """Return the folders of a set; True for those in which the message is unread."""
        return self._sets[number]

    def first(self) -> Positions:
        """Return the first folder of each set, -1 for the empty set."""
        first = [next(iter(each), -1) for each in self._sets]
        return np.array(first, np.int64)

    def holding(self, folder: int) -> Mask:
        """Return for each set whether it contains `folder`."""
        return np.array([folder in each for each in self._sets], bool)

    def inside(self, folders: Collection[int]) -> Mask:
        """Return for each set whether all its folders are among `folders`.

        False for the empty set.
        """
        inside = [bool(each) and all(one in folders for one in each) for each in self._sets]
        return np.array(inside, bool)

    def unread_in(self, folder: int | None) -> Mask:
        """Return for each set whether a message is unread in `folder`, None for its first one."""
        if folder is None:
            unread = [next(iter(each.values()), False) for each in self._sets]
            return np.array(unread, bool)
        return np.array([each.get(folder, False) for each in self._sets], bool)

    def count(self, numbers: npt.NDArray[np.int32], size: int) -> tuple[Positions, Positions]:
        """Count messages with these set numbers, and the unread ones, in each of `size` folders."""
        held = np.zeros(size, np.int64)
        unread = np.zeros(size, np.int64)
        counts = np.bincount(numbers, minlength=len(self._sets))
        for count, folders in zip(counts, self._sets, strict=True):
            for folder, is_unread in folders.items():
                held[folder] += count
                if is_unread:
                    unread[folder] += count
        return held, unread
