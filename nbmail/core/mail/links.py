"""Links of a message and the features of their targets."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from nbmail.text.web_addresses import domain_of, read_place

LINK_CAP = 500

_WRITTEN_OUT = re.compile(r"[^\s<>\"')\]]{1,500}")
_PATH_CAP = 100
_LONGEST_PATH_WORD = 20
_PATH_WORDS = re.compile(r"[^a-z0-9]*([a-z0-9]*)" * 3)
_NUMERIC = re.compile(r"(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{6,}|0x[0-9a-f]+)(?::\d+)?")


class Link(NamedTuple):
    """Link of a message. `kind` is its HTML tag, "text", or "elsewhere" for a text with the address
    of another site.
    """

    kind: str
    target: str


class Target(NamedTuple):
    """Host, registered domain and features of a link's target."""

    host: str
    domain: str
    words: tuple[str, ...]


def misleads(target: str, text: str) -> bool:
    """Return whether the text of a link shows a web address of another domain than its target."""
    shown = links_in(text)
    if not shown:
        return False
    led = read_target(target)
    return led.host != "" and read_target(shown[0].target).domain != led.domain


def links_in(text: str) -> list[Link]:
    """Return web addresses in plain text. Only what follows "://" and "www." is searched."""
    found: list[Link] = []
    for mark, start in (("://", "http://"), ("www.", "http://www.")):
        before, *chunks = text.split(mark, LINK_CAP)
        for chunk in chunks:
            if (mark == "://" or not before.endswith("://")) and (
                rest := _WRITTEN_OUT.match(chunk)
            ):
                found.append(Link("text", start + rest[0]))
            before = chunk
    return found


@lru_cache(8192)
def read_target(target: str) -> Target:
    _, mark, rest = target.partition("://")
    if not mark:
        return Target("", "", (f"link:{target.partition(':')[0].lower()[:12]}:",))
    has_user, server, path = read_place(rest)
    found = _read_host(server.lower(), has_user)
    return found if not path else Target(found.host, found.domain, found.words + _path_words(path))


@lru_cache(4096)
def _read_host(host: str, has_user: bool) -> Target:
    domain = domain_of(host)
    words = [f"link:{host}", f"link:@{domain}"]
    if has_user:
        words.append("link:user@")
    if _NUMERIC.fullmatch(host):
        words.append("link:number")
    return Target(host, domain, tuple(words))


def _path_words(path: str) -> tuple[str, ...]:
    """Return the first words of a path, except for long numbers and keys, which never repeat."""
    found = _PATH_WORDS.match(path[:_PATH_CAP].lower())
    return tuple(
        [f"path:{word}" for word in found.groups() if 0 < len(word) <= _LONGEST_PATH_WORD]
        if found
        else []
    )
