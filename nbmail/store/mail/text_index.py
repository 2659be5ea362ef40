"""The words of all texts, to be searched: SQLite's FTS5 in a file of its own, which can be filled anew from raw mail.

Words are told apart by SQLite's `unicode61`, the letters of scripts that put no spaces between words each for itself.
Beside its `trigram`, of 20,000 messages: 19 MB instead of 104, filled in a third of the time
(`tests.bench text-search`); and a word of two Chinese letters, as most have, is found, where trigrams need three.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbmail.store.files.connection import Connection
from nbmail.store.files.derived_file import DerivedFile

# Texts are kept nowhere but in the words' places, and no merging happens by itself: a large one takes 100 ms.
SCHEMA = """
CREATE TABLE texts (
  number INTEGER PRIMARY KEY,
  message INTEGER NOT NULL
);
CREATE INDEX texts_by_message ON texts (message);
CREATE VIRTUAL TABLE search USING fts5(
  text, content='', columnsize=0, tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
);
INSERT INTO search (search, rank) VALUES ('automerge', 0);
INSERT INTO search (search, rank) VALUES ('crisismerge', 1000);
"""
LONGEST = 200_000
"""Characters of a text that are looked through: 4 ms."""
MERGED = 8
"""Pages merged at once: about 1 ms."""
ASKED = 20_000
"""Texts asked for words at once: about 10 ms where all of them hold them."""
SHORTEST_BEGINNING = 3
"""Letters of a word that is still being typed, from which on words that go on count: of two, too many begin so."""

# Thai, Lao, Tibetan, Burmese, Khmer, kana, Chinese letters, Korean syllables, which have endings in the same word.
_SPACELESS = re.compile(
    "([\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff])"
)
_SOUGHT = re.compile(r'"([^"]*)"?|(\S+)')
_WORD = re.compile(r"[^\W_]")


class TextIndex(DerivedFile):
    """The words of each message that has been read in. Messages are read in by their numbers, `upto` the last one."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, SCHEMA, read_only=read_only)
        self._merging = False

    @property
    def upto(self) -> int:
        """The last message that was read in, 0 before the first."""
        return int(self.rows("SELECT coalesce(max(message), 0) FROM texts")[0][0])

    def add(self, texts: Iterable[tuple[int, str]]) -> None:
        """Read in the texts of these messages; a text that comes later adds to what its message has."""
        rows = [(message, _apart(fold(text[:LONGEST]))) for message, text in texts]

        def write(connection: Connection) -> None:
            with connection.transaction():
                for message, text in rows:
                    number = connection.value("INSERT INTO texts (message) VALUES (?) RETURNING number", (message,))
                    connection.execute("INSERT INTO search (rowid, text) VALUES (?, ?)", (number, text))

        self.retried(write)
        self._merging = True

    def merge(self) -> bool:
        """Bring some of what was added together with the rest, so that a search stays quick: whether there is more."""

        def work(connection: Connection) -> bool:
            before = connection.changes
            connection.execute("INSERT INTO search (search, rank) VALUES ('merge', ?)", (MERGED,))
            return connection.changes - before > 1

        self._merging = self._merging and self.retried(work)
        return self._merging

    def find(self, words: Iterable[str], after: int = 0) -> Iterator[tuple[int, list[int]]]:
        """The messages that hold all that is `sought`, in pieces of the texts behind `after`: (the last, messages)."""
        match = " AND ".join(map(_string, words))
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
        """What is wrong with it, `last` being the last message there is. Raises `KnownError` where it is damaged.

        Not by FTS5's own check, which takes 3 s of 100,000 messages in one go.
        """
        (said,) = self.opened().row("PRAGMA quick_check(1)") or ("",)
        if said != "ok":
            return str(said)
        return f"texts of {self.upto - last} messages that aren't there" if self.upto > last else ""


def sought(words: str) -> tuple[str, ...]:
    """What is looked for, folded: words, and in quotes phrases of them. The last word, still being typed, ends in "*".

    Without a letter or a digit there is nothing to look for. A NUL separates words: FTS5's queries end at it.
    """
    found = [fold(phrase or word).strip() for phrase, word in _SOUGHT.findall(words.replace("\0", " "))]
    kept = [text for text in found if _WORD.search(text)]
    if kept and len(kept[-1]) >= SHORTEST_BEGINNING and not words.endswith((" ", '"')):
        kept[-1] += "*"
    return tuple(kept)


def fold(text: str) -> str:
    """The text as it is compared: without case and without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join([each for each in apart if not unicodedata.combining(each)]))


def _apart(folded: str) -> str:
    return folded if folded.isascii() else _SPACELESS.sub(r" \1 ", folded)


def _string(sought: str) -> str:
    """A word or phrase in FTS5's own language, perhaps as a beginning."""
    quoted = '"' + _apart(sought.removesuffix("*")).replace('"', '""').strip() + '"'
    return f"{quoted} *" if sought.endswith("*") else quoted
