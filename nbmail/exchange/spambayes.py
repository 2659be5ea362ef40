"""SpamBayes' CSV, as `sb_dbexpimp` writes and reads it: `good,junk` messages, then rows of `word,good,junk`.

The only door to SpamBayes: its own stores are pickles, which run what they hold, and its own tool for this file fails
on Python 3. A word that a spreadsheet would run has no protected form there, so none of ours is written; one that came
from such a file goes back as it came. A word that is no UTF-8 is read as that tool reads it, as cp1252 or else Latin-1,
and goes back as UTF-8, which it reads first.
"""

import csv
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import BinaryIO

from nbmail.exchange.files import Unreadable, as_bytes, csv_rows, reader_of, refuse_long
from nbmail.exchange.nbmodel import RUN_BY_SPREADSHEETS
from nbmail.exchange.token_counts import PIECE, FileFormat, Reading, TokenCounts, TokenTable, whole

_FIRST_ROW = re.compile(rb"\d{1,10},\d{1,10}\r?\n")


class SpamBayes(FileFormat):
    """Python's CSV: commas, quotes doubled, rows that end in CR LF, UTF-8."""

    name = "spambayes"
    places = (("", ""), ("subject:", "subject:"))
    lengths = (3, 12)

    def recognises(self, start: bytes) -> bool:
        return _FIRST_ROW.match(start) is not None

    def reading(self, file: BinaryIO) -> Reading:
        """Read the rows."""
        table, others = TokenTable(), dict[str, tuple[int, int]]()
        refuse_long(file)
        with reader_of(file, "") as text:
            rows = csv_rows(text)
            good, junk = (whole(one) for one in next(rows))
            for number, row in enumerate(rows, 2):
                if len(row) != 3:
                    raise Unreadable(f"row {number} is not `word,good,junk`")
                word, counts = row[0], (whole(row[2]), whole(row[1]))
                if _decoded(word) == word:
                    table.add(word, counts)
                elif others.setdefault(word, counts) is not counts:
                    raise Unreadable("a word stands twice")
                if number % PIECE == 0:
                    yield
        for word, counts in others.items():
            # Where the word stands there in UTF-8 too, this one stays what it is.
            table.add(word if _decoded(word) in table else _decoded(word), counts)
        return table.finish((junk, good))

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Good messages first."""
        rows = zip(counts.tokens, counts.documents.T.tolist(), strict=True)
        text = io.StringIO(newline="")
        csv.writer(text).writerow(counts.messages[::-1])
        while chunk := list(islice(rows, PIECE)):
            csv.writer(text).writerows([token, good, junk] for token, (junk, good) in chunk)
            yield as_bytes(text.getvalue())
            text = io.StringIO(newline="")
        yield as_bytes(text.getvalue())

    def _shared(self, place: str, rest: str) -> bool:
        return (bool(place) or not rest.startswith(RUN_BY_SPREADSHEETS)) and super()._shared(place, rest)


def _decoded(word: str) -> str:
    """A word whose bytes may be of an older encoding, which stand in it as they are read from UTF-8."""
    if word.isascii():
        return word
    raw = word.encode("utf-8", "surrogateescape")
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    return raw.decode("latin-1")
