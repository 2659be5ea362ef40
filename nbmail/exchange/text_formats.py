"""Files of text of other filters: bogofilter, SpamAssassin and SpamBayes."""

import csv
import hashlib
import io
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from nbmail.chunks import batches
from nbmail.exchange.files import Unreadable, as_bytes, csv_rows, lines_of, reader_of, refuse_long
from nbmail.exchange.nbmodel import RUN_BY_SPREADSHEETS
from nbmail.exchange.tables import (
    CHUNK,
    FileFormat,
    TokenCounts,
    TokenReading,
    TokenTable,
    encoded,
    parse_count,
)

_MESSAGES = ".MSG_COUNT"
_ENCODING = ".ENCODING"
_VERSION = ".WORDLIST_VERSION"
_UNICODE = f"{_ENCODING} 2 0"
_WORD = re.compile(r"([^ ]+) (\d{1,10}) (\d{1,10})( \d{1,10})?", re.ASCII)
_LONGEST_LINE = 4096
# The beginning of a Berkeley DB, with the magic number in both byte orders.
_DATABASE = rb"(?s:.{12}(?:\x62\x31\x05\x00|\x00\x05\x31\x62|\x61\x15\x06\x00|\x00\x06\x15\x61))"
# The text of a valid list is smaller than its database. With pages linked in a ring, bogoutil never
# ends or hangs.
_LARGEST = 100_000_000
_SPARE = 1_000_000
# Looks without a new byte, in five seconds or more: a busy system may stop this process for a
# while.
_LOOKS = 1000


