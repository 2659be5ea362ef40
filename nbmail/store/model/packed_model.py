"""Counts and what a method learned beside them, as arrays for a file, and back."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.counts import Counts
from nbmail.core.scoring.calibration import HeldOut
from nbmail.core.scoring.held_out_scores import NEVER
from nbmail.core.scoring.model import LearnedTables, ModelContent
from nbmail.store.files.array_file import AnyArray, Arrays, chunks, parse

_KINDS = {"documents": "<i4", "occurrences": "<i8", "corrections": "<i8"}


def pack(content: ModelContent) -> tuple[dict[str, Any], dict[str, list[AnyArray]]]:
    """Description and arrays; tables without their empty columns, row behind row."""
    counts, learned = content.counts, content.learned
    tables: dict[str, AnyArray] = {
        "documents": counts.documents,
        "occurrences": counts.occurrences,
        "corrections": learned.corrections,
    }
    widths = {name: _used(np.asarray(table.any(axis=0))) if len(table) else 0 for name, table in tables.items()}
    about = {
        "classes": counts.classes,
        "messages": counts.messages,
        "measures": counts.measures,
        "widths": widths,
        "method": learned.method,
        "folded": learned.folded,
    }
    arrays: dict[str, list[AnyArray]] = {
        name: [np.ascontiguousarray(table[:, : widths[name]], np.dtype(_KINDS[name])).ravel()]
        for name, table in tables.items()
    }
    arrays["scores"] = [np.asarray(learned.held_out.scores, np.float64)]
    arrays["junk"] = [np.asarray(learned.held_out.junk, np.uint8)]
    arrays["asked"] = [np.asarray(learned.held_out.asked, np.uint8)]
    return about, arrays


def unpack(found: Arrays) -> ModelContent:
    """The model that was packed."""
    about, arrays = found.about, found.arrays
    widths: Mapping[str, int] = about["widths"]
    classes: Sequence[str] = about["classes"]
    documents, occurrences = (arrays[name].reshape(len(classes), widths[name]) for name in ("documents", "occurrences"))
    counts = Counts.build(classes, about["messages"], documents, occurrences, about["measures"])
    width = widths["corrections"]
    corrections = arrays["corrections"].reshape(-1, width) if width else np.zeros((len(classes), 0), np.int64)
    # Models of before labels could be asked for have no array of them.
    asked = arrays.get("asked", np.zeros_like(arrays["junk"]))
    held_out = HeldOut(arrays["scores"], arrays["junk"] != 0, asked != 0)
    learned = LearnedTables(corrections, held_out, about["method"], about.get("folded", NEVER))
    return ModelContent(counts, learned)


def to_bytes(content: ModelContent) -> bytes:
    """Packed for a row of the database."""
    packer = zlib.compressobj(1)
    return b"".join([*map(packer.compress, chunks(*pack(content))), packer.flush()])


def from_bytes(stored: bytes) -> ModelContent:
    """The model in a row of the database."""
    found = drain(parse(zlib.decompress(stored)))
    if found is None:
        raise ValueError("an imported model in the database is damaged")
    content = unpack(found)
    # The messages that an imported model was made of are not here.
    return ModelContent(content.counts, replace(content.learned, folded=NEVER))


def _used(filled: AnyArray) -> int:
    """How many columns there are up to the last that is not zero."""
    places = np.flatnonzero(filled)
    return int(places[-1]) + 1 if len(places) else 0
