"""bogofilter's word lists: the text of `bogoutil -d`, and its database where `bogoutil` is there to read it.

A line a word: `token junk good [date]`. The date is when it was last met: nbmail has none, so it is not taken, and at
the way back `bogoutil -l` writes today's. Lists of before 2005 say `.ENCODING 1`: their words are of any encoding, and
bogofilter then reads mail otherwise, so that line is kept as it came; one that says nothing is today's. Any other note,
as `.ROBX`, which `bogoutil -R` works out of the list, is none that `bogoutil -l` takes back.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO

from nbmail.exchange.files import Unreadable, lines_of, reader_of, refuse_long
from nbmail.exchange.token_counts import PIECE, FileFormat, Reading, TokenCounts, TokenTable, in_pieces

_MESSAGES, _ENCODING, _VERSION = ".MSG_COUNT", ".ENCODING", ".WORDLIST_VERSION"
_UNICODE = f"{_ENCODING} 2 0"
_LINE = re.compile(rb"[^\s\0]{1,500} \d{1,10} \d{1,10}( \d{1,8})?\r?\n")
_WORD = re.compile(r"([^ ]+) (\d{1,10}) (\d{1,10})( \d{1,10})?", re.ASCII)
_LONGEST_LINE = 4096
# Where a Berkeley DB says what it is, in either order of bytes.
_MAGIC, _KINDS = slice(12, 16), (b"\x62\x31\x05\x00", b"\x00\x05\x31\x62", b"\x61\x15\x06\x00", b"\x00\x06\x15\x61")
# The text of a sound list is smaller than its database. One that goes round in a ring never ends, or stands still.
_LARGEST, _SPARE = 100_000_000, 1_000_000
_PATIENCE = 2.0


class Bogofilter(FileFormat):
    """The text of `bogoutil -d`, for `bogoutil -l`."""

    name = "bogofilter"
    places = (("", ""), ("subj:", "subject:"), ("from:", "from:"), ("to:", "to:"), ("rcvd:", "received:"))
    lengths = (3, 30)
    note = _ENCODING

    def recognises(self, start: bytes) -> bool:
        """By its first line, or by what every Berkeley DB says of itself."""
        return start[_MAGIC] in _KINDS or _LINE.match(start) is not None

    def reading(self, file: BinaryIO) -> Reading:
        """Read the text, or have it made."""
        is_database = file.read(_MAGIC.stop)[_MAGIC] in _KINDS
        file.seek(0)
        if not is_database:
            return (yield from self._reading_text(file))
        with tempfile.TemporaryFile() as text:
            yield from _dumping(file, text)
            return (yield from self._reading_text(text))

    def _reading_text(self, file: BinaryIO) -> Reading:
        table, messages, encoding, dates = TokenTable(), None, _UNICODE, 0
        refuse_long(file)
        with reader_of(file, "\n") as text:
            for number, line in enumerate(lines_of(text, _LONGEST_LINE)):
                found = _WORD.fullmatch(line)
                if found is None:
                    raise Unreadable(f"line {number + 1} is not `token junk good date`, or its counts can't be")
                token, junk, good, date = found.groups()
                counts = int(junk), int(good)
                if not token.startswith("."):
                    table.add(token, counts)
                    dates += date is not None
                elif token == _MESSAGES:
                    if messages is not None:
                        raise Unreadable(f"{_MESSAGES} stands twice")
                    messages = counts
                elif token == _ENCODING:
                    encoding = f"{token} {junk} {good}"
                elif token != _VERSION:
                    table.drop("robx")
                if number % PIECE == 0:
                    yield
        table.drop("dates", dates)
        if messages is None:
            raise Unreadable(f"no {_MESSAGES} says how many messages it knows")
        if any(messages):
            table.add(encoding, (int(messages[0] > 0), int(messages[0] == 0)))
        return table.finish(messages)

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """To be loaded into a new list: loading adds."""
        rows = list(zip(counts.tokens, counts.documents.T.tolist(), strict=True))
        # Of lists that were merged the encoding that most of them have.
        notes = {token: sum(both) for token, both in rows if token.startswith(_ENCODING)} or {_UNICODE: 1}
        junk, good = counts.messages
        yield f"{max(notes, key=lambda note: notes[note])}\n{_MESSAGES} {junk} {good}\n".encode()
        words = (row for row in rows if row[0] not in notes)
        yield from in_pieces(f"{token} {junk} {good}\n" for token, (junk, good) in words)


def _dumping(database: BinaryIO, text: BinaryIO) -> Generator[None, None, None]:
    """Have a copy read by the program it belongs to, which would lay files of its own beside the list."""
    program = shutil.which("bogoutil")
    if program is None:
        raise Unreadable(
            "it is a Berkeley DB: where it is bogofilter's, `bogoutil -d` makes the text that nbmail reads"
        )
    size = os.fstat(database.fileno()).st_size
    if size > _LARGEST:
        raise Unreadable(f"it is a Berkeley DB of more than {_LARGEST:,} bytes")
    with tempfile.TemporaryDirectory(prefix="nbmail-") as folder:
        copy = Path(folder) / "wordlist.db"
        with copy.open("wb") as target:
            shutil.copyfileobj(database, target)
        with subprocess.Popen([program, "-d", str(copy)], stdout=text, stderr=subprocess.DEVNULL) as child:
            written, moment = 0, time.monotonic()
            try:
                while child.poll() is None and time.monotonic() - moment < _PATIENCE and written <= size + _SPARE:
                    time.sleep(0.005)
                    yield
                    if os.fstat(text.fileno()).st_size > written:
                        written, moment = os.fstat(text.fileno()).st_size, time.monotonic()
            finally:
                child.kill()
    if child.returncode or not os.fstat(text.fileno()).st_size:
        raise Unreadable(
            "bogoutil can't read this Berkeley DB; one of POPFile's is read by POPFile 0.21 or later alone"
        )
    text.seek(0)
