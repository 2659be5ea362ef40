"""Checked counts of the words of another filter."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from nbmail.chunks import batches
from nbmail.core.counting.arrays import LongArray
from nbmail.exchange.files import Unreadable
from nbmail.exchange.model_tables import MOST_CELLS, MOST_MESSAGES
from nbmail.exchange.text_lines import as_bytes, as_text
from nbmail.values import HAM, SPAM

MOST_TOKENS = 1_000_000
"""Words in a file of another filter. Reading this many takes two seconds and 150 MB."""
LONGEST_TOKEN = 20_000
CHUNK = 1000
"""Words read or written between two yields: about 5 ms."""
_LONGEST_COUNT = 10


@dataclass(frozen=True, slots=True, eq=False)
class TokenCounts:
    """Words of a filter. `documents`: messages of each class (row) that contain each word (column).

    - `parts`: class of each category of the filter, if they differ.
    - `is_estimated`: True if the numbers of messages are not in the file.
    """

    classes: tuple[str, ...]
    messages: tuple[int, ...]
    tokens: Sequence[str]
    documents: LongArray
    parts: Mapping[str, str] = field(default_factory=dict)
    is_estimated: bool = False

    def rows(self) -> Iterator[tuple[str, list[int]]]:
        """Yield each word with its number of messages in each class."""
        return zip(self.tokens, self.documents.T.tolist(), strict=True)


class TokenTable:
    """Collects the words of a file and raises `Unreadable` for impossible values."""

    def __init__(self, classes: Sequence[str] = (SPAM, HAM)) -> None:
        self.classes = tuple(classes)
        self._tokens: dict[str, None] = {}
        self._numbers = array("q")

    def __contains__(self, token: str) -> bool:
        return token in self._tokens

    def add(self, token: str | bytes, numbers: Sequence[int]) -> None:
        """Add a word, unless it has no counts. `numbers`: messages of each class with the word."""
        if not any(numbers):
            return
        text = as_text(token)
        if text in self._tokens:
            raise Unreadable("a word occurs twice")
        self._tokens[text] = None
        self._numbers.extend(numbers)
        if len(self._tokens) > MOST_TOKENS or len(self._numbers) > MOST_CELLS:
            raise Unreadable(f"it has more than {MOST_TOKENS:,} words, or {MOST_CELLS:,} counts")
        if not 0 < len(token) <= LONGEST_TOKEN:
            raise Unreadable("a word is too long, or empty")

    def finish(
        self,
        messages: Sequence[int],
        parts: Mapping[str, str] | None = None,
        *,
        is_estimated: bool = False,
    ) -> TokenCounts:
        """Return the counts. `messages`: total of each class."""
        if sum(messages) > MOST_MESSAGES:
            raise Unreadable(f"it has counts of more than {MOST_MESSAGES:,} messages")

        numbers = np.array(self._numbers, np.int64)
        table = numbers.reshape(len(self._tokens), len(self.classes))
        documents = table.T
        totals = np.array(messages, np.int64)[:, None]
        if len(self._tokens) and (documents > totals).any():
            raise Unreadable("a word is counted in more messages than there are")
        return TokenCounts(
            self.classes,
            tuple(messages),
            tuple(self._tokens),
            documents,
            parts or {},
            is_estimated,
        )


def parse_count(text: str | bytes) -> int:
    """Return a count. Raises `Unreadable` unless it consists of a few digits."""
    if not (text.isdigit() and text.isascii() and len(text) <= _LONGEST_COUNT):
        raise Unreadable("a count is not a number, negative or too large")
    return int(text)


def encoded(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield lines as bytes, many at a time."""
    for some in batches(lines, CHUNK):
        yield as_bytes("".join(some))