class Bogofilter(FileFormat):
    """Word lists of bogofilter: the text of `bogoutil -d`, or the database if `bogoutil` is
    installed.

    Each line is `token spam good [date]`. The date, when the word was last seen, is not imported;
    `bogoutil -l` writes the current one. Lists made before 2005 contain `.ENCODING 1`: their words
    are in any encoding and bogofilter splits mail differently, so that line is exported unchanged.
    A list without the line has today's encoding. Other entries that start with a dot, such as
    `.ROBX` (computed by `bogoutil -R`), can't be loaded by `bogoutil -l`.
    """

    name = "bogofilter"
    start = re.compile(_DATABASE + rb"|[^\s\0]{1,500} \d{1,10} \d{1,10}( \d{1,8})?\r?\n")
    places = (
        ("", ""),
        ("subj:", "subject:"),
        ("from:", "from:"),
        ("to:", "to:"),
        ("rcvd:", "received:"),
    )
    lengths = (3, 30)
    note = _ENCODING

    def read(self, file: BinaryIO) -> TokenReading:
        """Read the text, made by `bogoutil` from a database."""
        is_database = re.match(_DATABASE, file.read(16)) is not None
        file.seek(0)
        if not is_database:
            return (yield from self._reading_text(file))
        with tempfile.TemporaryFile() as text:
            yield from _dumping(file, text)
            return (yield from self._reading_text(text))

    def _reading_text(self, file: BinaryIO) -> TokenReading:
        table = TokenTable()
        messages = None
        encoding = _UNICODE
        dates = 0
        refuse_long(file)
        with reader_of(file, "\n") as text:
            for number, line in enumerate(lines_of(text, _LONGEST_LINE)):
                found = _WORD.fullmatch(line)
                if found is None:
                    raise Unreadable(
                        f"line {number + 1} is not `token spam good date`, or a count is too large"
                    )
                token, spam, ham, date = found.groups()
                counts = int(spam), int(ham)
                if not token.startswith("."):
                    table.add(token, counts)
                    dates += date is not None
                elif token == _MESSAGES:
                    if messages is not None:
                        raise Unreadable(f"{_MESSAGES} occurs twice")
                    messages = counts
                elif token == _ENCODING:
                    encoding = f"{token} {spam} {ham}"
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

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield a list to load into an empty database, since `bogoutil -l` adds counts."""
        rows = list(zip(counts.tokens, counts.documents.T.tolist(), strict=True))
        # Merged lists get the encoding that most of them have.
        notes = {token: sum(both) for token, both in rows if token.startswith(_ENCODING)} or {
            _UNICODE: 1
        }
        spam, ham = counts.messages
        yield f"{max(notes, key=lambda note: notes[note])}\n{_MESSAGES} {spam} {ham}\n".encode()
        words = (row for row in rows if row[0] not in notes)
        yield from encoded(f"{token} {spam} {ham}\n" for token, (spam, ham) in words)


def _dumping(database: BinaryIO, text: BinaryIO) -> Generator[None, None, None]:
    """Run `bogoutil -d` on a copy, since it would write files next to the list."""
    program = shutil.which("bogoutil")
    if program is None:
        raise Unreadable(
            "it is a Berkeley DB; if it is bogofilter's, nbmail reads the text that "
            "`bogoutil -d` makes"
        )
    size = os.fstat(database.fileno()).st_size
    if size > _LARGEST:
        raise Unreadable(f"it is a Berkeley DB of more than {_LARGEST:,} bytes")
    with tempfile.TemporaryDirectory(prefix="nbmail-") as folder:
        copy = Path(folder) / "wordlist.db"
        with copy.open("wb") as target:
            shutil.copyfileobj(database, target)
        with subprocess.Popen(
            [program, "-d", str(copy)], stdout=text, stderr=subprocess.DEVNULL
        ) as child:
            written = 0
            looks = 0
            try:
                while child.poll() is None and looks < _LOOKS and written <= size + _SPARE:
                    time.sleep(0.005)
                    yield
                    looks += 1
                    if os.fstat(text.fileno()).st_size > written:
                        written = os.fstat(text.fileno()).st_size
                        looks = 0
            finally:
                child.kill()
    if child.returncode or not os.fstat(text.fileno()).st_size:
        raise Unreadable(
            "bogoutil can't read this Berkeley DB; only POPFile 0.21 or later reads one of "
            "POPFile's"
        )
    text.seek(0)


# Prefixes that no token has: of a hash, and of the Message-ID of a learned message.
_HASH = "#"
_SEEN = "="
_HASHED = re.compile(r"[0-9a-f]{10}")
_KINDS = {"s": (1, 0), "h": (0, 1)}
_DIGITS = 10


class SpamAssassin(FileFormat):
    """Backups of SpamAssassin, written by `sa-learn --backup` and read by `sa-learn --restore`.

    The lines are tab-separated: `v NUMBER NAME`, `t SPAM HAM TIME TOKEN`, and `s s|h MESSAGE-ID`
    for learned messages. Since version 3 a token is the last ten digits of its SHA-1. All known
    words are hashed to find the matching ones; the other tokens are stored as hashes. `--restore`
    hashes the plain words of version 2, so version 2 is written unless hashes have to be exported.
    Times of tokens, which control their expiry, are not imported.

    SpamAssassin treats the subject as part of the body, so nbmail's subject words have no tokens.
    """

    name = "spamassassin"
    start = re.compile(rb"v\t[23]\tdb_version")
    lengths = (3, 15)
    folds = True
    note = _SEEN

    def read(self, file: BinaryIO) -> TokenReading:
        table = TokenTable()
        messages = dict[str, int]()
        refuse_long(file)
        with reader_of(file, "\n") as text:
            lines = lines_of(text)
            hashed = next(lines, "").startswith("v\t3")
            for number, line in enumerate(lines):
                kind, *values = line.split("\t", 4 if line.startswith("t") else 2)
                if kind == "v" and len(values) == 2 and values[1] in ("num_spam", "num_nonspam"):
                    if messages.setdefault(values[1], parse_count(values[0])) != parse_count(
                        values[0]
                    ):
                        raise Unreadable("it has the number of messages twice")
                elif kind == "t" and len(values) == 4:
                    table.add(
                        _stored(values[3], hashed), (parse_count(values[0]), parse_count(values[1]))
                    )
                    table.drop("dates")
                elif kind == "s" and len(values) == 2 and values[0] in _KINDS:
                    table.add(_SEEN + values[1], _KINDS[values[0]])
                elif kind != "v":
                    raise Unreadable(f"line {number + 2} is not a line of a backup")
                if number % CHUNK == 0:
                    yield
        if len(messages) != 2:
            raise Unreadable("it doesn't have the numbers of messages")
        return table.finish((messages["num_spam"], messages["num_nonspam"]))

    def words_of(
        self, tokens: Sequence[str], own: Iterable[str]
    ) -> Generator[None, None, list[str | None]]:
        """Return nbmail's words for tokens. Hashes are compared with those of all known words."""
        found = yield from super().words_of(tokens, ())
        wanted = {token: place for place, token in enumerate(tokens) if token.startswith(_HASH)}
        for number, word in enumerate(own if wanted else ()):
            token = self.token_of(word)
            place = (
                None
                if token is None or token[0] in _HASH + _SEEN
                else wanted.get(_HASH + _hash(token))
            )
            if place is not None:
                found[place] = word
            if number % CHUNK == 0:
                yield
        return found

    def word_of(self, token: str) -> str | None:
        return None if token[0] in _HASH + _SEEN else super().word_of(token)

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield a backup of version 3 if it contains hashes, otherwise of version 2."""
        hashed = any(token.startswith(_HASH) for token in counts.tokens)
        spam, ham = counts.messages
        head = f"v\t{3 if hashed else 2}\tdb_version # this must be the first line!!!\n"
        yield f"{head}v\t{spam}\tnum_spam\nv\t{ham}\tnum_nonspam\n".encode()
        seen = list[str]()
        both = dict[str, tuple[int, int]]()
        for number, (token, (spam, ham)) in enumerate(
            zip(counts.tokens, counts.documents.T.tolist(), strict=True)
        ):
            if token.startswith(_SEEN):
                seen.append(f"s\t{'s' if spam else 'h'}\t{token[1:]}\n")
                continue
            # A word that was learned after its hash was imported has the same entry.
            written = (
                token.removeprefix(_HASH) if token.startswith(_HASH) or not hashed else _hash(token)
            )
            before = both.get(written, (0, 0))
            both[written] = (spam + before[0], ham + before[1])
            if number % CHUNK == 0:
                yield b""
        yield from encoded(
            f"t\t{spam}\t{ham}\t{int(now)}\t{token}\n" for token, (spam, ham) in both.items()
        )
        yield from encoded(iter(seen))


def _stored(token: str, hashed: bool) -> str:
    """Return a token as it is stored: hashes with a prefix."""
    if hashed:
        if _HASHED.fullmatch(token) is None:
            raise Unreadable("a token is not a hash")
        return _HASH + token
    if token[:1] in (_HASH, _SEEN, ""):
        raise Unreadable("a token is not one of SpamAssassin")
    return token


def _hash(token: str) -> str:
    return hashlib.sha1(as_bytes(token), usedforsecurity=False).hexdigest()[-_DIGITS:]


class SpamBayes(FileFormat):
    """CSV files of SpamBayes, written and read by `sb_dbexpimp`: numbers of messages, then rows
    `word,good,spam`.

    The databases of SpamBayes are pickles, which can run code, so CSV is the only supported format.
    It has no protected form for words that a spreadsheet would run as a formula: nbmail's own are
    not exported, imported ones unchanged. A word that is not UTF-8 is read as cp1252 or Latin-1,
    like `sb_dbexpimp` does, and exported as UTF-8, which it tries first.
    """

    name = "spambayes"
    start = re.compile(rb"\d{1,10},\d{1,10}\r?\n")
    places = (("", ""), ("subject:", "subject:"))
    lengths = (3, 12)

    def read(self, file: BinaryIO) -> TokenReading:
        table = TokenTable()
        others = dict[str, tuple[int, int]]()
        refuse_long(file)
        with reader_of(file, "") as text:
            rows = csv_rows(text)
            ham, spam = (parse_count(one) for one in next(rows))
            for number, row in enumerate(rows, 2):
                if len(row) != 3:
                    raise Unreadable(f"row {number} is not `word,good,spam`")
                word = row[0]
                counts = (parse_count(row[2]), parse_count(row[1]))
                if _decoded(word) == word:
                    table.add(word, counts)
                elif others.setdefault(word, counts) is not counts:
                    raise Unreadable("a word occurs twice")
                if number % CHUNK == 0:
                    yield
        for word, counts in others.items():
            # If the word also occurs in UTF-8, this one is stored unchanged.
            table.add(word if _decoded(word) in table else _decoded(word), counts)
        return table.finish((spam, ham))

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        rows = zip(counts.tokens, counts.documents.T.tolist(), strict=True)
        text = io.StringIO(newline="")
        csv.writer(text).writerow(counts.messages[::-1])
        for chunk in batches(rows, CHUNK):
            csv.writer(text).writerows([token, ham, spam] for token, (spam, ham) in chunk)
            yield as_bytes(text.getvalue())
            text = io.StringIO(newline="")
        yield as_bytes(text.getvalue())

    def _shared(self, place: str, rest: str) -> bool:
        return (bool(place) or not rest.startswith(RUN_BY_SPREADSHEETS)) and super()._shared(
            place, rest
        )


def _decoded(word: str) -> str:
    """Decode a word with surrogates for bytes that are not UTF-8 from an older encoding."""
    if word.isascii():
        return word
    raw = word.encode("utf-8", "surrogateescape")
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    return raw.decode("latin-1")
