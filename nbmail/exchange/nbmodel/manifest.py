"""The manifest of a model file: what its tables are about, and their checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from nbmail.exchange.files import Unreadable
from nbmail.exchange.model_tables import (
    MOST_CELLS,
    MOST_CLASSES,
    MOST_MESSAGES,
    MOST_WORDS,
    ModelTables,
)

FORMAT = 3
MANIFEST = "manifest.json"
WORDS = "words.csv"
CORRECTIONS = "corrections.csv"
MEASURES = "measures.csv"
HELD_OUT = "held_out.csv"
FAMILY_COLUMNS = ("says", "who", "how")
"""Columns of held-out scores by families of words, empty for methods that have none."""
_LARGEST_VERSION = 1 << 31


class Manifest(NamedTuple):
    """Content of the manifest. `words`: number of words. `hashes`: SHA-256 of each table."""

    tokenizer: int
    method: str
    classes: tuple[str, ...]
    messages: tuple[int, ...]
    words: int
    hashes: dict[str, str]


def encode_manifest(model: ModelTables, tables: Mapping[str, bytes]) -> bytes:
    """Return the manifest of a model with these tables, by name."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()}
    manifest = {
        "format": FORMAT,
        "tokenizer": model.tokenizer,
        "method": model.method,
        "classes": [{"name": name, "messages": messages} for name, messages in model.sizes],
        "words": len(model.words),
        "sha256": hashes,
    }
    return json.dumps(manifest, indent=2, ensure_ascii=False).encode()


def decode_manifest(content: bytes) -> Manifest:
    """Return the checked manifest. Raises `Unreadable` and what a wrong type raises."""
    found = json.loads(content)
    _refuse_other_formats(found["format"])
    listed = found["classes"]
    if len(listed) > MOST_CLASSES:
        raise Unreadable(f"it has more than {MOST_CLASSES:,} classes")

    manifest = Manifest(
        tokenizer=_whole(found["tokenizer"], _LARGEST_VERSION),
        method=_text(found["method"]),
        classes=tuple(_text(each["name"]) for each in listed),
        messages=tuple(_whole(each["messages"], MOST_MESSAGES) for each in listed),
        words=_whole(found["words"], MOST_WORDS),
        hashes=dict(found["sha256"]),
    )
    _refuse_impossible(manifest)
    return manifest


def _refuse_other_formats(number: Any) -> None:
    if _whole(number, _LARGEST_VERSION) < FORMAT:
        raise Unreadable(
            f"its format {number} is older than nbmail's first release; export the model again"
        )
    if number > FORMAT:
        raise Unreadable("it was made by a newer version of nbmail")


def _refuse_impossible(manifest: Manifest) -> None:
    classes = manifest.classes
    if len(set(classes)) != len(classes) or not all(classes):
        raise Unreadable("a class occurs twice or has no name")

    cells = manifest.words * len(classes)
    if sum(manifest.messages) > MOST_MESSAGES or cells > MOST_CELLS:
        raise Unreadable(
            f"it has more than {MOST_MESSAGES:,} messages, or {MOST_CELLS:,} words times classes"
        )


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise Unreadable("a number is missing or out of range")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unreadable("a name is not a text")
    value.encode()
    return value
