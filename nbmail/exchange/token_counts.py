"""What another filter's file holds, in its own words, and what every format is asked for.

Each filter splits mail in its own way. A word of a file is one of ours where both filters make the same of the same
text: plain words of the body and, by their prefix, of some headers. Any other word is kept under the name of its format
("bogofilter:rcvd:mx"), which no message ever holds: it speaks in no score here, adds up and can be undone like all
counts, and is given back to that format as it came. No word is both, so what came in goes out unchanged.
"""

import re
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice
from typing import BinaryIO, ClassVar

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.core.judging.model import GOOD, JUNK
from nbmail.core.methods.registry import DEFAULT
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.reading.word_splitting import split_words
from nbmail.core.reading.word_table import LONGEST_WORD
from nbmail.exchange.files import as_bytes, as_text
from nbmail.exchange.model_tables import MOST_MESSAGES, MOST_WORDS, ModelTables

PIECE = 1000
"""Words read or written between two pauses: about 5 ms."""
LONGEST_TOKEN = 20_000
_IN_CAPITALS = re.compile(r"[A-Z]{3,24}")
_SUBJECT = "subject:"


@dataclass(frozen=True, slots=True, eq=False)
class TokenCounts:
    """Words of a filter: for each class (row) and word (column) how many messages of the class hold the word.

    `dropped` says what of the file is not taken, and how much.
    """

    classes: tuple[str, ...]
    messages: tuple[int, ...]
    tokens: Sequence[str]
    documents: LongArray
    dropped: Mapping[str, int] = field(default_factory=dict)


class TokenTable:
    """Collects the words of a file, each once, and refuses what can't be."""

    def __init__(self, classes: Sequence[str] = (JUNK, GOOD)) -> None:
        self.classes = tuple(classes)
        self.dropped: dict[str, int] = {}
        self._tokens: dict[str, None] = {}
        self._numbers = array("q")

    def drop(self, what: str, number: int = 1) -> None:
        """So much of this is not taken."""
        self.dropped[what] = self.dropped.get(what, 0) + number

    def add(self, token: str | bytes, numbers: Sequence[int]) -> None:
        """A word and in how many messages of each class it stands."""
        if not any(numbers):
            self.drop("zero")
            return
        self._tokens[as_text(token)] = None
        self._numbers.extend(numbers)
        if len(self._numbers) != len(self._tokens) * len(self.classes) or len(self._tokens) > MOST_WORDS:
            raise ValueError("a word stands twice, or there are too many")
        if not 0 < len(token) <= LONGEST_TOKEN:
            raise ValueError("a word is too long, or empty")

    def finish(self, messages: Sequence[int]) -> TokenCounts:
        """All of it, where there are so many messages of each class."""
        if sum(messages) > MOST_MESSAGES:
            raise ValueError("it knows too many messages")
        found = np.array(self._numbers, np.int64).reshape(len(self._tokens), len(self.classes)).T
        if len(self._tokens) and (found > np.array(messages, np.int64)[:, None]).any():
            raise ValueError("a word is counted in more messages than there are")
        return TokenCounts(self.classes, tuple(messages), tuple(self._tokens), found, dropped=self.dropped)


def whole(text: str | bytes) -> int:
    """A count as it stands in a file: plain digits, and no more of them than a count can have."""
    if not (text.isdigit() and text.isascii() and len(text) <= 10):
        raise ValueError("a count is no number, negative, or beyond all bounds")
    return int(text)


def in_pieces(lines: Iterator[str]) -> Iterator[bytes]:
    """Lines as bytes, some of them at a time."""
    while piece := list(islice(lines, PIECE)):
        yield as_bytes("".join(piece))


Reading = Generator[None, None, TokenCounts]


