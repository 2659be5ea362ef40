"""What tells one model's counts from another's: the same for a model that was written and for the file read back."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from nbmail.exchange.model_tables import ModelTables


def fingerprint(tables: ModelTables) -> str:
    """A digest of all that is counted. What is learned on top of the counts, and how, makes no other evidence."""
    measures = [[(one.count, one.total, one.squares) for one in per_class] for per_class in tables.measures]
    digest = hashlib.sha256(json.dumps([tables.classes, tables.messages, measures]).encode())
    digest.update("\n".join(tables.words).encode("utf-8", "surrogatepass"))
    for table in (tables.documents, tables.occurrences):
        for row in table:
            digest.update(np.ascontiguousarray(row, "<i8").tobytes())
    return digest.hexdigest()
