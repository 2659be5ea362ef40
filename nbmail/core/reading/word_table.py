"""The table of words that a vocabulary or a reading process works on: compiled, or plain. Without numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbmail.core.compiled import compiled
from nbmail.core.reading.plain_word_table import PlainTable
from nbmail.core.reading.word_splitting import FOLDING

if TYPE_CHECKING:
    from nbmail.core.compiled.wordtable import WordTable

# Longer ones are numbers of messages and encoded data: they never come back. (The same without those over 20: the
# same figures, so the bound only keeps the vocabulary small.)
LONGEST_WORD = 40
WORDTABLE_VERSION = 2

wordtable = compiled("wordtable", WORDTABLE_VERSION)
"""`wordtable.c`, where it was compiled. Found once: a process and those it forks need the same kind of table, since
each understands only the packed words of its own."""


def new_table() -> PlainTable | WordTable:
    """An empty table."""
    if wordtable is None:
        return PlainTable(LONGEST_WORD)
    table: WordTable = wordtable.WordTable(FOLDING, LONGEST_WORD)
    return table
