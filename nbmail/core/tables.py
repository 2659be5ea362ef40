"""The table of words that a vocabulary or a reading process works on: compiled, or plain. Without numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbmail.core.compiled import compiled
from nbmail.core.folding import FOLDING
from nbmail.core.plaintable import PlainTable

if TYPE_CHECKING:
    from nbmail.core.wordtable import WordTable

# Longer ones are numbers of messages and encoded data: they never come back. (The same without those over 20: the
# same figures, so the bound only keeps the vocabulary small.)
LONGEST_WORD = 40
WORDTABLE_VERSION = 1


def new_table() -> PlainTable | WordTable:
    """An empty table."""
    module = compiled("wordtable", WORDTABLE_VERSION)
    if module is None:
        return PlainTable(LONGEST_WORD)
    table: WordTable = module.WordTable(FOLDING, LONGEST_WORD)
    return table
