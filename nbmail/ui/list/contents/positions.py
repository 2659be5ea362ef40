"""Positions of messages in the columns of the list."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
AnyType = TypeVar("AnyType", bound=np.generic)
SPARE = 1024
"""Minimum number of spare rows. Another quarter of the rows is spare, and takes no memory yet."""


def with_room(column: npt.NDArray[AnyType], rows: int) -> npt.NDArray[AnyType]:
    """Return the column with room for at least this number of rows, zero behind the present ones.

    Most additions need no copy.
    """
    if rows <= len(column):
        return column
    larger = np.zeros(rows + rows // 4 + SPARE, column.dtype)
    larger[: len(column)] = column
    return larger


class MessagePositions:
    """Position of each message by its number. Numbers start at 1."""

    def __init__(self) -> None:
        self._positions = np.full(SPARE, -1, np.int32)

    def find(self, messages: npt.ArrayLike) -> Positions:
        """Return the positions of `messages`, -1 for unknown ones."""
        numbers = np.asarray(messages, np.int64)
        known = (numbers > 0) & (numbers < len(self._positions))
        # Entry 0 of the table belongs to no message.
        return self._positions[np.where(known, numbers, 0)].astype(np.int64)

    def note(self, messages: npt.NDArray[np.int64], positions: Positions) -> None:
        known = len(self._positions)
        self._positions = with_room(self._positions, int(messages.max(initial=0)) + 1)
        self._positions[known:] = -1
        self._positions[messages] = positions
