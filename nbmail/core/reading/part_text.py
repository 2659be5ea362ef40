"""Text of message parts, from bytes in charsets that may lie, and from HTML pages with links and
tricks that hide text.

No decoding raises. The meaning of a tag is cached, because the tags of mail repeat.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from nbmail import html_hiding
from nbmail.core.compiled import compiled
from nbmail.core.reading.words import BoundedCache
from nbmail.html_hiding import INHERITED, Effect
from nbmail.html_tags import read_references, split_tags, without_unread
from nbmail.text.web_addresses import domain_of, read_place

TEXT_CAP = 65536

# Declared names that are read as a larger charset: senders declare the small one and use the large
# one.
_READ_AS = {
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk", "cp936"), "gb18030"),
    **dict.fromkeys(("ks_c_5601-1987", "euc-kr"), "cp949"),
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis", "sjis"), "cp932"),
    **dict.fromkeys(("iso-8859-1", "latin1", "us-ascii", "ascii"), "cp1252"),
    **dict.fromkeys(("windows-874", "tis-620", "iso-8859-11"), "cp874"),
    "hz-gb-2312": "hz",
    "big5": "big5hkscs",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso-8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "utf8": "utf-8",
}
# Charsets in which plain ASCII bytes may mean something else; every other one is read as ASCII when
# it is ASCII.
_SHIFTING = (
    "iso-2022", "hz", "utf-7", "unicode-1-1-utf-7", "utf-16", "utf-32", "cp037", "cp500", "cp1140", "csiso2022",
)  # fmt: skip
# Codecs that turn bytes to text; others Python knows ("zip", "rot13") are not charsets, and a few
# read too slowly.
_NOT_CHARSETS = {
    "idna",
    "punycode",
    "unicode_escape",
    "raw_unicode_escape",
    "undefined",
    "mbcs",
    "oem",
}

_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_ENCODED_WORDS = re.compile(r"\?=\s+=\?")
_LOW = bytes(range(0x81))
_LETTERS = bytes(range(0xC0, 0x100))
_HALVES = re.compile("[\ud800-\udfff]")
_HIGH_PAIR = re.compile(rb"[\x81-\xfe][\xa1-\xfe]")


@lru_cache(256)
def charset_codec(name: str) -> str | None:
    name = name.strip().lower().partition("*")[0]
    name = _READ_AS.get(name, name)
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    if not info._is_text_encoding or info.name.replace("-", "_") in _NOT_CHARSETS:
        return None
    return info.name


def decode_text(body: bytes, charset: str) -> str:
    """Return the text: valid ASCII or UTF-8 whatever was declared, otherwise by the charset or by a
    guess.
    """
    shifting = charset.lower().startswith(_SHIFTING)
    if not shifting:
        if body.isascii():
            return body.decode("ascii")
        try:
            return codecs.utf_8_decode(body, "strict", False)[0]
        except UnicodeDecodeError:
            pass
    codec = charset_codec(charset) if charset else None
    if codec is None or codec in ("utf-8", "cp1252", "ascii"):
        codec = "gb18030" if _looks_double_byte(body) else "cp1252"
    text = body.decode(codec, "replace")
    try:
        text.encode()
    except UnicodeEncodeError:
        # UTF-7 may contain halves of surrogate pairs, which no file or database accepts.
        return _HALVES.sub("\ufffd", text)
    return text


def _looks_double_byte(body: bytes) -> bool:
    """Return whether high bytes come in pairs and many are no letters in single-byte charsets."""
    sample = body[:4096]
    high = sample.translate(None, _LOW)
    if len(high) < 8 or len(high.translate(None, _LETTERS)) <= 0.15 * len(high):
        return False
    return 2 * len(_HIGH_PAIR.findall(sample)) > 0.8 * len(high)


def decode_transfer(body: bytes, encoding: str, most: int = TEXT_CAP) -> bytes:
    """Undo a Content-Transfer-Encoding. Return at most `most` bytes; invalid input is decoded as
    far as possible.
    """
    encoding = encoding.strip().lower()
    if encoding == "base64":
        return _decode_base64(body[: most * 3 // 2])[:most]
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body[: most * 3])[:most]
    return body[:most]


def _decode_base64(body: bytes) -> bytes:
    for padding in (b"", b"=", b"=="):
        try:
            return binascii.a2b_base64(body + padding)
        except binascii.Error:
            continue
    # One stray digit at the end: everything before it is valid.
    digits = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
    return binascii.a2b_base64(digits[: len(digits) // 4 * 4])


def decoded_size(body: bytes, encoding: str) -> int:
    """Return the size of a part after transfer decoding, in bytes, without decoding it."""
    if encoding.strip().lower() != "base64":
        return len(body)
    digits = len(body) - body.count(b"\n") - body.count(b"=") - body.count(b" ")
    return max(0, digits) * 3 // 4


def decode_words(value: str) -> str:
    """Return a header's text with its encoded words read; adjacent ones join without the space
    between them.
    """
    if "=?" not in value:
        return value
    value = _BETWEEN_ENCODED_WORDS.sub("?==?", value)
    chunks: list[str] = []
    waiting: list[bytes] = []
    charset = ""
    end = 0
    for found in _ENCODED_WORD.finditer(value):
        between = value[end : found.start()]
        if between or found[1].lower() != charset:
            chunks.append(decode_text(b"".join(waiting), charset))
            waiting.clear()
        chunks.append(between)
        charset = found[1].lower()
        end = found.end()
        data = found[3].encode("utf-8", "replace")
        waiting.append(
            _decode_base64(data) if found[2] in "bB" else binascii.a2b_qp(data, header=True)
        )
    chunks += (decode_text(b"".join(waiting), charset), value[end:])
    return "".join(chunks)


def decode_parameter(value: str) -> str:
    """Return an extended parameter (`utf-8'en'na%C3%AFve`) as text."""
    charset, mark, rest = value.partition("'")
    if not mark:
        return decode_text(unquote_to_bytes(value), "")
    return decode_text(unquote_to_bytes(rest.partition("'")[2]), charset)


LINK_CAP = 500
TAG_CAP = 8000

_WRITTEN_OUT = re.compile(r"[^\s<>\"')\]]{1,500}")
_PATH_CAP = 100
_LONGEST_PATH_WORD = 20
_PATH_WORDS = re.compile(r"[^a-z0-9]*([a-z0-9]*)" * 3)
_NUMERIC = re.compile(r"(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{6,}|0x[0-9a-f]+)(?::\d+)?")
# Tags that don't end a word: "V<b></b>iagra" is one word.
_INLINE = frozenset(
    ("a", "abbr", "b", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "o:p", "s", "small", "span", "strike",
     "strong", "sub", "sup", "tt", "u", "wbr")
)  # fmt: skip
_LINKING = frozenset(
    ("a", "area", "img", "form", "iframe", "frame", "body", "table", "td", "link", "input")
)
_LINK_ATTRIBUTES = ("href", "src", "action", "background")
_TARGET = re.compile(
    rf"""\b(?:{"|".join(_LINK_ATTRIBUTES)})\s*=[\s"']*([^"'\s>]{{1,500}})""", re.IGNORECASE
)
# Signs of hidden text, in a tag in lower case without its spaces. One pattern for all takes twice
# the time.
_HIDING = (
    "display:none", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0;", 'opacity:0"', "mso-hide:all",
    "max-height:0", "line-height:0", "fontcolor=white", 'fontcolor="white', "fontcolor=#ffffff", 'fontcolor="#ffffff',
    ";color:#fff", '"color:#fff', ";color:white", '"color:white',
)  # fmt: skip


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


