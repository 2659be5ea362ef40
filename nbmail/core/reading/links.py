"""Where links lead: hosts, the domains they belong to, and what is odd about them."""

import re
from functools import lru_cache
from typing import NamedTuple

from nbmail.links import domain_of, read_place

LINK_CAP = 500

_WRITTEN_OUT = re.compile(r"[^\s<>\"')\]]{1,500}")
_PATH_CAP, _PATH_WORDS, _PATH_WORD = 100, 3, 20
_PATH_SPLIT = re.compile(r"[a-z0-9]+")
_NUMERIC = re.compile(r"(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{6,}|0x[0-9a-f]+)(?::\d+)?")


class Link(NamedTuple):
    """Where a link leads; `kind` is the HTML tag that holds it, "text", or "elsewhere" for one that misleads."""

    kind: str
    target: str


class Target(NamedTuple):
    """What a link's target tells: its host, the domain that belongs to, and its words."""

    host: str
    domain: str
    words: tuple[str, ...]


def links_in(text: str) -> list[Link]:
    """Web addresses written out in plain text, found by what they have in common and no search over all of it."""
    found: list[Link] = []
    for mark, start in (("://", "http://"), ("www.", "http://www.")):
        if mark not in text:
            continue
        before, *chunks = text.split(mark, LINK_CAP)
        for chunk in chunks:
            if (mark == "://" or not before.endswith("://")) and (rest := _WRITTEN_OUT.match(chunk)):
                found.append(Link("text", start + rest[0]))
            before = chunk
    return found


@lru_cache(8192)
def read_target(target: str) -> Target:
    """Return host, domain and words of an address."""
    _, mark, rest = target.partition("://")
    if not mark:
        return Target("", "", (f"link:{target.partition(':')[0].lower()[:12]}:",))
    place = read_place(rest)
    found = _read_host(place.server.lower(), place.has_user)
    return found if not place.path else Target(*found[:2], (*found.words, *_path_words(place.path)))


@lru_cache(4096)
def _read_host(host: str, has_user: bool) -> Target:
    domain = domain_of(host)
    words = [f"link:{host}", f"link:@{domain}"]
    if has_user:
        words.append("link:user@")
    if _NUMERIC.fullmatch(host):
        words.append("link:number")
    return Target(host, domain, tuple(words))


def _path_words(path: str) -> list[str]:
    """The first words of the way to a page, but its long numbers and keys: they never come back."""
    found = _PATH_SPLIT.findall(path[:_PATH_CAP].lower())[:_PATH_WORDS]
    return [f"path:{word}" for word in found if len(word) <= _PATH_WORD]
