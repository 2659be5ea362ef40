"""Full-text index of all messages: SQLite's FTS5 in a separate file, which can be made again from raw mail.

The tokenizer is SQLite's `unicode61`. Letters of scripts without spaces between words are single tokens. Compared with
its `trigram`, for 20,000 messages: 19 MB instead of 104, and a third of the time (`tests.bench text-search`). It also
finds words of two Chinese letters, while trigrams need three.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbmail.search_query import read_query
from nbmail.store.files.connection import Connection
from nbmail.store.files.derived_file import DerivedFile

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
ASKED = 20_000
"""Texts searched at once: about 10 ms if all of them match."""
SHORTEST_BEGINNING = 3
"""Letters from which a word that is being typed also matches longer words."""

# Thai, Lao, Tibetan, Burmese, Khmer, kana, Chinese letters; Korean syllables, since words have endings.
_SPACELESS = re.compile(
    "([\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff])"
)
_WORD = re.compile(r"[^\W_]")


class TextIndex(DerivedFile):
    """Index of messages, which are added in the order of their numbers."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, SCHEMA, read_only=read_only)
        self._merging = False

    @property
    def upto(self) -> int:
        """The last indexed message, 0 if there is none."""
        return int(self.rows("SELECT coalesce(max(message), 0) FROM texts")[0][0])

    def add(self, texts: Iterable[tuple[int, str, str]]) -> None:
        """Index texts and recipients of messages. A later text of a message adds to the earlier ones."""
        rows = [(message, *(_apart(fold(text[:LONGEST])) for text in both)) for message, *both in texts]

        def write(connection: Connection) -> None:
            with connection.transaction():
                for message, text, recipients in rows:
                    number = connection.value("INSERT INTO texts (message) VALUES (?) RETURNING number", (message,))
                    connection.execute(
                        "INSERT INTO search (rowid, text, recipients) VALUES (?, ?, ?)", (number, text, recipients)
                    )

        self.retried(write)
        self._merging = True

    def merge(self) -> bool:
        """Merge a part of the index for fast searches. True if there is more to merge."""

        def work(connection: Connection) -> bool:
            before = connection.changes
            connection.execute("INSERT INTO search (search, rank) VALUES ('merge', ?)", (MERGED,))
            return connection.changes - before > 1

        self._merging = self._merging and self.retried(work)
        return self._merging

    def find(self, terms: Iterable[str], after: int = 0) -> Iterator[tuple[int, list[int]]]:
        """Yield the messages that contain all terms of `sought`, for texts behind `after`: (last text, messages)."""
        match = " AND ".join(terms)
        last = int(self.rows("SELECT coalesce(max(number), 0) FROM texts")[0][0])
        for first in range(after + 1, last + 1, ASKED):
            end = min(first + ASKED - 1, last)
            found = self.rows(
                "SELECT message FROM search JOIN texts ON number = search.rowid"
                " WHERE search MATCH ? AND search.rowid BETWEEN ? AND ?",
                (match, first, end),
            )
            yield end, [message for (message,) in found]

    def look(self, last: int) -> str:
        """Return the reason if the index is wrong, "" otherwise. `last`: last message of the database.

        Raises `KnownError` if it is damaged. FTS5's own check is not used: it blocks for 3 s with 100,000 messages.
        """
        (said,) = self.opened().row("PRAGMA quick_check(1)") or ("",)
        if said != "ok":
            return str(said)
        return f"texts of {self.upto - last} messages that aren't there" if self.upto > last else ""


def sought(text: str) -> tuple[str, ...]:
    """Return the words, phrases and recipients of a query as terms of FTS5, if they have a letter or digit."""
    query = read_query(text)
    words, recipients = (
        [each for each in map(fold, texts) if _WORD.search(each)] for texts in (query.words, query.recipients)
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
    return unicodedata.normalize("NFC", "".join([each for each in apart if not unicodedata.combining(each)]))


def _apart(folded: str) -> str:
    return folded if folded.isascii() else _SPACELESS.sub(r" \1 ", folded)


def _term(folded: str) -> str:
    """Return a word or phrase in the syntax of FTS5."""
    return '"' + _apart(folded).replace('"', '""').strip() + '"'
