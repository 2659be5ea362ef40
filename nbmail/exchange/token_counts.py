"""What another filter's file holds, in its own words, and what every format is asked for.

Each filter splits mail in its own way. A word of a file is one of ours where both filters make the same of the same
text: plain words of the body and, by their prefix, of some headers. Any other word is kept under the name of its format
("bogofilter:head:plain"), which no message ever holds: it speaks in no score here, adds up and can be undone like all
counts, and is given back to that format as it came.

A word that is ours but for capitals or signs around it ("Hello") is kept too ("bogofilter+:Hello"), and its counts are
added to our word ("hello"), from which they are taken off on the way out. A message that holds both counts twice, but
what a bogofilter had learned from 2,000 messages then missed 0.26 % (1-AUC) of SpamAssassin's corpus instead of 0.83 %.
"""

import re
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice
from typing import BinaryIO, ClassVar

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.core.methods.registry import DEFAULT
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.reading.word_splitting import split_words
from nbmail.core.reading.word_table import LONGEST_WORD
from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.exchange.files import MOST_TOKENS, Unreadable, as_bytes, as_text, has_odd_bytes
from nbmail.exchange.model_tables import MOST_CELLS, MOST_MESSAGES, ModelTables

PIECE = 1000
"""Words read or written between two pauses: about 5 ms."""
LONGEST_TOKEN = 20_000
_IN_CAPITALS = re.compile(r"[A-Z]{3,24}")
_SUBJECT = "subject:"
# What stands behind the name of a format in words that are kept for it, and in those of them that speak here too.
_KEPT, _COUNTED = ":", "+:"


@dataclass(frozen=True, slots=True, eq=False)
class TokenCounts:
    """Words of a filter: for each class (row) and word (column) how many messages of the class hold the word.

    `dropped` says what of the file is not taken, and how much. `parts` are what the filter sorts into, and which class
    each was taken for, where these aren't the same.
    """

    classes: tuple[str, ...]
    messages: tuple[int, ...]
    tokens: Sequence[str]
    documents: LongArray
    dropped: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)


class TokenTable:
    """Collects the words of a file, each once, and refuses what can't be."""

    def __init__(self, classes: Sequence[str] = (JUNK, GOOD)) -> None:
        self.classes = tuple(classes)
        self.dropped: dict[str, int] = {}
        self._tokens: dict[str, None] = {}
        self._numbers = array("q")

    def __contains__(self, token: str) -> bool:
        return token in self._tokens

    def drop(self, what: str, number: int = 1) -> None:
        """So much of this is not taken."""
        self.dropped[what] = self.dropped.get(what, 0) + number

    def add(self, token: str | bytes, numbers: Sequence[int]) -> None:
        """A word and in how many messages of each class it stands."""
        if not any(numbers):
            self.drop("zero")
            return
        text = as_text(token)
        if text in self._tokens:
            raise Unreadable("a word stands twice")
        self._tokens[text] = None
        self._numbers.extend(numbers)
        if len(self._tokens) > MOST_TOKENS or len(self._numbers) > MOST_CELLS:
            raise Unreadable(f"it has more than {MOST_TOKENS:,} words, or {MOST_CELLS:,} counts")
        if not 0 < len(token) <= LONGEST_TOKEN:
            raise Unreadable("a word is too long, or empty")

    def finish(self, messages: Sequence[int], parts: Mapping[str, str] | None = None) -> TokenCounts:
        """All of it, where there are so many messages of each class."""
        if sum(messages) > MOST_MESSAGES:
            raise Unreadable(f"it knows more than {MOST_MESSAGES:,} messages")
        found = np.array(self._numbers, np.int64).reshape(len(self._tokens), len(self.classes)).T
        if len(self._tokens) and (found > np.array(messages, np.int64)[:, None]).any():
            raise Unreadable("a word is counted in more messages than there are")
        return TokenCounts(self.classes, tuple(messages), tuple(self._tokens), found, self.dropped, parts or {})


def whole(text: str | bytes) -> int:
    """A count as it stands in a file: plain digits, and no more of them than a count can have."""
    if not (text.isdigit() and text.isascii() and len(text) <= 10):
        raise Unreadable("a count is no number, negative, or beyond all bounds")
    return int(text)


def in_pieces(lines: Iterator[str]) -> Iterator[bytes]:
    """Lines as bytes, some of them at a time."""
    while chunk := list(islice(lines, PIECE)):
        yield as_bytes("".join(chunk))


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
    folds: ClassVar[bool] = False
    """Whether it makes one word of those that differ in capitals and signs, as we do."""
    classes: ClassVar[tuple[str, ...] | None] = (JUNK, GOOD)
    """The classes that its files hold, None where they may be any."""
    note: ClassVar[str | None] = None
    """What begins with this is no word, but is kept and given back as words are."""

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
        for mark in (_KEPT, _COUNTED):
            if word.startswith(self.name + mark):
                return word[len(self.name) + len(mark) :]
        place, colon, rest = word.partition(":")
        ours, rest = (place + colon, rest) if colon else ("", word)
        theirs = next((theirs for theirs, mine in self.places if mine == ours), None)
        return f"{theirs}{rest}" if theirs is not None and self._shared(ours, rest) else None

    def folded_word_of(self, token: str) -> str | None:
        """Our word for one of its words once capitals and signs around it are folded, None where there is none.

        None of a word of another encoding: what stands for its bytes would part it.
        """
        place, colon, rest = token.rpartition(":")
        words = [] if self.folds or len(rest) > LONGEST_WORD or has_odd_bytes(token) else split_words(rest)
        return self.word_of(place + colon + words[0]) if len(words) == 1 else None

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
    """A file that was read: what it teaches, whose it is, how many `words` it has, and what of it is not taken.

    `ours` of its words say something here. `parts` are what it sorts into, as in `TokenCounts`.
    """

    format: str
    tables: ModelTables
    words: int
    ours: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)


