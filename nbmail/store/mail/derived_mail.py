"""Databases derived from mail, neither durable nor repaired: the cache of raw mail, and the
full-text index.
"""

import logging
import re
import unicodedata
import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import make_private_file, make_private_folder
from nbmail.store.files.connection import Connection, Row, file_error_codes
from nbmail.store.files.database_file import statements
from nbmail.store.files.schema import RAW_MAIL
from nbmail.text.search_query import read_query

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class DerivedFile:
    """File with the tables of `schema`, opened at its first use. `shrinking`: deleted rows shrink
    the file.
    """

    def __init__(
        self, path: Path, schema: str, *, shrinking: bool = False, read_only: bool = False
    ) -> None:
        self.path = path
        self._read_only = read_only
        self._schema = schema
        self._shrinking = shrinking
        # None before the first use, and while the file can't be created: every use tries again.
        self._connection: Connection | None = None

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        return self.retried(lambda connection: connection.rows(sql, parameters))

    def number(self, sql: str) -> int:
        return int(self.rows(sql)[0][0] or 0)

    def write(self, sql: str, rows: Sequence[Sequence[Any]]) -> int:
        """Run a statement for all rows in one transaction. Return the number of changed rows."""

        def write(connection: Connection) -> int:
            with connection.transaction():
                return connection.execute_many(sql, rows)

        return self.retried(write)

    def retried(self, work: Callable[[Connection], Result]) -> Result:
        """Return the result of `work`. If the file is damaged, run it again with an empty one."""
        try:
            return work(self.opened())
        except KnownError as error:
            if error.error_code is not ErrorCode.DATABASE_DAMAGED:
                raise
            log.warning("%s is created again: %s", self.path.name, error.detail)
            self.recreate()
            return work(self.opened())

    def relieve(self) -> None:
        """Write the write-ahead log into the file, unless the disk refuses."""
        try:
            self.retried(Connection.relieve)
        except KnownError as error:
            if error.error_code not in (ErrorCode.DISK_FULL, ErrorCode.DISK_ERROR):
                raise
            log.warning("%s keeps its log: %s", self.path.name, error.detail)

    def tidy(self) -> None:
        """Write the write-ahead log into the file and shrink it, if it is open."""
        if self._connection is not None:
            self.retried(Connection.checkpoint)

    def recreate(self) -> None:
        """Delete the file. The next use creates an empty one."""
        with suppress(KnownError):
            self.close()
        _remove(self.path)

    def close(self) -> None:
        connection = self._connection
        self._connection = None
        if connection is not None:
            connection.close()

    def opened(self) -> Connection:
        """Return the connection, for callers that handle damage."""
        if self._connection is None:
            self._connection = self._open()
        return self._connection

    def _open(self) -> Connection:
        if self._read_only:
            raise KnownError(ErrorCode.READ_ONLY, str(self.path))
        with file_error_codes(self.path):
            # The user may have deleted it.
            make_private_folder(self.path.parent)
            # Empty if the disk was full when it was created.
            fresh = not self.path.exists() or not self.path.stat().st_size
            make_private_file(self.path)
        try:
            connection = Connection(
                self.path, durable=False, incremental_vacuum=fresh and self._shrinking
            )
        except FileNotFoundError:
            # Deleted since it was created above.
            return self._open()
        try:
            wanted = [each.strip().rstrip(";") for each in statements(self._schema)]
            tables = [each for each in wanted if each.startswith("CREATE")]
            count_all = "SELECT count(*) FROM sqlite_master"
            stored = connection.number(count_all)
            same = connection.number(
                f"{count_all} WHERE sql IN ({', '.join('?' * len(tables))})", tables
            )
            if stored and same < len(tables):
                log.info("%s has another schema and is created again", self.path.name)
                connection.close()
                _remove(self.path)
                return self._open()
            if not stored:
                with connection.transaction():
                    for statement in wanted:
                        connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection


