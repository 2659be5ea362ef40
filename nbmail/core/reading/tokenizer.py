"""Words of a message with their places and repetitions, and its numeric facts.

This module doesn't import numpy, so that a process that only reads mail starts quickly. The effect of each family of
words was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

from collections.abc import Sequence
from itertools import pairwise

from nbmail.core.reading.authentication import NO_TRUST, Trust
from nbmail.core.reading.facts import character_shares, fact_words, measure_words
from nbmail.core.reading.header_words import header_words
from nbmail.core.reading.html_text import HtmlPage, Link, links_in, read_page, read_target
from nbmail.core.reading.mail import Mail
from nbmail.core.reading.word_splitting import PlacedWords, split_mixed, split_words, without_typography
from nbmail.core.reading.word_table import PlainTable, new_table

TOKENIZER_VERSION = 5
"""Stored with every message and in model files. It changes whenever the words of any message change."""

# The pages of mail begin with much white space, and words of dense scripts have few characters.
_START_CAP, _START_CHUNKS, _START_READ, _START_WORDS = 4000, 10, 100, 6

_HIDDEN = PlacedWords("hidden")

Tokens = tuple[bytes, bytes, tuple[int, ...]]
"""Sorted word numbers of a message and their occurrences, as 32-bit integers; the numeric facts."""


class Tokenizer:
    """Reads the tokens of messages. Words are numbered from 0 in the order of their first occurrence.

    `trust`: servers whose checks of the sender count.
    """

    def __init__(self, trust: Trust = NO_TRUST) -> None:
        self._table, self._trust = new_table(), trust
        self._reported = 0

    def read(self, mail: Mail) -> Tokens:
        """Return the tokens of a message."""
        self._table.begin()
        measures = collect(mail, self._table, self._trust)
        return (*self._table.take(), measures)

    def new_words(self) -> list[str]:
        """Return the words that are new since the last call, in the order of their numbers."""
        words = self._table.words_from(self._reported)
        self._reported += len(words)
        return words


def collect(mail: Mail, table: PlainTable, trust: Trust = NO_TRUST, facts: Sequence[str] = ()) -> tuple[int, ...]:
    """Add the words of a message to `table`, and return its numeric facts in the order of `facts.MEASURES`.

    `trust`: servers whose checks of the sender count. `facts`: further facts as words.
    """
    text, pages, links = _read_texts(mail)
    count, mixed = _add_body(text, table)
    words: list[str] = []
    hosts = _add_link_words(links, words)
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
    words += header_words(mail.headers)
    words += _start_words(text)
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


def _read_texts(mail: Mail) -> tuple[str, list[HtmlPage], list[Link]]:
    """Return the visible text of all parts, the pages, and the links."""
    texts, pages, links = list[str](), list[HtmlPage](), list[Link]()
    for part in mail.texts:
        text = part.text
        if part.kind == "text/html":
            page = read_page(text)
            pages.append(page)
            links += page.links
            text = page.text
        texts.append(text)
        links += links_in(text)
    return "\n".join(texts), pages, links


def _add_body(text: str, table: PlainTable) -> tuple[int, bool]:
    """Add the words of the body. Return their number, and True if some mix scripts to deceive."""
    text, is_western = without_typography(text)
    if is_western:
        return table.add_text(text), False
    words, mixed = split_mixed(text)
    table.add_words(words)
    return len(words), mixed


def _add_link_words(links: list[Link], words: list[str]) -> int:
    """Add hosts, domains and first path words of link targets. Return the number of different hosts."""
    hosts: set[str] = set()
    for kind, target in links:
        host, _, found = read_target(target)
        hosts.add(host)
        words += found
        if kind == "elsewhere":
            words.append("link:elsewhere")
    return len(hosts)


def _start_words(text: str) -> list[str]:
    """Return the first pairs of words of the text."""
    words = split_words(" ".join(text[:_START_CAP].split(None, _START_CHUNKS)[:_START_CHUNKS])[:_START_READ])
    return [f"start:{one} {other}" for one, other in pairwise(words[:_START_WORDS])]


def _file_words(mail: Mail) -> list[str]:
    words: list[str] = []
    for file in mail.files:
        words += (f"file:{file.kind}", f"file:.{file.name.lower().rpartition('.')[2]}")
        words += [f"file:{word}" for word in split_words(file.name)]
    return words
