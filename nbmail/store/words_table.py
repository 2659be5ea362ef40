"""The vocabulary on the disk. It lives in memory and is written in the transactions that use new words."""

from __future__ import annotations

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
        found = self._connection.rows("SELECT word FROM words ORDER BY number")
        self._kept = len(found)
        return Vocabulary(word for (word,) in found)

    def write(self) -> None:
        """Write the words that are new since the last write. Call inside the transaction that uses them."""
        vocabulary, first = self.vocabulary, self._kept
        new = vocabulary.words_from(first)
        if new:
            rows = ((number, storable(word)) for number, word in enumerate(new, first))
            self._connection.execute_many("INSERT INTO words VALUES (?, ?)", rows)
            self._connection.when_rolled_back(lambda: self._set_kept(first))
            self._set_kept(first + len(new))

    def reload(self) -> None:
        """Words have got new numbers: the vocabulary is loaded anew at its next use, as another one."""
        self.__dict__.pop("vocabulary", None)

    def _set_kept(self, kept: int) -> None:
        self._kept = kept
