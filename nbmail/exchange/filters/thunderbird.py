"""Training files of Thunderbird: `training.dat` and `traits.dat`.

Numbers are 32-bit big-endian. A list of tokens is their number followed by `count, length, bytes`
of each. A token of several classes is in the list of each.
"""

import os
import re
import struct
from collections.abc import Generator, Iterator
from typing import BinaryIO, ClassVar, NamedTuple

import numpy as np

from nbmail.chunks import batches
from nbmail.exchange.files import Unreadable
from nbmail.exchange.filters.filter_format import FilterFormat, TokenReading
from nbmail.exchange.filters.token_counts import (
    CHUNK,
    LONGEST_TOKEN,
    MOST_TOKENS,
    TokenCounts,
    TokenTable,
)
from nbmail.exchange.model_tables import MOST_CLASSES
from nbmail.exchange.text_lines import as_bytes
from nbmail.values import HAM, SPAM

_TRAINING = b"\xfe\xed\xfa\xce"
_TRAITS = b"\xfc\xa9\x36\x01"
_TRAIT = "trait "
_LARGEST_NUMBER = 0xFFFFFFFF
# Digits of the largest number.
_DIGITS = 10
# Bytes of a token with one letter.
_SHORTEST = 9


class _Class(NamedTuple):
    """Messages of a class, and the count of each of its tokens."""

    messages: int
    tokens: dict[bytes, int]


class Thunderbird(FilterFormat):
    """`training.dat`, for spam and good mail.

    Thunderbird keeps the data in memory and overwrites the file at any time, so the file must be
    replaced while Thunderbird is closed.
    """

    name = "thunderbird"
    start = re.compile(_TRAINING)
    places: ClassVar = {"": "", "subject:": "subject:"}
    lengths = (3, 12)

    def read(self, file: BinaryIO) -> TokenReading:
        file.read(len(_TRAINING))
        ham_messages = _read_number(file)
        spam_messages = _read_number(file)
        ham_tokens = yield from _reading_tokens(file, MOST_TOKENS)
        spam_tokens = yield from _reading_tokens(file, MOST_TOKENS - len(ham_tokens))
        _refuse_more(file)
        ham = _Class(ham_messages, ham_tokens)
        spam = _Class(spam_messages, spam_tokens)
        return _counts_of({HAM: ham, SPAM: spam})

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        spam_messages, ham_messages = counts.messages
        yield _TRAINING + struct.pack(">II", ham_messages, spam_messages)
        spam_row, ham_row = range(2)
        yield from _tokens_of(counts, ham_row)
        yield from _tokens_of(counts, spam_row)

    def _is_shared(self, place: str, rest: str) -> bool:
        if not rest.isascii() or rest.isdecimal():
            return False
        return super()._is_shared(place, rest)


class ThunderbirdTraits(Thunderbird):
    """`traits.dat`, for the classes of add-ons. Spam and good mail are only in `training.dat`."""

    name = "thunderbird-traits"
    start = re.compile(_TRAITS)
    classes = None

    def read(self, file: BinaryIO) -> TokenReading:
        """Read all traits up to number 0, which marks the end."""
        file.read(len(_TRAITS))
        found: dict[str, _Class] = {}
        room = MOST_TOKENS
        while number := _read_number(file):
            name = f"{_TRAIT}{number}"
            if name in found or len(found) == MOST_CLASSES:
                raise Unreadable("a trait occurs twice, or there are too many")
            messages = _read_number(file)
            tokens = yield from _reading_tokens(file, room)
            found[name] = _Class(messages, tokens)
            room -= len(tokens)
        _refuse_more(file)
        return _counts_of(found)

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        yield _TRAITS
        for row, name in enumerate(counts.classes):
            number = _trait_number(name)
            if number and counts.messages[row]:
                yield struct.pack(">II", number, counts.messages[row])
                yield from _tokens_of(counts, row)
        yield struct.pack(">I", 0)


def _trait_number(name: str) -> int:
    """Return the number of the trait with the name of a class; 0 for other classes."""
    if not name.startswith(_TRAIT):
        return 0
    digits = name.removeprefix(_TRAIT)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _DIGITS):
        return 0
    number = int(digits)
    return number if number <= _LARGEST_NUMBER else 0


def _read_number(file: BinaryIO) -> int:
    data = file.read(4)
    if len(data) != 4:
        raise Unreadable("it is incomplete")
    return int.from_bytes(data, "big")


def _refuse_more(file: BinaryIO) -> None:
    if file.read(1):
        raise Unreadable("there is data behind its end")


def _reading_tokens(file: BinaryIO, room: int) -> Generator[None, None, dict[bytes, int]]:
    """Return a list of at most `room` tokens with their counts."""
    size = os.fstat(file.fileno()).st_size
    tokens = _read_number(file)
    if tokens > room or tokens * _SHORTEST > size:
        raise Unreadable("it claims more words than a file of its size can have")

    found: dict[bytes, int] = {}
    for number in range(tokens):
        count = _read_number(file)
        length = _read_number(file)
        token = file.read(length) if length <= LONGEST_TOKEN else b""
        if len(token) != length:
            raise Unreadable("a word is too long, or the file is incomplete")
        if token in found:
            raise Unreadable("a word occurs twice")
        found[token] = count
        if number % CHUNK == 0:
            yield
    return found


def _counts_of(lists: dict[str, _Class]) -> TokenCounts:
    order = sorted(lists, key=lambda name: (name != SPAM, name != HAM))
    classes = [lists[name] for name in order]
    tokens: dict[bytes, None] = {}
    for each in classes:
        tokens |= dict.fromkeys(each.tokens)

    table = TokenTable(order)
    for token in tokens:
        table.add(token, [each.tokens.get(token, 0) for each in classes])
    return table.finish([each.messages for each in classes])


def _tokens_of(counts: TokenCounts, row: int) -> Iterator[bytes]:
    """Yield the list of tokens of a class."""
    numbers = counts.documents[row].tolist()
    present = np.flatnonzero(counts.documents[row]).tolist()
    yield struct.pack(">I", len(present))
    for some in batches(present, CHUNK):
        packed = bytearray()
        for place in some:
            token = as_bytes(counts.tokens[place])
            packed += struct.pack(">II", numbers[place], len(token)) + token
        yield bytes(packed)