def _remove(path: Path) -> None:
    with file_error_codes(path):
        for name in (path.name, path.name + "-wal", path.name + "-shm"):
            path.with_name(name).unlink(missing_ok=True)


# Messages deleted at once; size of a page of SQLite in bytes.
_AT_ONCE = 200
_PAGE = 4096


class RawMail(DerivedFile):
    """Cache of compressed raw messages, by identity."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, RAW_MAIL, shrinking=True, read_only=read_only)
        if not read_only:
            self.retried(lambda connection: None)

    def get(self, identity: bytes) -> bytes | None:
        """Return a raw message; None if it isn't cached."""
        found = self.rows("SELECT raw FROM bodies WHERE identity = ?", (identity,))
        try:
            return zlib.decompress(found[0][0]) if found else None
        except zlib.error:
            log.warning("%s: a damaged message is dropped", self.path)
            self.drop([identity])
            return None

    def cached(self, identities: Collection[bytes]) -> set[bytes]:
        """Return those of at most 999 identities whose raw messages are cached."""
        marks = ", ".join("?" * len(identities))
        query = f"SELECT identity FROM bodies WHERE identity IN ({marks})"
        return set(self.retried(lambda connection: connection.column(query, tuple(identities))))

    def put(self, bodies: Iterable[tuple[bytes, bytes]], moment: float) -> None:
        """Store raw messages by identity, as `pack` makes them."""
        rows = [(identity, moment, len(stored), stored) for identity, stored in bodies if stored]
        self.write("INSERT OR REPLACE INTO bodies VALUES (?, ?, ?, ?)", rows)

    def evicting(self, most_bytes: int) -> Generator[None, None, None]:
        """Delete the oldest messages in batches until the file is small enough, and shrink the
        file.
        """
        while (surplus := self.size() - most_bytes) > 0:
            oldest = self.rows(
                "SELECT identity, size FROM bodies ORDER BY stored, identity LIMIT ?", (_AT_ONCE,)
            )
            if not oldest:
                return
            upto = accumulate(size + _PAGE for _, size in oldest)
            going = [
                identity
                for (identity, _), freed in zip(oldest, upto, strict=True)
                if freed <= surplus
            ]
            self.drop(going or [identity for identity, _ in oldest[:8]])
            yield
            self.tidy()
            yield

    def size(self) -> int:
        """Return the size on disk in bytes. A message takes whole pages."""
        pages = "SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count"
        return self.number(pages) * _PAGE

    def drop(self, identities: Iterable[bytes]) -> None:
        self.write(
            "DELETE FROM bodies WHERE identity = ?", [(identity,) for identity in identities]
        )


def pack(raw: bytes) -> bytes:
    """Compress a raw message; empty for none."""
    # Level 1 packs mail to 45 % at 60 MB/s; level 6 to 41 % at 25 MB/s.
    return zlib.compress(raw, 1) if raw else b""


# No text is stored besides the index, and nothing merges automatically: a large merge takes 100 ms.
SCHEMA = """
CREATE TABLE texts (
  number INTEGER PRIMARY KEY,
  message INTEGER NOT NULL
);
CREATE INDEX texts_by_message ON texts (message);
CREATE VIRTUAL TABLE search USING fts5(
  text, recipients, content='', columnsize=0, tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
);
INSERT INTO search (search, rank) VALUES ('automerge', 0);
INSERT INTO search (search, rank) VALUES ('crisismerge', 1000);
"""
LONGEST = 200_000
"""Characters of a text that are indexed: 4 ms."""
MERGED = 8
"""Pages merged at once: about 1 ms."""
_CHANGES = "SELECT total_changes()"
ASKED = 20_000
"""Texts searched at once: about 10 ms if all of them match."""
SHORTEST_BEGINNING = 3
"""Letters from which a word that is being typed also matches longer words."""

# Thai, Lao, Tibetan, Burmese, Khmer, kana, Chinese letters; Korean syllables, since words have
# endings.
_SPACELESS = re.compile(
    "([\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff])"
)
_WORD = re.compile(r"[^\W_]")


