"""Full-text index of messages."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from nbmail.store.files.connection import Connection
from nbmail.store.files.derived_file import DerivedFile
from nbmail.store.mail.search_terms import fold, split_spaceless

# No text is stored besides the index, and nothing merges automatically: a large merge takes 100 ms.
SCHEMA = """
CREATE TABLE texts (
  number INTEGER PRIMARY KEY,
  message INTEGER NOT NULL
);
CREATE INDEX texts_by_message ON texts (message);
CREATE VIRTUAL TABLE search USING fts5(
  sender, subject, text, recipients, content='', columnsize=0,
  tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
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


class SearchedText(NamedTuple):
    """What is searched of a message. `text`: with the names of attachments."""

    message: int
    sender: str
    subject: str
    text: str = ""
    recipients: str = ""


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

    def add(self, texts: Iterable[SearchedText]) -> None:
        """Index messages. A later text of a message adds to the earlier ones."""
        rows = [(each.message, [_indexed(text) for text in each[1:]]) for each in texts]

        def write(connection: Connection) -> None:
            with connection.transaction():
                for message, columns in rows:
                    number = connection.value(
                        "INSERT INTO texts (message) VALUES (?) RETURNING number", (message,)
                    )
                    connection.execute(
                        "INSERT INTO search (rowid, sender, subject, text, recipients) "
                        "VALUES (?, ?, ?, ?, ?)",
                        (number, *columns),
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
        """Yield the messages that contain all terms of `sought`, each time with the last text.

        `after`: only texts behind this one.
        """
        match = " AND ".join(terms)
        last = self.number("SELECT max(number) FROM texts")
        for first in range(after + 1, last + 1, ASKED):
            end = min(first + ASKED - 1, last)
            found = self.rows(
                "SELECT message FROM search JOIN texts ON number = search.rowid "
                "WHERE search MATCH ? AND search.rowid BETWEEN ? AND ?",
                (match, first, end),
            )
            yield end, [message for (message,) in found]

    def look(self, last: int) -> str:
        """Return the reason if the index is wrong, "" otherwise.

        `last`: last message of the database.
        Raises `KnownError` if it is damaged. FTS5's own check is not used: it blocks for 3 s with
        100,000 messages.
        """
        (said,) = self.opened().row("PRAGMA quick_check(1)") or ("",)
        if said != "ok":
            return str(said)
        return f"texts of {self.upto - last} messages that aren't there" if self.upto > last else ""


def _indexed(text: str) -> str:
    return split_spaceless(fold(text[:LONGEST]))
