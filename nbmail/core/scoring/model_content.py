"""State of a model, to be stored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.held_out_scores import NEVER
from nbmail.core.counting.arrays import LongArray
from nbmail.core.counting.counts import Counts


@dataclass(frozen=True, slots=True, eq=False)
class ModelContent:
    """State of a model over its vocabulary, to be stored or given to another model.

    `corrections` has one row for each class and one column for each word. `method`: empty for the
    method in use. `cross_validated`: number of cross-validated scores, `NEVER` for imported ones.
    """

    counts: Counts
    corrections: LongArray
    held_out: HeldOut
    method: str = ""
    cross_validated: int = NEVER

    @classmethod
    def of(cls, counts: Counts | None = None, cross_validated: int = 0) -> ModelContent:
        """Return counts, or nothing, without corrections and held-out scores."""
        return cls(
            counts=counts or Counts(),
            corrections=np.zeros((0, 0), np.int64),
            held_out=HeldOut.none(),
            cross_validated=cross_validated,
        )