class FileFormat:
    """A format of model files. What differs is a name, what its words are called, and how its bytes are laid out."""

    name: ClassVar[str]
    places: ClassVar[tuple[tuple[str, str], ...]] = (("", ""),)
    """The prefixes of those of its words that are ours, and what we call the place."""
    lengths: ClassVar[tuple[int, int]] = (1, LONGEST_WORD)
    """How long such words are, the prefix not counted."""
    two_way: ClassVar[bool] = True
    """Whether files of this format are written too, so that words that aren't ours are kept for it."""
    classes: ClassVar[tuple[str, ...] | None] = (JUNK, GOOD)
    """The classes that its files hold, None where they may be any."""

    def recognises(self, start: bytes) -> bool:
        """Whether a file that begins like this is of this format."""
        raise NotImplementedError

    def reading(self, file: BinaryIO) -> Reading:
        """Read a file in pieces. What isn't sound raises `ValueError` or the like."""
        raise NotImplementedError

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """What a file of these words is made of, in pieces."""
        raise NotImplementedError

    def word_of(self, token: str) -> str | None:
        """Our word for one of its words, None where there is none."""
        place, colon, rest = token.rpartition(":")
        ours = next((ours for theirs, ours in self.places if theirs == place + colon), None)
        return f"{ours}{rest}" if ours is not None and self._shared(ours, rest) else None

    def token_of(self, word: str) -> str | None:
        """Its word for one of ours, or for one that was kept for it; None where there is none."""
        if word.startswith(self.name + ":"):
            return word[len(self.name) + 1 :]
        place, colon, rest = word.partition(":")
        ours, rest = (place + colon, rest) if colon else ("", word)
        theirs = next((theirs for theirs, mine in self.places if mine == ours), None)
        return f"{theirs}{rest}" if theirs is not None and self._shared(ours, rest) else None

    def words_of(self, tokens: Sequence[str], own: Iterable[str]) -> Generator[None, None, list[str | None]]:
        """Our words for these of its words; `own` are all that we know."""
        found: list[str | None] = []
        for first in range(0, len(tokens), PIECE):
            found += map(self.word_of, tokens[first : first + PIECE])
            yield
        return found

    def _shared(self, place: str, rest: str) -> bool:
        """Whether both filters would find this word in the same text."""
        shortest, longest = self.lengths
        if not shortest <= len(rest) <= longest:
            return False
        return split_words(rest) == [rest] or (place == _SUBJECT and _IN_CAPITALS.fullmatch(rest) is not None)


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """A file that was read: what it teaches, whose it is, how many of its words are ours, and what is not taken."""

    format: str
    tables: ModelTables
    ours: int
    dropped: Mapping[str, int] = field(default_factory=dict)


def taking_up(layout: FileFormat, counts: TokenCounts, own: Iterable[str]) -> Generator[None, None, ModelFile]:
    """Another filter's words as a model: ours by our names, the others kept under the name of the format."""
    words = yield from layout.words_of(counts.tokens, own)
    kept = np.array([layout.two_way or word is not None for word in words], np.bool_)
    dropped = {**counts.dropped, "foreign": int(np.count_nonzero(~kept))}
    named = [word or f"{layout.name}:{token}" for word, token in zip(words, counts.tokens, strict=True)]
    rows = [row for row, messages in enumerate(counts.messages) if messages]
    documents = counts.documents[rows]
    tables = ModelTables(
        tokenizer=TOKENIZER_VERSION,
        method=DEFAULT,
        classes=tuple(counts.classes[row] for row in rows),
        messages=tuple(counts.messages[row] for row in rows),
        words=tuple(named),
        documents=documents,
        occurrences=documents,
        corrections=np.zeros_like(documents),
    )
    dropped = {what: number for what, number in dropped.items() if number}
    return ModelFile(layout.name, tables.only(kept), sum(word is not None for word in words), dropped)


def giving_out(layout: FileFormat, tables: ModelTables, classes: Sequence[str]) -> Generator[None, None, TokenCounts]:
    """What of a model a format holds, in the format's words; two of ours that are one there are added up."""
    columns: dict[str, int] = {}
    places, targets = array("q"), array("q")
    for number, word in enumerate(tables.words):
        token = layout.token_of(word)
        if token is not None:
            places.append(number)
            targets.append(columns.setdefault(token, len(columns)))
        if number % PIECE == 0:
            yield
    documents = np.zeros((len(classes), len(columns)), np.int64)
    for row, name in enumerate(classes):
        if name in tables.classes:
            mine = tables.documents[tables.classes.index(name)]
            np.add.at(documents[row], np.array(targets, np.int64), mine[np.array(places, np.int64)])
    known = dict(zip(tables.classes, tables.messages, strict=True))
    messages = tuple(known.get(name, 0) for name in classes)
    counted = np.asarray(documents.any(axis=0))
    return TokenCounts(tuple(classes), messages, list(compress(columns, counted)), documents[:, counted])
