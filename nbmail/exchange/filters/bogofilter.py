"""Word lists of bogofilter."""

import re
import tempfile
from collections.abc import Iterator
from typing import BinaryIO, ClassVar, NamedTuple

from nbmail.exchange.files import Unreadable
from nbmail.exchange.filters.berkeley_db import START, dumping
from nbmail.exchange.filters.filter_format import FilterFormat, TokenReading
from nbmail.exchange.filters.token_counts import (
    CHUNK,
    MOST_TOKENS,
    TokenCounts,
    TokenTable,
    encoded,
)
from nbmail.exchange.text_lines import lines_of, reader_of, refuse_long

_MESSAGES = ".MSG_COUNT"
_ENCODING = ".ENCODING"
_UNICODE = f"{_ENCODING} 2 0"
_WORD = re.compile(r"([^ ]+) (\d{1,10}) (\d{1,10})( \d{1,10})?", re.ASCII)
_LONGEST_LINE = 4096


class _Entry(NamedTuple):
    """Line of a list. `text`: the line without its date."""

    token: str
    spam: int
    ham: int
    text: str


class Bogofilter(FilterFormat):
    """Word lists: the text of `bogoutil -d`, or the database if `bogoutil` is installed.

    Each line is `token spam good [date]`. The date, when the word was last seen, is not imported;
    `bogoutil -l` writes the current one. Lists made before 2005 contain `.ENCODING 1`: their words
    are in any encoding and bogofilter splits mail differently, so that line is exported unchanged.
    A list without the line has today's encoding. Other entries that start with a dot, such as
    `.ROBX` (computed by `bogoutil -R`), can't be loaded by `bogoutil -l`.
    """

    name = "bogofilter"
    start = re.compile(START + rb"|[^\s\0]{1,500} \d{1,10} \d{1,10}( \d{1,8})?\r?\n")
    places: ClassVar = {
        "": "",
        "subj:": "subject:",
        "from:": "from:",
        "to:": "to:",
        "rcvd:": "received:",
    }
    lengths = (3, 30)
    note = _ENCODING

    def read(self, file: BinaryIO) -> TokenReading:
        """Read the text, made by `bogoutil` from a database."""
        is_database = re.match(START, file.read(16)) is not None
        file.seek(0)
        if not is_database:
            return (yield from _reading_text(file))
        with tempfile.TemporaryFile() as text:
            yield from dumping(file, text)
            return (yield from _reading_text(text))

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield a list to load into an empty database, since `bogoutil -l` adds counts."""
        notes = {}
        words = []
        for token, (spam, ham) in counts.rows():
            if token.startswith(_ENCODING):
                notes[token] = spam + ham
            else:
                words.append(f"{token} {spam} {ham}\n")

        # Merged lists get the encoding that most of them have.
        encoding = max(notes, key=lambda note: notes[note], default=_UNICODE)
        spam, ham = counts.messages
        yield f"{encoding}\n{_MESSAGES} {spam} {ham}\n".encode()
        yield from encoded(words)


def _reading_text(file: BinaryIO) -> TokenReading:
    table = TokenTable()
    messages = None
    encoding = _UNICODE
    refuse_long(file, MOST_TOKENS)
    with reader_of(file, "\n") as text:
        for number, line in enumerate(lines_of(text, _LONGEST_LINE)):
            entry = _entry(line, number + 1)
            counts = (entry.spam, entry.ham)
            if not entry.token.startswith("."):
                table.add(entry.token, counts)
            elif entry.token == _MESSAGES:
                if messages is not None:
                    raise Unreadable(f"{_MESSAGES} occurs twice")
                messages = counts
            elif entry.token == _ENCODING:
                encoding = entry.text
            if number % CHUNK == 0:
                yield

    if messages is None:
        raise Unreadable(f"it has no {_MESSAGES}, the number of messages")
    if any(messages):
        # The note is stored as a word of one message.
        table.add(encoding, (int(messages[0] > 0), int(messages[0] == 0)))
    return table.finish(messages)


def _entry(line: str, number: int) -> _Entry:
    found = _WORD.fullmatch(line)
    if found is None:
        raise Unreadable(f"line {number} is not `token spam good date`, or a count is too large")
    token, spam, ham, _ = found.groups()
    return _Entry(token, int(spam), int(ham), f"{token} {spam} {ham}")
