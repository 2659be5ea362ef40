"""Mail to clues: its words with their places, its facts and measures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from nbmail.core.facts import character_shares, fact_words, header_measures, measure_words
from nbmail.core.folding import split_and_judge, split_words
from nbmail.core.headwords import head_words
from nbmail.core.hypertext import Page, read_page
from nbmail.core.links import Link, links_in, read_target
from nbmail.core.mail import Mail
from nbmail.core.placing import Place
from nbmail.core.sample import Clues

TOKENIZER_VERSION = 2
# Longer ones are numbers of messages and encoded data: they never come back.
LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user may choose about words: trust other filters' verdict headers, count neighbouring pairs."""

    verdict_headers: bool = False
    pairs: bool = False


def gather(mail: Mail, choices: Choices | None = None) -> Clues:
    """All the evidence of one message."""
    words, measures = collect(mail, choices or Choices())
    found = Counter(words)
    for word in [word for word in found if len(word) > LONGEST_WORD]:
        del found[word]
    return Clues(tuple(found), tuple(found.values()), measures)


def collect(mail: Mail, choices: Choices) -> tuple[list[str], tuple[int, ...]]:
    """The same before counting: words as often as they occur, also too long ones, and the measures."""
    reading = _read(mail)
    body, mixed = split_and_judge(reading.text)
    words = body.copy()
    hosts = _add_link_words(reading.links, words)
    measures = (
        mail.size,
        len(body),
        len(reading.links),
        hosts,
        sum(link.kind == "img" for link in reading.links),
        sum(page.tag_count for page in reading.pages),
        len(mail.files),
        *header_measures(mail),
        reading.text.count("\n>"),
        *character_shares(reading.text),
    )
    words += head_words(mail.headers, choices.verdict_headers)
    words += fact_words(mail)
    words += measure_words(measures)
    if reading.pages:
        words += _page_words(reading.pages)
    if mail.files:
        words += _file_words(mail)
    if mixed:
        words.append("text:mixed-scripts")
    if choices.pairs:
        words += map(" ".join, pairwise(body))
    return words, measures


@dataclass(slots=True)
class _Reading:
    """What all the text parts hold."""

    text: str = ""
    pages: list[Page] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


def _read(mail: Mail) -> _Reading:
    reading, texts = _Reading(), []
    for part in mail.texts:
        text = part.text
        if part.kind == "text/html":
            page = read_page(text)
            reading.pages.append(page)
            reading.links += page.links
            text = page.text
        texts.append(text)
        reading.links += links_in(text)
    reading.text = "\n".join(texts)
    return reading


def _add_link_words(links: list[Link], words: list[str]) -> int:
    """Add hosts, domains and paths that links lead to; how many hosts they are."""
    hosts: set[str] = set()
    for link in links:
        target = read_target(link.target)
        hosts.add(target.host)
        words += target.words
        if link.kind == "elsewhere":
            words.append("link:elsewhere")
    return len(hosts)


def _page_words(pages: list[Page]) -> list[str]:
    """What a page is made of: its tags, and tricks that hide text."""
    words: list[str] = []
    for page in pages:
        words += _HTML.words(page.tags) + _HTML.words(page.tricks)
    return words


def _file_words(mail: Mail) -> list[str]:
    words: list[str] = []
    for file in mail.files:
        words += (f"file:{file.kind}", f"file:.{file.name.lower().rpartition('.')[2]}")
        words += [f"file:{word}" for word in split_words(file.name)]
    return words


_HTML = Place("html")