class HtmlPage(NamedTuple):
    """Contents of an HTML part. `tricks`: names of features. `hidden`: text that the window doesn't
    show.
    """

    text: str
    links: list[Link]
    tag_count: int
    tricks: list[str]
    hidden: str = ""


def read_page(source: str) -> HtmlPage:
    hidden = list[str]()
    sheets = list[str]()
    page = without_unread(source, hidden, sheets)
    nesting = html_hiding.nesting_of, INHERITED, html_hiding.inside, html_hiding.state_of
    read = _read_tags(page, TAG_CAP, _TAGS, _links_of, partial(_effects_in, sheets), *nesting)
    text, (links, hides), tag_count, unshown = read
    tricks = (["comment"] if "<!--" in source else []) + (["hiding"] if hides else [])
    return HtmlPage(
        unescape(text), links, tag_count, tricks, unescape(" ".join((*hidden, *unshown)))
    )


def read_plainly(
    page: str,
    most_tags: int,
    meanings: Mapping[str, _Meaning],
    links_of: _LinksOf,
    effects_in: _EffectsIn,
    *_: object,
) -> tuple[str, tuple[list[Link], bool], int, list[str]]:
    """Return text, links, number of tags and hidden texts of a page, as `pages.c` does."""
    texts, tags = split_tags(page, most_tags)
    found = {tag: meanings[tag] for tag in dict.fromkeys(tags)}
    shown = [
        (found[tag], text)
        for tag, text in zip(tags, texts[1:], strict=True)
        if found[tag][1] == "a"
    ]
    links = links_of([*found.values()], shown)
    effects = effects_in(found, [*found.values()]) or {}
    hidden = list[str]()
    elements = html_hiding.OpenElements()
    for place, tag in enumerate(tags if effects else (), 1):
        elements.follow(tag, effects.get(tag, INHERITED))
        if texts[place] and elements.state != html_hiding.VISIBLE:
            hidden.append(texts[place])
            texts[place] = ""
    chunks = [""] * (2 * len(tags) + 1)
    chunks[::2] = texts
    chunks[1::2] = [found[tag][0] for tag in tags]
    return "".join(chunks), links, len(tags), hidden


