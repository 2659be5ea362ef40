"""Servers that can't tell which flags changed: what of a large folder is listed again, and when."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

# Up to here all flags are listed at each look: 40 bytes a message.
SMALL_FOLDER = 1000
# Of a larger folder the newest at each look, since there most changes; the others in turns, all in five minutes.
NEWEST = 500
TURNS = 5
TURN_EVERY = 60.0
# More flags than these at once are learned sooner by listing all.
MOST_TOUCHED = 500


@dataclass(slots=True)
class Turns:
    """One folder on one connection. `listed` says that it was wholly listed, so that counting can replace listing.

    `numbers` is what STATUS said of it after it was looked at.
    """

    listed: bool = False
    numbers: tuple[int, ...] = ()
    _turn: int = 0
    _turned_at: float = field(default=float("-inf"))

    @property
    def due(self) -> bool:
        """Whether it is time for the next turn."""
        return time.monotonic() - self._turned_at >= TURN_EVERY

    def spans(self, known: Iterable[int]) -> list[range]:
        """The UIDs to list again at this look, the newest last; what is newer than all of them is not among them."""
        ordered = sorted(known)
        older, newest = ordered[:-NEWEST], ordered[-NEWEST:]
        spans = [range(newest[0], newest[-1] + 1)] if newest else []
        if older and self.due:
            self._turned_at = time.monotonic()
            self._turn = (self._turn + 1) % TURNS
            part = older[len(older) * self._turn // TURNS : len(older) * (self._turn + 1) // TURNS]
            spans = [range(part[0], part[-1] + 1), *spans] if part else spans
        return spans
