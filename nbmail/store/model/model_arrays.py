"""Models as arrays, for snapshots and imported counts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nbmail.core.calibration.family_weights import PARTS
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.counts import Counts
from nbmail.core.scoring.model_content import ModelContent
from nbmail.store.model.array_file import AnyArray, Arrays

_KINDS = {"documents": "<i4", "occurrences": "<i8", "corrections": "<i8"}


def pack(content: ModelContent) -> tuple[dict[str, Any], dict[str, list[AnyArray]]]:
    """Return a description and the arrays of a model, without empty columns at the end."""
    counts = content.counts
    tables: dict[str, AnyArray] = {
        "documents": counts.documents,
        "occurrences": counts.occurrences,
        "corrections": content.corrections,
    }
    widths = {name: _used_width(table) for name, table in tables.items()}
    about = {
        "classes": counts.classes,
        "messages": counts.messages,
        "measures": counts.measures,
        "widths": widths,
        "method": content.method,
        "folded": content.cross_validated,
    }
    arrays: dict[str, list[AnyArray]] = {}
    for name, table in tables.items():
        kind = np.dtype(_KINDS[name])
        arrays[name] = [np.ascontiguousarray(table[:, : widths[name]], kind).ravel()]
    held_out = content.held_out
    arrays["scores"] = [np.asarray(held_out.parts, np.float64).ravel()]
    arrays["spam"] = [np.asarray(held_out.spam, np.uint8)]
    arrays["asked"] = [np.asarray(held_out.asked, np.uint8)]
    return about, arrays


def _used_width(table: AnyArray) -> int:
    """Return the number of columns up to the last one that is not empty."""
    used = np.flatnonzero(table.any(axis=0))
    return int(used[-1]) + 1 if len(used) else 0


def unpack(found: Arrays) -> ModelContent:
    """Return the model that `pack` turned into arrays."""
    about = found.about
    arrays = found.arrays
    widths: Mapping[str, int] = about["widths"]
    classes: Sequence[str] = about["classes"]
    counts = Counts.build(
        classes,
        about["messages"],
        arrays["documents"].reshape(len(classes), widths["documents"]),
        arrays["occurrences"].reshape(len(classes), widths["occurrences"]),
        about["measures"],
    )
    width = widths["corrections"]
    if width:
        corrections = arrays["corrections"].reshape(-1, width)
    else:
        corrections = np.zeros((len(classes), 0), np.int64)
    # A copy: a view would keep the whole file in memory.
    parts = arrays["scores"].reshape(-1, PARTS).copy()
    held_out = HeldOut(parts, arrays["spam"] != 0, arrays["asked"] != 0)
    return ModelContent(counts, corrections, held_out, about["method"], about["folded"])
