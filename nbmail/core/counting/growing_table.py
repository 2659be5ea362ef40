"""Tables that grow by doubling."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Count = TypeVar("Count", np.int32, np.int64)


def with_room(table: npt.NDArray[Count], rows: int, columns: int) -> npt.NDArray[Count]:
    """Return the table with at least this many rows and columns.

    Columns grow by doubling. New cells are zero.
    """
    known_rows, known_columns = table.shape
    if rows <= known_rows and columns <= known_columns:
        return table
    width = known_columns
    if columns > known_columns:
        width = max(columns, 2 * known_columns)
    # `np.pad` writes the zeros, which the system provides for free.
    wider = np.zeros((max(rows, known_rows), width), table.dtype)
    wider[:known_rows, :known_columns] = table
    return wider
