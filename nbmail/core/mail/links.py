"""Links of a message and the features of their targets."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from nbmail.text.web_addresses import domain_of, read_place

LINK_CAP = 500

_WRITTEN_OUT = re.compile(r"[^\s<>\"')\]]{1,500}")
_LONGEST_SCHEME = 12
_PATH_CAP = 100
_LONGEST_PATH_WORD = 20
_PATH_WORDS = re.compile(r"[^a-z0-9]*([a-z0-9]*)" * 3)
_NUMERIC = re.compile(r"(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{6,}|0x[0-9a-f]+)(?::\d+)?")


class Link(NamedTuple):
    """Link of a message.

    `kind` is its HTML tag, "text", or "elsewhere" for a text with the address of another site.
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
    _, *after_scheme = text.split("://", LINK_CAP)
    found = [Link("text", f"http://{rest}") for rest in map(_address_at, after_scheme) if rest]
    before, *after_www = text.split("www.", LINK_CAP)
    for chunk in after_www:
        rest = "" if before.endswith("://") else _address_at(chunk)
        if rest:
            found.append(Link("text", f"http://www.{rest}"))
        before = chunk
    return found


def _address_at(text: str) -> str:
    """Return the address that a text begins with, empty without one."""
    found = _WRITTEN_OUT.match(text)
    return "" if found is None else found[0]


@lru_cache(8192)
def read_target(target: str) -> Target:
    scheme, mark, rest = target.partition("://")
    if not mark:
        scheme = scheme.partition(":")[0].lower()
        return Target("", "", (f"link:{scheme[:_LONGEST_SCHEME]}:",))
    has_user, server, path = read_place(rest)
    found = _read_host(server.lower(), has_user)
    if not path:
        return found
    return Target(found.host, found.domain, found.words + _path_words(path))


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
    words = found.groups() if found else ()
    return tuple([f"path:{word}" for word in words if 0 < len(word) <= _LONGEST_PATH_WORD])
