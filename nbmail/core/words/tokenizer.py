"""Tokens of a message: its words with their places and repetitions, and its measures.

This module doesn't import numpy, so that a process that only reads mail starts quickly. The effect
of each family of words was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from nbmail.core.mail.links import read_target
from nbmail.core.mail.message import Mail
from nbmail.core.senders.trusted_servers import NO_TRUST, Trust
from nbmail.core.words.facts import fact_words
from nbmail.core.words.measures import measure_words, measures_of
from nbmail.core.words.message_texts import MessageTexts, read_texts
from nbmail.core.words.phrases import PHRASE, count_phrases
from nbmail.core.words.splitting import split_mixed, split_words, without_typography
from nbmail.core.words.word_places import PlacedWords
from nbmail.core.words.word_table import PlainTable, new_table

TOKENIZER_VERSION = 6
"""Stored with every message and in model files.

It changes whenever the words of any message change.
"""

# The pages of mail begin with much white space, and words of dense scripts have few characters.
_START_CAP = 4000
_START_CHUNKS = 10
_START_READ = 100
_START_WORDS = 6

# Share of its words that a part may say beyond the shown page, and still be an alternative to it.
_MOST_UNSEEN = 0.5

_HIDDEN = PlacedWords("hidden")


class Tokens(NamedTuple):
    """Sorted word numbers of a message and their occurrences, as 32-bit integers; its measures."""

    words: bytes
    occurrences: bytes
    measures: tuple[int, ...]


class Tokenizer:
    """Reads the tokens of messages. Words are numbered by first occurrence.

    `trust`, `phrases`: see `read_tokens`.
    """

    def __init__(self, trust: Trust = NO_TRUST, phrases: Sequence[str] = ()) -> None:
        self._table = new_table()
        self._trust = trust
        self._phrases = phrases
        self._reported = 0

    def read(self, mail: Mail) -> Tokens:
        return read_tokens(mail, self._table, self._trust, phrases=self._phrases)

    def new_words(self) -> list[str]:
        """Return the words that are new since the last call, in the order of their numbers."""
        words = self._table.words_from(self._reported)
        self._reported += len(words)
        return words


def read_tokens(
    mail: Mail,
    table: PlainTable,
    trust: Trust = NO_TRUST,
    facts: Sequence[str] = (),
    phrases: Sequence[str] = (),
) -> Tokens:
    """Return the tokens of a message, with one for each of the user's `phrases` in its text.

    `trust`, `facts`: as in `collect`.
    """
    table.begin()
    measures = collect(mail, table, trust, facts)
    words, occurrences = table.take()
    counts = count_phrases(mail, phrases)
    if counts:
        numbers = table.numbers_of([PHRASE + phrase for phrase in counts])
        replaced = dict(zip(numbers, counts.values(), strict=True))
        words, occurrences = with_counts(words, occurrences, replaced)
    return Tokens(words, occurrences, measures)


def with_counts(words: bytes, occurrences: bytes, counts: Mapping[int, int]) -> tuple[bytes, bytes]:
    """Return sorted words and their occurrences, some of them replaced by `counts`.

    0 removes the word.
    """
    found = dict(zip(array("i", words), array("i", occurrences), strict=True))
    found.update(counts)
    kept = sorted(word for word, count in found.items() if count)
    times = [found[word] for word in kept]
    return array("i", kept).tobytes(), array("i", times).tobytes()


def collect(
    mail: Mail, table: PlainTable, trust: Trust = NO_TRUST, facts: Sequence[str] = ()
) -> tuple[int, ...]:
    """Add the words of a message to `table`, and return its measures.

    `trust`: servers whose checks of senders count. `facts`: further words.
    """
    texts = read_texts(mail)
    text_words, has_mixed_scripts = _add_text(texts.text, table)
    hosts = table.add_links(texts.links, read_target)
    measures = measures_of(mail, texts, text_words, hosts)
    table.add_headers(mail.headers)

    words = _start_words(texts.text)
    words += fact_words(mail, trust)
    words += facts
    words += measure_words(measures)
    for page in texts.pages:
        words += [f"html:{trick}" for trick in page.tricks]
        if page.hidden:
            words += _HIDDEN.place(split_words(page.hidden))
    if texts.unseen:
        words += _unseen_words(texts)
    words += _file_words(mail)
    if has_mixed_scripts:
        words.append("text:mixed-scripts")
    table.add_words(words)
    return measures


def _add_text(text: str, table: PlainTable) -> tuple[int, bool]:
    """Add the words of the text. Return their number, and True if some mix scripts."""
    body, is_western = without_typography(text)
    if is_western:
        return table.add_text(body), False
    words, has_mixed_scripts = split_mixed(body)
    table.add_words(words)
    return len(words), has_mixed_scripts


def _start_words(text: str) -> list[str]:
    """Return the pairs of neighbours among the first words."""
    chunks = text[:_START_CAP].split(None, _START_CHUNKS)[:_START_CHUNKS]
    words = split_words(" ".join(chunks)[:_START_READ])
    return [f"start:{word} {following}" for word, following in pairwise(words[:_START_WORDS])]


def _unseen_words(texts: MessageTexts) -> list[str]:
    """Return what counts of the parts that aren't shown.

    Parts that mostly repeat the page are honest alternatives: their other words count like text.
    Of other parts, only the magnitude of the number of words that nobody is shown counts.
    """
    shown = set(split_words(texts.text))
    words = split_words(texts.unseen)
    different = set(words)
    unseen = len(different - shown)
    if unseen <= _MOST_UNSEEN * len(different):
        return [word for word in words if word not in shown]
    return [f"fact:unseen={1 << unseen.bit_length()}"]


def _file_words(mail: Mail) -> list[str]:
    words: list[str] = []
    for file in mail.files:
        ending = file.name.lower().rpartition(".")[2]
        words += (f"file:{file.kind}", f"file:.{ending}")
        words += [f"file:{word}" for word in split_words(file.name)]
    return words
