"""All words of a message, each with its place, as often as they occur, and its measures; not yet counted.

Without numpy, so that a process which only reads mail starts fast. What each family of words brings was measured:
`tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

from itertools import pairwise

from nbmail.core.reading.facts import character_shares, fact_words, measure_words
from nbmail.core.reading.header_words import head_words
from nbmail.core.reading.html_text import HtmlPage, Link, links_in, read_page, read_target
from nbmail.core.reading.mail import Mail
from nbmail.core.reading.word_splitting import as_western, split_and_judge, split_words
from nbmail.core.reading.word_table import PlainTable, new_table

TOKENIZER_VERSION = 3
"""Stored with every message and told in model files: another number, other words."""

# Pages begin with much blank space, dense scripts have many words in few characters.
_START_CAP, _START_PIECES, _START_READ, _START_WORDS = 4000, 10, 100, 6


def collect(mail: Mail, words: PlainTable) -> tuple[int, ...]:
    """Let the table meet the words of a message, too long ones among them; the measures."""
    text, pages, links = _read(mail)
    heads = dict(reversed(mail.headers))
    count, mixed = _add_body(text, words)
    others: list[str] = []
    hosts = _add_link_words(links, others)
    measures = (
        mail.size,
        count,
        len(links),
        hosts,
        [link.kind for link in links].count("img"),
        sum(page.tag_count for page in pages),
        len(mail.files),
        len(mail.headers),
        [name for name, _ in mail.headers].count("received"),
        heads.get("to", "").count("@") + heads.get("cc", "").count("@"),
        len(heads.get("subject", "")),
        text.count("\n>"),
        *character_shares(text),
    )
    others += head_words(mail.headers)
    others += _start_words(text)
    others += fact_words(mail, heads)
    others += measure_words(measures)
    others += [f"html:{trick}" for page in pages for trick in page.tricks]
    others += _file_words(mail)
    if mixed:
        others.append("text:mixed-scripts")
    words.add_words(others)
    return measures


def _read(mail: Mail) -> tuple[str, list[HtmlPage], list[Link]]:
    """What all the text parts hold: what a person reads, the pages, the links."""
    texts, pages, links = list[str](), list[HtmlPage](), list[Link]()
    for part in mail.texts:
        text = part.text
        if part.kind == "text/html":
            pages.append(page := read_page(text))
            links += page.links
            text = page.text
        texts.append(text)
        links += links_in(text)
    return "\n".join(texts), pages, links


def _add_body(text: str, words: PlainTable) -> tuple[int, bool]:
    """How many words the text has, and whether some mix scripts to deceive."""
    western = as_western(text)
    if western is not None:
        return words.add_text(western), False
    body, mixed = split_and_judge(text)
    words.add_words(body)
    return len(body), mixed


def _add_link_words(links: list[Link], words: list[str]) -> int:
    """Add hosts and domains that links lead to, and first words of the ways there; how many hosts they are."""
    hosts: set[str] = set()
    for link in links:
        target = read_target(link.target)
        hosts.add(target.host)
        words += target.words
        if link.kind == "elsewhere":
            words.append("link:elsewhere")
    return len(hosts)


def _start_words(text: str) -> list[str]:
    """How the text begins: its first pairs of words."""
    words = split_words(" ".join(text[:_START_CAP].split(None, _START_PIECES)[:_START_PIECES])[:_START_READ])
    return [f"start:{one} {other}" for one, other in pairwise(words[:_START_WORDS])]


def _file_words(mail: Mail) -> list[str]:
    words: list[str] = []
    for file in mail.files:
        words += (f"file:{file.kind}", f"file:.{file.name.lower().rpartition('.')[2]}")
        words += [f"file:{word}" for word in split_words(file.name)]
    return words


Taken = tuple[bytes, bytes, tuple[int, ...]]
"""The evidence of a message: its word numbers, sorted, and how often each occurs, as 32-bit integers; its measures."""


class Tokenizer:
    """Takes the evidence out of messages, numbering words from 0 in the order of meeting."""

    def __init__(self) -> None:
        self._table = new_table()
        self._told = 0

    def take(self, mail: Mail) -> Taken:
        self._table.begin()
        measures = collect(mail, self._table)
        return (*self._table.take(), measures)

    def new_words(self) -> list[str]:
        """The words met since the last time, in the order of their numbers."""
        words = self._table.words_from(self._told)
        self._told += len(words)
        return words
