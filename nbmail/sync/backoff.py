"""How long to wait before the next try: longer each time, never the same for two accounts."""

from __future__ import annotations

import random

# A connection that lived this long was a good one, and the next failure is a new story.
GOOD_LIFE = 120.0


class Backoff:
    """Doubles from `first` to `longest` seconds, each with up to a half more or less by chance."""

    def __init__(self, chance: random.Random, first: float = 1.0, longest: float = 300.0) -> None:
        self._chance = chance
        self._first = first
        self._longest = longest
        self._tries = 0

    def after(self, lifetime: float) -> float:
        """The wait after a connection that lived so long."""
        if lifetime >= GOOD_LIFE:
            self._tries = 0
        wait = min(self._longest, self._first * 2.0 ** min(self._tries, 30))
        self._tries += 1
        return float(wait * self._chance.uniform(0.5, 1.5))

    def forget(self) -> None:
        """Start anew: the user asked to try again."""
        self._tries = 0
