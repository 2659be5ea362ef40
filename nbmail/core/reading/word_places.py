"""Words with their place in front, made once: a string that is met again costs neither building nor hashing."""

from __future__ import annotations

_CAP = 50_000


class Place(dict[str, str]):
    """`Place("subject")["free"]` is "subject:free". Bounded: what doesn't fit is made anew each time."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def __missing__(self, word: str) -> str:
        placed = f"{self.name}:{word}"
        if len(self) < _CAP and len(word) < 50:
            self[word] = placed
        return placed

    def words(self, words: list[str]) -> list[str]:
        """All of them, placed."""
        return [self[word] for word in words]
