"""The vocabulary on the disk. It lives in memory and is written in the transactions that use new words."""

from __future__ import annotations

import json
from functools import cached_property

from nbmail.core.sample import Vocabulary
from nbmail.store.connection import Connection
from nbmail.store.text import storable


class WordsTable:
    """Words and their numbers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._kept = 0

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """All words, loaded at the first call. Samples for this store are made with it and no other."""
        found = self._load()
        self._kept = len(found)
        return Vocabulary(found)

    def write(self) -> None:
        """Write the words that are new since the last write. Call inside the transaction that uses them."""
        vocabulary, first = self.vocabulary, self._kept
        new = vocabulary.words_from(first)
        if new:
            self._insert(first, new)
            self._connection.when_rolled_back(lambda: self._set_kept(first))
            self._set_kept(first + len(new))

    def reload(self) -> None:
        """Words have got new numbers: the vocabulary is loaded anew at its next use, as another one."""
        self.__dict__.pop("vocabulary", None)

    def _load(self) -> list[str]:
        """All in one text, unless one holds a line end: a third of the time of a row each."""
        query = "SELECT count(*), group_concat(word, char(10)) FROM (SELECT word FROM words ORDER BY number)"
        count, joined = self._connection.row(query) or (0, "")
        words = (joined or "").split("\n")
        if len(words) == count:
            return words
        return [word for (word,) in self._connection.rows("SELECT word FROM words ORDER BY number")]

    def _insert(self, first: int, new: list[str]) -> None:
        """One parameter for thousands of rows takes half the time of a row each; SQLite's JSON cuts words at a NUL."""
        listed = json.dumps(new, ensure_ascii=False)
        if "\\u0000" in listed or storable(listed) != listed:
            rows = ((number, storable(word)) for number, word in enumerate(new, first))
            self._connection.execute_many("INSERT INTO words VALUES (?, ?)", rows)
        else:
            self._connection.execute("INSERT INTO words SELECT ? + key, value FROM json_each(?)", (first, listed))

    def _set_kept(self, kept: int) -> None:
        self._kept = kept
