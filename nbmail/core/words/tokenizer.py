"""Words of a message with their places and repetitions, and its numeric facts.

This module doesn't import numpy, so that a process that only reads mail starts quickly. The effect
of each family of words was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise

from nbmail.core.mail.links import read_target
from nbmail.core.mail.message import Mail
from nbmail.core.senders.trusted_servers import NO_TRUST, Trust
from nbmail.core.words.facts import fact_words
from nbmail.core.words.measures import character_shares, measure_words
from nbmail.core.words.message_texts import read_texts
from nbmail.core.words.phrases import PHRASE, count_phrases
from nbmail.core.words.places import PlacedWords
from nbmail.core.words.splitting import (
    split_mixed,
    split_words,
    without_typography,
)
from nbmail.core.words.word_table import PlainTable, new_table

TOKENIZER_VERSION = 5
"""Stored with every message and in model files. It changes whenever the words of any message
change.
"""

# The pages of mail begin with much white space, and words of dense scripts have few characters.
_START_CAP = 4000
_START_CHUNKS = 10
_START_READ = 100
_START_WORDS = 6

_HIDDEN = PlacedWords("hidden")

Tokens = tuple[bytes, bytes, tuple[int, ...]]
"""Sorted word numbers of a message and their occurrences, as 32-bit integers; the numeric facts."""


class Tokenizer:
    """Reads the tokens of messages. Words are numbered by first occurrence. `trust`, `phrases`: see
    `read_tokens`.
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
    if counts := count_phrases(mail, phrases):
        numbers = table.numbers_of([PHRASE + phrase for phrase in counts])
        words, occurrences = with_counts(
            words, occurrences, dict(zip(numbers, counts.values(), strict=True))
        )
    return words, occurrences, measures


def with_counts(words: bytes, occurrences: bytes, counts: Mapping[int, int]) -> tuple[bytes, bytes]:
    """Return sorted words and their occurrences, some of them replaced by `counts`; 0 removes the
    word.
    """
    found = dict(zip(array("i", words), array("i", occurrences), strict=True)) | dict(counts)
    kept = sorted(word for word, count in found.items() if count)
    return array("i", kept).tobytes(), array("i", [found[word] for word in kept]).tobytes()


def collect(
    mail: Mail, table: PlainTable, trust: Trust = NO_TRUST, facts: Sequence[str] = ()
) -> tuple[int, ...]:
    """Add the words of a message to `table`; return its `MEASURES`. `trust`: servers whose checks
    of senders count.
    """
    text, pages, links = read_texts(mail)
    body, is_western = without_typography(text)
    words, mixed = ([], False) if is_western else split_mixed(body)
    table.add_words(words)
    count = table.add_text(body) if is_western else len(words)
    hosts = table.add_links(links, read_target)
    header = mail.first_headers.get
    measures = (
        mail.size,
        count,
        len(links),
        hosts,
        [kind for kind, _ in links].count("img"),
        sum([page.tag_count for page in pages]),
        len(mail.files),
        len(mail.headers),
        [name for name, _ in mail.headers].count("received"),
        header("to", "").count("@") + header("cc", "").count("@"),
        len(header("subject", "")),
        # A search for one character is many times as fast as one for two.
        text.count("\n>") if ">" in text else 0,
        *character_shares(text),
    )
    table.add_headers(mail.headers)
    start = split_words(
        " ".join(text[:_START_CAP].split(None, _START_CHUNKS)[:_START_CHUNKS])[:_START_READ]
    )
    words = [f"start:{one} {other}" for one, other in pairwise(start[:_START_WORDS])]
    words += fact_words(mail, trust)
    words += facts
    words += measure_words(measures)
    for page in pages:
        words += [f"html:{trick}" for trick in page.tricks]
        if page.hidden:
            words += _HIDDEN.place(split_words(page.hidden))
    words += _file_words(mail)
    if mixed:
        words.append("text:mixed-scripts")
    table.add_words(words)
    return measures


def _file_words(mail: Mail) -> list[str]:
    words: list[str] = []
    for file in mail.files:
        words += (f"file:{file.kind}", f"file:.{file.name.lower().rpartition('.')[2]}")
        words += [f"file:{word}" for word in split_words(file.name)]
    return words
