"""Word lists of bogofilter: the text of `bogoutil -d`, or the database if `bogoutil` is installed.

Each line is `token junk good [date]`. The date, when the word was last seen, is not imported; `bogoutil -l` writes the
current one. Lists made before 2005 contain `.ENCODING 1`: their words are in any encoding and bogofilter splits mail
differently, so that line is exported unchanged. A list without the line has today's encoding. Other entries that start
with a dot, such as `.ROBX` (computed by `bogoutil -R`), can't be loaded by `bogoutil -l`.
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
from nbmail.exchange.tables import CHUNK, FileFormat, TokenCounts, TokenReading, TokenTable, encoded

_MESSAGES, _ENCODING, _VERSION = ".MSG_COUNT", ".ENCODING", ".WORDLIST_VERSION"
_UNICODE = f"{_ENCODING} 2 0"
_LINE = re.compile(rb"[^\s\0]{1,500} \d{1,10} \d{1,10}( \d{1,8})?\r?\n")
_WORD = re.compile(r"([^ ]+) (\d{1,10}) (\d{1,10})( \d{1,10})?", re.ASCII)
_LONGEST_LINE = 4096
# Magic number of a Berkeley DB, in both byte orders.
_MAGIC, _KINDS = slice(12, 16), (b"\x62\x31\x05\x00", b"\x00\x05\x31\x62", b"\x61\x15\x06\x00", b"\x00\x06\x15\x61")
# The text of a valid list is smaller than its database. With pages linked in a ring, bogoutil never ends or hangs.
_LARGEST, _SPARE = 100_000_000, 1_000_000
_TIMEOUT = 2.0


class Bogofilter(FileFormat):
    """The text of `bogoutil -d`, for `bogoutil -l`."""

    name = "bogofilter"
    places = (("", ""), ("subj:", "subject:"), ("from:", "from:"), ("to:", "to:"), ("rcvd:", "received:"))
    lengths = (3, 30)
    note = _ENCODING

    def recognises(self, start: bytes) -> bool:
        """True for a first line of a list, or the magic number of a Berkeley DB."""
        return start[_MAGIC] in _KINDS or _LINE.match(start) is not None

    def reading(self, file: BinaryIO) -> TokenReading:
        """Read the text, made by `bogoutil` from a database."""
        is_database = file.read(_MAGIC.stop)[_MAGIC] in _KINDS
        file.seek(0)
        if not is_database:
            return (yield from self._reading_text(file))
        with tempfile.TemporaryFile() as text:
            yield from _dumping(file, text)
            return (yield from self._reading_text(text))

    def _reading_text(self, file: BinaryIO) -> TokenReading:
        table, messages, encoding, dates = TokenTable(), None, _UNICODE, 0
        refuse_long(file)
        with reader_of(file, "\n") as text:
            for number, line in enumerate(lines_of(text, _LONGEST_LINE)):
                found = _WORD.fullmatch(line)
                if found is None:
                    raise Unreadable(f"line {number + 1} is not `token junk good date`, or a count is too large")
                token, junk, good, date = found.groups()
                counts = int(junk), int(good)
                if not token.startswith("."):
                    table.add(token, counts)
                    dates += date is not None
                elif token == _MESSAGES:
                    if messages is not None:
                        raise Unreadable(f"{_MESSAGES} occurs twice")
                    messages = counts
                elif token == _ENCODING:
                    encoding = f"{token} {junk} {good}"
                elif token != _VERSION:
                    table.drop("robx")
                if number % CHUNK == 0:
                    yield
        table.drop("dates", dates)
        if messages is None:
            raise Unreadable(f"it has no {_MESSAGES}, the number of messages")
        if any(messages):
            table.add(encoding, (int(messages[0] > 0), int(messages[0] == 0)))
        return table.finish(messages)

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield a list to load into an empty database, since `bogoutil -l` adds counts."""
        rows = list(zip(counts.tokens, counts.documents.T.tolist(), strict=True))
        # Merged lists get the encoding that most of them have.
        notes = {token: sum(both) for token, both in rows if token.startswith(_ENCODING)} or {_UNICODE: 1}
        junk, good = counts.messages
        yield f"{max(notes, key=lambda note: notes[note])}\n{_MESSAGES} {junk} {good}\n".encode()
        words = (row for row in rows if row[0] not in notes)
        yield from encoded(f"{token} {junk} {good}\n" for token, (junk, good) in words)


def _dumping(database: BinaryIO, text: BinaryIO) -> Generator[None, None, None]:
    """Run `bogoutil -d` on a copy, since it would write files next to the list."""
    program = shutil.which("bogoutil")
    if program is None:
        raise Unreadable("it is a Berkeley DB; if it is bogofilter's, nbmail reads the text that `bogoutil -d` makes")
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
                while child.poll() is None and time.monotonic() - moment < _TIMEOUT and written <= size + _SPARE:
                    time.sleep(0.005)
                    yield
                    if os.fstat(text.fileno()).st_size > written:
                        written, moment = os.fstat(text.fileno()).st_size, time.monotonic()
            finally:
                child.kill()
    if child.returncode or not os.fstat(text.fileno()).st_size:
        raise Unreadable("bogoutil can't read this Berkeley DB; only POPFile 0.21 or later reads one of POPFile's")
    text.seek(0)
