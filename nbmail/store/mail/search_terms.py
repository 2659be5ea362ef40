"""Terms of the full-text search: how texts are folded, and queries are written for FTS5."""

import re
import unicodedata
from collections.abc import Iterable

from nbmail.text.search_query import read_query

SHORTEST_BEGINNING = 3
"""Letters from which a beginning also matches longer words."""

# Thai, Lao, Tibetan, Burmese, Khmer, kana, Chinese letters; Korean syllables, since words have
# endings.
_SPACELESS = re.compile(
    "(["
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
    "])"
)
_WORD = re.compile(r"[^\W_]")


def sought(text: str) -> tuple[str, ...]:
    """Return the words, phrases, people and subjects of a query as terms of FTS5.

    Those without a letter or digit are left out. People and subjects may be the beginning of a
    word, as well as the last word while it is being typed.
    """
    query = read_query(text)
    words = _folded(query.words)
    terms = [_term(word) for word in words]
    if words and query.typing:
        terms[-1] = _beginning(words[-1])
    terms += [f"sender : {_beginning(each)}" for each in _folded(query.senders)]
    terms += [f"subject : {_beginning(each)}" for each in _folded(query.subjects)]
    terms += [f"recipients : {_beginning(each)}" for each in _folded(query.recipients)]
    return tuple(terms)


def fold(text: str) -> str:
    """Return the text without case and accents, for comparisons."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = [each for each in decomposed if not unicodedata.combining(each)]
    return unicodedata.normalize("NFC", "".join(letters))


def split_spaceless(folded: str) -> str:
    """Return the text with spaces around letters of scripts that have none between words."""
    return folded if folded.isascii() else _SPACELESS.sub(r" \1 ", folded)


def _folded(texts: Iterable[str]) -> list[str]:
    return [each for each in map(fold, texts) if _WORD.search(each)]


def _beginning(folded: str) -> str:
    """Return a term that also matches longer words, unless it is too short."""
    return f"{_term(folded)} *" if len(folded) >= SHORTEST_BEGINNING else _term(folded)


def _term(folded: str) -> str:
    """Return a word or phrase in the syntax of FTS5."""
    escaped = split_spaceless(folded).replace('"', '""')
    return f'"{escaped.strip()}"'
