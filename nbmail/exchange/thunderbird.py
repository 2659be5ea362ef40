"""Training files of Thunderbird: `training.dat` for junk and good mail, `traits.dat` for the classes of add-ons.

Numbers are 32-bit big-endian. A list of tokens is their number followed by `count, length, bytes` of each. A token of
both classes is in both lists. Thunderbird keeps the data in memory and overwrites the file at any time, so the file
must be replaced while Thunderbird is closed.
"""

import os
import struct
from collections.abc import Generator, Iterator
from typing import BinaryIO

import numpy as np

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.exchange.files import MOST_TOKENS, Unreadable, as_bytes
from nbmail.exchange.tables import CHUNK, LONGEST_TOKEN, MOST_CLASSES, FileFormat, TokenCounts, TokenReading, TokenTable

_TRAINING, _TRAITS = b"\xfe\xed\xfa\xce", b"\xfc\xa9\x36\x01"
_TRAIT = "trait "
_MOST = 0xFFFFFFFF
# Bytes of a token with one letter.
_SHORTEST = 9

_List = dict[bytes, int]


class Thunderbird(FileFormat):
    """`training.dat`."""

    name = "thunderbird"
    places = (("", ""), ("subject:", "subject:"))
    lengths = (3, 12)

    def recognises(self, start: bytes) -> bool:
        return start.startswith(_TRAINING)

    def reading(self, file: BinaryIO) -> TokenReading:
        """Read both lists."""
        file.read(len(_TRAINING))
        good, junk = _number(file), _number(file)
        of_good = yield from _reading_list(file)
        of_junk = yield from _reading_list(file, MOST_TOKENS - len(of_good))
        _end(file)
        return _tabled({GOOD: (good, of_good), JUNK: (junk, of_junk)})

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield the lists, good mail before junk."""
        junk, good = counts.messages
        yield _TRAINING + struct.pack(">II", good, junk)
        yield from _list_of(counts, 1)
        yield from _list_of(counts, 0)

    def _shared(self, place: str, rest: str) -> bool:
        return rest.isascii() and not rest.isdecimal() and super()._shared(place, rest)


class ThunderbirdTraits(Thunderbird):
    """`traits.dat`. Each trait is a class. Junk and good mail are only in `training.dat`."""

    name = "thunderbird-traits"
    classes = None

    def recognises(self, start: bytes) -> bool:
        return start.startswith(_TRAITS)

    def reading(self, file: BinaryIO) -> TokenReading:
        """Read all traits up to number 0, which marks the end."""
        file.read(len(_TRAITS))
        found: dict[str, tuple[int, _List]] = {}
        room = MOST_TOKENS
        while number := _number(file):
            name = f"{_TRAIT}{number}"
            if name in found or len(found) == MOST_CLASSES:
                raise Unreadable("a trait occurs twice, or there are too many")
            messages = _number(file)
            found[name] = (messages, (yield from _reading_list(file, room)))
            room -= len(found[name][1])
        _end(file)
        return _tabled(found)

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield all classes that are traits."""
        yield _TRAITS
        for row, name in enumerate(counts.classes):
            number = _trait(name)
            if number and counts.messages[row]:
                yield struct.pack(">II", number, counts.messages[row])
                yield from _list_of(counts, row)
        yield struct.pack(">I", 0)


def _trait(name: str) -> int:
    """Return the number of the trait with the name of a class; 0 for other classes."""
    number = name.removeprefix(_TRAIT)
    is_one = name.startswith(_TRAIT) and number.isascii() and number.isdecimal() and len(number) <= 10
    return int(number) if is_one and int(number) <= _MOST else 0


def _number(file: BinaryIO) -> int:
    data = file.read(4)
    if len(data) != 4:
        raise Unreadable("it is incomplete")
    return int.from_bytes(data, "big")


def _end(file: BinaryIO) -> None:
    if file.read(1):
        raise Unreadable("there is data behind its end")


def _reading_list(file: BinaryIO, room: int = MOST_TOKENS) -> Generator[None, None, _List]:
    found: _List = {}
    tokens = _number(file)
    if tokens > room or tokens * _SHORTEST > os.fstat(file.fileno()).st_size:
        raise Unreadable("it claims more words than a file of its size can have")
    for number in range(tokens):
        count, length = _number(file), _number(file)
        token = file.read(length) if length <= LONGEST_TOKEN else b""
        if len(token) != length or length > LONGEST_TOKEN:
            raise Unreadable("a word is too long, or the file is incomplete")
        found[token] = count
        if len(found) != number + 1:
            raise Unreadable("a word occurs twice")
        if number % CHUNK == 0:
            yield
    return found


def _tabled(lists: dict[str, tuple[int, _List]]) -> TokenCounts:
    """Return the lists as one table, junk first."""
    order = sorted(lists, key=lambda name: (name != JUNK, name != GOOD))
    table = TokenTable(order)
    for token in dict.fromkeys(token for name in order for token in lists[name][1]):
        table.add(token, [lists[name][1].get(token, 0) for name in order])
    return table.finish([lists[name][0] for name in order])


def _list_of(counts: TokenCounts, row: int) -> Iterator[bytes]:
    held = np.flatnonzero(counts.documents[row]).tolist()
    numbers = counts.documents[row].tolist()
    yield struct.pack(">I", len(held))
    for first in range(0, len(held), CHUNK):
        packed = bytearray()
        for place in held[first : first + CHUNK]:
            token = as_bytes(counts.tokens[place])
            packed += struct.pack(">II", numbers[place], len(token)) + token
        yield bytes(packed)
