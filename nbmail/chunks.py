"""Work done in pieces: a generator whose every `yield` is a moment where others may have their turn."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def drain(chunks: Generator[object, None, Result]) -> Result:
    """Do all of it without a pause, for who has nothing else to do meanwhile; what it returns."""
    while True:
        try:
            next(chunks)
        except StopIteration as end:
            result: Result = end.value
            return result
