"""CSV files of SpamBayes."""

import re
from contextlib import suppress
from typing import BinaryIO, ClassVar

from nbmail.exchange.files import Unreadable
from nbmail.exchange.filters.filter_format import FilterFormat, TokenReading
from nbmail.exchange.filters.token_counts import CHUNK, MOST_TOKENS, TokenTable, parse_count
from nbmail.exchange.nbmodel.cells import RUN_BY_SPREADSHEETS
from nbmail.exchange.text_lines import csv_rows, reader_of, refuse_long


class SpamBayes(FilterFormat):
    """CSV files, written by `sb_dbexpimp`: numbers of messages, then rows `word,good,spam`.

    The databases of SpamBayes are pickles, which can run code, so CSV is the only supported format.
    A word that is not UTF-8 is read as cp1252 or Latin-1, like `sb_dbexpimp` does. Words that a
    spreadsheet changes, because it runs them as formulas, are not shared.
    """

    name = "spambayes"
    start = re.compile(rb"\d{1,10},\d{1,10}\r?\n")
    places: ClassVar = {"": "", "subject:": "subject:"}
    lengths = (3, 12)
    two_way = False

    def read(self, file: BinaryIO) -> TokenReading:
        table = TokenTable()
        others = dict[str, tuple[int, int]]()
        refuse_long(file, MOST_TOKENS)
        with reader_of(file, "") as text:
            rows = csv_rows(text)
            ham_messages, spam_messages = map(parse_count, next(rows))
            for number, row in enumerate(rows, 2):
                if len(row) != 3:
                    raise Unreadable(f"row {number} is not `word,good,spam`")
                word, ham, spam = row
                counts = (parse_count(spam), parse_count(ham))
                if _decoded(word) == word:
                    table.add(word, counts)
                elif word in others:
                    raise Unreadable("a word occurs twice")
                else:
                    others[word] = counts
                if number % CHUNK == 0:
                    yield

        for word, counts in others.items():
            # If the word also occurs in UTF-8, this one is stored unchanged.
            decoded = _decoded(word)
            table.add(word if decoded in table else decoded, counts)
        return table.finish((spam_messages, ham_messages))

    def _is_shared(self, place: str, rest: str) -> bool:
        if not place and rest.startswith(RUN_BY_SPREADSHEETS):
            return False
        return super()._is_shared(place, rest)


def _decoded(word: str) -> str:
    """Decode a word with surrogates for bytes that are not UTF-8 from an older encoding."""
    if word.isascii():
        return word
    raw = word.encode("utf-8", "surrogateescape")
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    return raw.decode("latin-1")
