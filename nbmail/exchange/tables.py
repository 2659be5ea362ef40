"""Contents of model files: `ModelTables` for nbmail's own words, `TokenCounts` for the words of
another filter.

Each filter splits mail in its own way. A word of a file is shared with nbmail if both programs
extract it from the same text. Shared are plain words of the body and, by their prefix, of some
headers. Any other word is stored with the name of its format as prefix ("bogofilter:head:plain").
No message contains such a word, so it affects no score. Its counts are added and undone like all
others, and it is exported to that format unchanged.

A word may differ from nbmail's ("hello") only in capitals or surrounding punctuation ("Hello"). It
is also stored ("bogofilter+:Hello"), and its counts are added to nbmail's word. An export subtracts
them again. A message with both is counted twice. With a bogofilter list learned from 2,000
messages, this reduced 1-AUC on SpamAssassin's corpus from 0.83 % to 0.26 %.
"""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import BinaryIO, ClassVar, NamedTuple

import numpy as np

from nbmail.chunks import batches
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.arrays import LongArray
from nbmail.core.words.splitting import split_words
from nbmail.core.words.word_table import LONGEST_WORD
from nbmail.exchange.files import MOST_TOKENS, Unreadable, as_bytes, as_text, has_odd_bytes
from nbmail.values import HAM, SPAM, BoolArray

# The default method has a table of logarithms with 32 bytes for each message.
MOST_MESSAGES = 10_000_000
MOST_WORDS = 3_000_000
# Words times classes, 20 bytes each: for example 500,000 words in 20 classes.
MOST_CELLS = 10_000_000
MOST_CLASSES = 1000
# The latest held-out scores. Older ones have almost no weight.
MOST_SCORES = 1_000_000
CHUNK = 1000
"""Words read or written between two yields: about 5 ms."""
LONGEST_TOKEN = 20_000
PREFIX_MARK = ":"
COUNTED_MARK = "+:"
"""Between the name of a format and a word stored for it; `COUNTED_MARK` if nbmail's own word has
its counts too.
"""
_IN_CAPITALS = re.compile(r"[A-Z]{3,24}")
_SUBJECT = "subject:"


class MeasureSums(NamedTuple):
    """Number, sum and sum of squares of one numeric fact in one class, as exact integers."""

    number: int
    total: int
    squares: int


@dataclass(frozen=True, slots=True, eq=False)
class ModelTables:
    """A model as plain values: everything that affects scores, and nothing about single messages.

    `documents`, `occurrences` and `corrections` have a row for each class and a column for each
    word. `measures` has a tuple for each class.
    """

    tokenizer: int
    method: str
    classes: tuple[str, ...]
    messages: tuple[int, ...]
    words: tuple[str, ...]
    documents: LongArray
    occurrences: LongArray
    corrections: LongArray
    measures: tuple[tuple[MeasureSums, ...], ...] = ()
    held_out: HeldOut = field(default_factory=HeldOut.none)

    @property
    def sizes(self) -> tuple[tuple[str, int], ...]:
        return tuple(zip(self.classes, self.messages, strict=True))

    def only(self, kept: BoolArray) -> ModelTables:
        """Return the tables restricted to some words. `kept` has a flag for each word."""
        return replace(
            self,
            words=tuple(compress(self.words, kept)),
            documents=self.documents[:, kept],
            occurrences=self.occurrences[:, kept],
            corrections=self.corrections[:, kept],
        )

    def without_scores(self) -> ModelTables:
        return replace(self, held_out=HeldOut.none())

    def fingerprint(self) -> str:
        """Return a digest of all counts. Corrections and scores derive from the same messages and
        are left out.
        """
        digest = hashlib.sha256(json.dumps([self.classes, self.messages, self.measures]).encode())
        digest.update("\n".join(self.words).encode("utf-8", "surrogatepass"))
        for table in (self.documents, self.occurrences):
            digest.update(np.ascontiguousarray(table, "<i8").tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class TokenCounts:
    """Words of a filter. `documents`: messages of each class (row) that contain each word (column).

    `dropped`: number of omitted items by kind. `parts`: class of each category of the filter, if
    they differ.
    """

    classes: tuple[str, ...]
    messages: tuple[int, ...]
    tokens: Sequence[str]
    documents: LongArray
    dropped: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)


