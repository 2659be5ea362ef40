"""Arrays side by side that grow together, mostly without copying what they hold. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

LEAST = 1024
"""Rows to spare at least, beside a quarter of what there is. What is not used yet takes no memory."""


class GrowingColumns:
    """Columns of one length with room to spare behind their end; what is new is zero.

    A column is a type, or a type and how many numbers of it stand in each row.
    """

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        self._whole = {name: _zeros(0, kind) for name, kind in kinds.items()}
        self._kinds = dict(kinds)
        self.length = 0

    def extend(self, count: int) -> dict[str, Any]:
        """Make them longer by so many rows. The columns as they are now: views, which the next call makes stale."""
        self.length += count
        room = len(next(iter(self._whole.values())))
        if self.length > room:
            self._move(self.length + self.length // 4 + LEAST)
        return {name: column[: self.length] for name, column in self._whole.items()}

    def _move(self, room: int) -> None:
        for name, column in self._whole.items():
            larger = _zeros(room, self._kinds[name])
            larger[: len(column)] = column
            self._whole[name] = larger


def _zeros(rows: int, kind: Any) -> Any:
    type_, *width = kind if isinstance(kind, tuple) else (kind,)
    return np.zeros((rows, *width), type_)
