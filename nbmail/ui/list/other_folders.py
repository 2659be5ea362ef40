"""The further folders of messages that lie in several: each company of folders is kept once. No Qt."""

from __future__ import annotations

from typing import Any

import numpy as np

Company = tuple[tuple[int, bool], ...]


class OtherFolders:
    """Companies of folders by number, with whether a message is unread in each folder; number 0 is none."""

    def __init__(self) -> None:
        self._numbers: dict[Company, int] = {(): 0}
        self._folders: list[dict[int, bool]] = [{}]

    def __len__(self) -> int:
        """How many there are beside none."""
        return len(self._folders) - 1

    def number(self, company: Company) -> int:
        """The number of a company, a new one for a new company."""
        if company not in self._numbers:
            self._numbers[company] = len(self._folders)
            self._folders.append(dict(company))
        return self._numbers[company]

    def of(self, number: int) -> dict[int, bool]:
        """The folders of a company, with whether a message is unread there."""
        return self._folders[number]

    def holding(self, folder: int) -> Any:
        """For each number whether its company holds the folder."""
        return np.array([folder in each for each in self._folders], bool)

    def unread_in(self, folder: int) -> Any:
        """For each number whether the folder is one of its company's and a message is unread there."""
        return np.array([each.get(folder, False) for each in self._folders], bool)

    def count(self, numbers: Any, size: int) -> tuple[Any, Any]:
        """How many messages with these numbers lie in each of so many folders, and how many are unread there."""
        held, unread = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for times, company in zip(np.bincount(numbers, minlength=len(self._folders)), self._folders, strict=True):
            for folder, is_unread in company.items():
                held[folder] += times
                unread[folder] += times if is_unread else 0
        return held, unread
