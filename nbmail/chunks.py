"""Work in chunks: generators that let other work run at each `yield`, and batches of items."""

from collections.abc import Generator, Iterable, Iterator
from itertools import islice
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


def batches(items: Iterable[Result], size: int) -> Iterator[list[Result]]:
    """Yield the items in lists of `size`; the last one may be shorter."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch
