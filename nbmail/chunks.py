"""Cooperative generators: each `yield` lets other work run."""

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def drain(chunks: Generator[object, None, Result]) -> Result:
    """Run a generator to its end and return its result."""
    while True:
        try:
            next(chunks)
        except StopIteration as end:
            result: Result = end.value
            return result