class TextIndex(DerivedFile):
    """Full-text index of messages, SQLite's FTS5. They are added in the order of their numbers.

    The tokenizer is `unicode61`. Letters of scripts without spaces between words are single tokens.
    Compared with `trigram`, for 20,000 messages: 19 MB instead of 104, and a third of the time
    (`tests/bench/MEASUREMENTS.md`, "Texts"). It also finds words of two Chinese letters, while
    trigrams need three.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, SCHEMA, read_only=read_only)
        self._merging = False

    @property
    def upto(self) -> int:
        """The last indexed message, 0 if there is none."""
        return self.number("SELECT max(message) FROM texts")

    def add(self, texts: Iterable[tuple[int, str, str]]) -> None:
        """Index texts and recipients of messages. A later text of a message adds to the earlier
        ones.
        """
        rows = [
            (message, *(_apart(fold(text[:LONGEST])) for text in both)) for message, *both in texts
        ]

        def write(connection: Connection) -> None:
            with connection.transaction():
                for message, text, recipients in rows:
                    number = connection.value(
                        "INSERT INTO texts (message) VALUES (?) RETURNING number", (message,)
                    )
                    connection.execute(
                        "INSERT INTO search (rowid, text, recipients) VALUES (?, ?, ?)",
                        (number, text, recipients),
                    )

        self.retried(write)
        self._merging = True

    def merge(self) -> bool:
        """Merge a part of the index for fast searches. True if there is more to merge."""

        def work(connection: Connection) -> bool:
            before = connection.value(_CHANGES)
            connection.execute("INSERT INTO search (search, rank) VALUES ('merge', ?)", (MERGED,))
            return bool(connection.value(_CHANGES) - before > 1)

        self._merging = self._merging and self.retried(work)
        return self._merging

    def find(self, terms: Iterable[str], after: int = 0) -> Iterator[tuple[int, list[int]]]:
        """Yield the messages that contain all terms of `sought`, for texts behind `after`: (last
        text, messages).
        """
        match = " AND ".join(terms)
        last = self.number("SELECT max(number) FROM texts")
        for first in range(after + 1, last + 1, ASKED):
            end = min(first + ASKED - 1, last)
            found = self.rows(
                "SELECT message FROM search JOIN texts ON number = search.rowid"
                " WHERE search MATCH ? AND search.rowid BETWEEN ? AND ?",
                (match, first, end),
            )
            yield end, [message for (message,) in found]

    def look(self, last: int) -> str:
        """Return the reason if the index is wrong, "" otherwise. `last`: last message of the
        database.

        Raises `KnownError` if it is damaged. FTS5's own check is not used: it blocks for 3 s with
        100,000 messages.
        """
        (said,) = self.opened().row("PRAGMA quick_check(1)") or ("",)
        if said != "ok":
            return str(said)
        return f"texts of {self.upto - last} messages that aren't there" if self.upto > last else ""


def sought(text: str) -> tuple[str, ...]:
    """Return the words, phrases and recipients of a query as terms of FTS5, if they have a letter
    or digit.
    """
    query = read_query(text)
    words, recipients = (
        [each for each in map(fold, texts) if _WORD.search(each)]
        for texts in (query.words, query.recipients)
    )
    last = words[-1] if words and query.typing and len(words[-1]) >= SHORTEST_BEGINNING else None
    return (
        *(_term(word) for word in words[: -1 if last else None]),
        *([f"{_term(last)} *"] if last else []),
        *(f"recipients : {_term(each)}" for each in recipients),
    )


def fold(text: str) -> str:
    """Return the text without case and accents, for comparisons."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize(
        "NFC", "".join([each for each in apart if not unicodedata.combining(each)])
    )


def _apart(folded: str) -> str:
    return folded if folded.isascii() else _SPACELESS.sub(r" \1 ", folded)


def _term(folded: str) -> str:
    """Return a word or phrase in the syntax of FTS5."""
    return '"' + _apart(folded).replace('"', '""').strip() + '"'