def _links_of(
    meanings: Sequence[_Meaning], shown: Sequence[tuple[_Meaning, str]]
) -> tuple[list[Link], bool]:
    """Return the links of a page, and True if a tag looks like hiding. `shown`: texts behind the
    tags of links.
    """
    links = [Link(name, target) for _, name, target, _, _ in meanings if target]
    links += [
        Link("elsewhere", target)
        for (_, _, target, *_), text in shown
        if target and _misleads(target, text)
    ]
    return links[:LINK_CAP], any(meaning[3] for meaning in meanings)


def _effects_in(
    sheets: Sequence[str], tags: Mapping[str, object], meanings: Sequence[_Meaning]
) -> Mapping[str, Effect] | None:
    """Return the effects of tags, None if they hide nothing."""
    effects = {
        tag: meaning[4]
        for tag, meaning in zip(tags, meanings, strict=True)
        if meaning[4] is not None
    }
    rules = html_hiding.read_rules(sheets) if sheets else {}
    if (effects or rules) and html_hiding.can_hide(
        (*effects.values(), *(rule.effect for rule in rules.values()))
    ):
        return html_hiding.effects_of(tags, effects, rules)
    return None


def unescape(text: str) -> str:
    """Return text with its character references read. A non-breaking space becomes an ordinary
    one.
    """
    return read_references(text.replace("&nbsp;", " ")) if "&" in text else text


_Meaning = tuple[str, str, str, bool, Effect | None]
"""Meaning of a tag: separator between the texts around it, name of a start tag, link target, True
if it looks like hiding, and its effect on the text behind it if it has one.
"""


_LinksOf = Callable[[Sequence[_Meaning], Sequence[tuple[_Meaning, str]]], tuple[list[Link], bool]]
_EffectsIn = Callable[[Mapping[str, object], Sequence[_Meaning]], Mapping[str, Effect] | None]
PAGES_VERSION = 3
_compiled = compiled("pages", PAGES_VERSION)
_read_tags = read_plainly if _compiled is None else _compiled.read_page


def _read_tag(written: str) -> _Meaning:
    name, _, attributes = written.replace("\n", " ").partition(" ")
    name = name.lower()
    separator = "" if name.strip("/") in _INLINE else " "
    if not attributes or name.startswith("/"):
        return separator, "" if name.startswith("/") else name.rstrip("/"), "", False, None
    lowered = written.lower()
    target = ""
    if (
        name in _LINKING
        and any(map(lowered.__contains__, _LINK_ATTRIBUTES))
        and (found := _TARGET.search(attributes))
    ):
        target = unescape(found[1])
    effect = html_hiding.read_effect(written)
    styled = "style" in lowered or lowered.startswith("font")
    hides = styled and any(map(lowered.replace(" ", "").__contains__, _HIDING))
    return separator, name, target, hides, None if effect == INHERITED else effect


# Links rarely repeat.
_TAGS = BoundedCache(
    _read_tag, 20_000, lambda written, meaning: not meaning[2] and len(written) < 200
)


def _misleads(target: str, text: str) -> bool:
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
