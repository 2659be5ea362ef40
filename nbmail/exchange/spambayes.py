"""CSV files of SpamBayes, written and read by `sb_dbexpimp`: numbers of messages, then rows `word,good,junk`.

The databases of SpamBayes are pickles, which can run code, so CSV is the only supported format. It has no protected
form for words that a spreadsheet would run as a formula: nbmail's own are not exported, imported ones unchanged. A word
that is not UTF-8 is read as cp1252 or Latin-1, like `sb_dbexpimp` does, and exported as UTF-8, which it tries first.
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
from nbmail.exchange.tables import CHUNK, FileFormat, TokenCounts, TokenReading, TokenTable, parse_count

_FIRST_ROW = re.compile(rb"\d{1,10},\d{1,10}\r?\n")


class SpamBayes(FileFormat):
    """CSV as Python writes it, in UTF-8."""

    name = "spambayes"
    places = (("", ""), ("subject:", "subject:"))
    lengths = (3, 12)

    def recognises(self, start: bytes) -> bool:
        return _FIRST_ROW.match(start) is not None

    def reading(self, file: BinaryIO) -> TokenReading:
        """Read the rows."""
        table, others = TokenTable(), dict[str, tuple[int, int]]()
        refuse_long(file)
        with reader_of(file, "") as text:
            rows = csv_rows(text)
            good, junk = (parse_count(one) for one in next(rows))
            for number, row in enumerate(rows, 2):
                if len(row) != 3:
                    raise Unreadable(f"row {number} is not `word,good,junk`")
                word, counts = row[0], (parse_count(row[2]), parse_count(row[1]))
                if _decoded(word) == word:
                    table.add(word, counts)
                elif others.setdefault(word, counts) is not counts:
                    raise Unreadable("a word occurs twice")
                if number % CHUNK == 0:
                    yield
        for word, counts in others.items():
            # If the word also occurs in UTF-8, this one is stored unchanged.
            table.add(word if _decoded(word) in table else _decoded(word), counts)
        return table.finish((junk, good))

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield the rows, good mail before junk."""
        rows = zip(counts.tokens, counts.documents.T.tolist(), strict=True)
        text = io.StringIO(newline="")
        csv.writer(text).writerow(counts.messages[::-1])
        while chunk := list(islice(rows, CHUNK)):
            csv.writer(text).writerows([token, good, junk] for token, (junk, good) in chunk)
            yield as_bytes(text.getvalue())
            text = io.StringIO(newline="")
        yield as_bytes(text.getvalue())

    def _shared(self, place: str, rest: str) -> bool:
        return (bool(place) or not rest.startswith(RUN_BY_SPREADSHEETS)) and super()._shared(place, rest)


def _decoded(word: str) -> str:
    """Decode a word with surrogates for bytes that are not UTF-8 from an older encoding."""
    if word.isascii():
        return word
    raw = word.encode("utf-8", "surrogateescape")
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    return raw.decode("latin-1")