class TokenTable:
    """Collects the words of a file and raises `Unreadable` for impossible values."""

    def __init__(self, classes: Sequence[str] = (SPAM, HAM)) -> None:
        self.classes = tuple(classes)
        self.dropped: dict[str, int] = {}
        self._tokens: dict[str, None] = {}
        self._numbers = array("q")

    def __contains__(self, token: str) -> bool:
        return token in self._tokens

    def drop(self, kind: str, number: int = 1) -> None:
        self.dropped[kind] = self.dropped.get(kind, 0) + number

    def add(self, token: str | bytes, numbers: Sequence[int]) -> None:
        """Add a word. `numbers`: messages of each class that contain it."""
        if not any(numbers):
            self.drop("zero")
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
        self, messages: Sequence[int], parts: Mapping[str, str] | None = None
    ) -> TokenCounts:
        """Return the counts. `messages`: total of each class."""
        if sum(messages) > MOST_MESSAGES:
            raise Unreadable(f"it has counts of more than {MOST_MESSAGES:,} messages")
        found = np.array(self._numbers, np.int64).reshape(len(self._tokens), len(self.classes)).T
        if len(self._tokens) and (found > np.array(messages, np.int64)[:, None]).any():
            raise Unreadable("a word is counted in more messages than there are")
        return TokenCounts(
            self.classes, tuple(messages), tuple(self._tokens), found, self.dropped, parts or {}
        )


def parse_count(text: str | bytes) -> int:
    if not (text.isdigit() and text.isascii() and len(text) <= 10):
        raise Unreadable("a count is not a number, negative or too large")
    return int(text)


def encoded(lines: Iterator[str]) -> Iterator[bytes]:
    for chunk in batches(lines, CHUNK):
        yield as_bytes("".join(chunk))


TokenReading = Generator[None, None, TokenCounts]


class FileFormat:
    """A format of model files of another filter: its name, its words and its file layout."""

    name: ClassVar[str]
    start: ClassVar[re.Pattern[bytes]]
    """Pattern of the beginning of a file."""
    places: ClassVar[tuple[tuple[str, str], ...]] = (("", ""),)
    """Prefixes of its words that nbmail shares, each with nbmail's prefix."""
    lengths: ClassVar[tuple[int, int]] = (1, LONGEST_WORD)
    """Shortest and longest shared words, without the prefix."""
    two_way: ClassVar[bool] = True
    """True if files of this format can be written, so that its other words are stored for it."""
    folds: ClassVar[bool] = False
    """True if the filter ignores capitals and punctuation, like nbmail."""
    classes: ClassVar[tuple[str, ...] | None] = (SPAM, HAM)
    """Classes in its files; None for any."""
    note: ClassVar[str | None] = None
    """Prefix of entries that aren't words, but are stored and exported like words."""

    def read(self, file: BinaryIO) -> TokenReading:
        raise NotImplementedError

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield the bytes of a file with these words, in chunks."""
        raise NotImplementedError

    def word_of(self, token: str) -> str | None:
        """Return nbmail's word for a word of the filter; None without one."""
        place, colon, rest = token.rpartition(":")
        ours = next((ours for theirs, ours in self.places if theirs == place + colon), None)
        return f"{ours}{rest}" if ours is not None and self._shared(ours, rest) else None

    def token_of(self, word: str) -> str | None:
        """Return the filter's word for a word of nbmail, or for one stored for the filter; None
        without one.
        """
        for mark in (PREFIX_MARK, COUNTED_MARK):
            if word.startswith(self.name + mark):
                return word[len(self.name) + len(mark) :]
        place, colon, rest = word.partition(":")
        ours, rest = (place + colon, rest) if colon else ("", word)
        theirs = next((theirs for theirs, mine in self.places if mine == ours), None)
        return f"{theirs}{rest}" if theirs is not None and self._shared(ours, rest) else None

    def folded_word_of(self, token: str) -> str | None:
        """Return nbmail's word that differs only in capitals or surrounding punctuation; None
        without one.

        A word of another encoding has none: the characters that stand for its bytes would split it.
        """
        place, colon, rest = token.rpartition(":")
        words = (
            []
            if self.folds or len(rest) > LONGEST_WORD or has_odd_bytes(token)
            else split_words(rest)
        )
        return self.word_of(place + colon + words[0]) if len(words) == 1 else None

    def words_of(
        self, tokens: Sequence[str], own: Iterable[str]
    ) -> Generator[None, None, list[str | None]]:
        """Return nbmail's words for words of the filter. `own`: all known words."""
        found: list[str | None] = []
        for some in batches(tokens, CHUNK):
            found += map(self.word_of, some)
            yield
        return found

    def _shared(self, place: str, rest: str) -> bool:
        """True if both programs extract this word from the same text."""
        shortest, longest = self.lengths
        if not shortest <= len(rest) <= longest:
            return False
        return split_words(rest) == [rest] or (
            place == _SUBJECT and _IN_CAPITALS.fullmatch(rest) is not None
        )


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """Model file: format, tables, number of `words`, of which `ours` affect scores. Others: see
    `TokenCounts`.
    """

    format: str
    tables: ModelTables
    words: int
    ours: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