def taking_up(layout: FileFormat, counts: TokenCounts, own: Iterable[str]) -> Generator[None, None, ModelFile]:
    """Another filter's words as a model: ours by our names, the others kept under the name of the format."""
    words = yield from layout.words_of(counts.tokens, own)
    rows = [row for row, messages in enumerate(counts.messages) if messages]
    folding = _FoldedCounts(words, counts.documents[rows], [counts.messages[row] for row in rows])
    names = list[str]()
    for number, (token, word) in enumerate(zip(counts.tokens, words, strict=True)):
        folded = word is None and folding.add(number, layout.folded_word_of(token))
        names.append(word or f"{layout.name}{_COUNTED if folded else _KEPT}{token}")
        if number % PIECE == 0:
            yield
    documents = folding.documents()
    tables = ModelTables(
        tokenizer=TOKENIZER_VERSION,
        method=DEFAULT,
        classes=tuple(counts.classes[row] for row in rows),
        messages=tuple(counts.messages[row] for row in rows),
        words=(*names, *folding.new),
        documents=documents,
        occurrences=documents,
        corrections=np.zeros_like(documents),
    )
    notes = sum(token.startswith(layout.note) for token in counts.tokens) if layout.note else 0
    all_words, ours = len(words) - notes, len(words) - words.count(None) + folding.folded
    dropped = dict(counts.dropped)
    if not layout.two_way:
        kept = [*(word is not None for word in words), *(True for _ in folding.new)]
        tables, dropped["foreign"] = tables.only(np.array(kept, np.bool_)), all_words - ours
    dropped = {what: number for what, number in dropped.items() if number}
    return ModelFile(layout.name, tables, all_words, ours, dropped, counts.parts)


class _FoldedCounts:
    """Adds words that are written in another way to those that they are here, as long as that can be."""

    def __init__(self, words: Sequence[str | None], documents: LongArray, messages: Sequence[int]) -> None:
        self._documents, self._messages = documents, messages
        self._counts: list[list[int]] = documents.T.tolist()
        self._places = {word: place for place, word in enumerate(words) if word is not None}
        self._sums: dict[str, list[int]] = {}
        self.folded = 0

    def add(self, place: int, word: str | None) -> bool:
        """Add the counts at this place to those of that word; False where there is none, or no room for more."""
        if word is None:
            return False
        known = self._places.get(word)
        before = self._sums.get(word) or (self._counts[known] if known is not None else [0] * len(self._messages))
        both = [one + other for one, other in zip(before, self._counts[place], strict=True)]
        if any(count > most for count, most in zip(both, self._messages, strict=True)):
            return False
        self._sums[word] = both
        self.folded += 1
        return True

    @property
    def new(self) -> list[str]:
        """The words that stand nowhere in the file as they are here."""
        return [word for word in self._sums if word not in self._places]

    def documents(self) -> LongArray:
        """The counts of all words, those of the new ones last."""
        for word, both in self._sums.items():
            if word in self._places:
                self._documents[:, self._places[word]] = both
        new = self.new
        more = np.array([self._sums[word] for word in new], np.int64).reshape(len(new), len(self._messages))
        return np.concatenate([self._documents, more.T], axis=1)


def giving_out(layout: FileFormat, tables: ModelTables, classes: Sequence[str]) -> Generator[None, None, TokenCounts]:
    """What of a model a format holds, in the format's words: what is given back under its own name is taken off.

    `dropped` are the words that it has no form for.
    """
    columns: dict[str, int] = {}
    places, targets, signs = array("q"), array("q"), array("q")
    left_out = 0
    for number, word in enumerate(tables.words):
        token = layout.token_of(word)
        left_out += token is None
        folded = layout.folded_word_of(token) if token and word.startswith(layout.name + _COUNTED) else None
        for each, sign in ((token, 1), (layout.token_of(folded) if folded else None, -1)):
            if each is not None:
                places.append(number)
                targets.append(columns.setdefault(each, len(columns)))
                signs.append(sign)
        if number % PIECE == 0:
            yield
    documents = np.zeros((len(classes), len(columns)), np.int64)
    picked, added = (np.array(each, np.int64) for each in (places, signs))
    for row, name in enumerate(classes):
        if name in tables.classes:
            mine = tables.documents[tables.classes.index(name)]
            np.add.at(documents[row], np.array(targets, np.int64), mine[picked] * added)
    documents = np.maximum(documents, 0)
    known = dict(zip(tables.classes, tables.messages, strict=True))
    messages = tuple(known.get(name, 0) for name in classes)
    counted = np.asarray(documents.any(axis=0))
    tokens = list(compress(columns, counted))
    return TokenCounts(tuple(classes), messages, tokens, documents[:, counted], {"foreign": left_out})
