"""Text from bytes in charsets and encodings that may lie. No decoding raises."""

from __future__ import annotations

import binascii
import codecs
import re
from functools import lru_cache
from urllib.parse import unquote_to_bytes

TEXT_CAP = 65536
REPLACEMENT = "\ufffd"
"""Character that stands for bytes that can't be read."""

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
    "iso-2022", "hz", "utf-7", "unicode-1-1-utf-7", "utf-16", "utf-32", "cp037", "cp500", "cp1140",
    "csiso2022",
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
    """Return the text: valid ASCII or UTF-8 whatever was declared.

    Other text is read by the charset, or by a guess. A few broken bytes of UTF-8 are replaced.
    """
    is_shifting = charset.lower().startswith(_SHIFTING)
    if not is_shifting:
        if body.isascii():
            return body.decode("ascii")
        try:
            return codecs.utf_8_decode(body, "strict", False)[0]
        except UnicodeDecodeError:
            pass

    codec = charset_codec(charset) if charset else None
    if codec in (None, "utf-8"):
        text = codecs.utf_8_decode(body, "replace", False)[0]
        if _is_mostly_valid(body, text):
            return text
    if codec is None or codec in ("utf-8", "cp1252", "ascii"):
        codec = "gb18030" if _looks_double_byte(body) else "cp1252"
    text = body.decode(codec, "replace")
    try:
        text.encode()
    except UnicodeEncodeError:
        # UTF-7 may contain halves of surrogate pairs, which no file or database accepts.
        return _HALVES.sub(REPLACEMENT, text)
    return text


def _is_mostly_valid(body: bytes, text: str) -> bool:
    """Return whether more characters above ASCII are valid UTF-8 than are broken."""
    broken = text.count(REPLACEMENT) - body.count(REPLACEMENT.encode())
    above_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return above_ascii - broken > broken


def _looks_double_byte(body: bytes) -> bool:
    """Return whether high bytes come in pairs and many are no letters in single-byte charsets."""
    sample = body[:4096]
    high = sample.translate(None, _LOW)
    if len(high) < 8 or len(high.translate(None, _LETTERS)) <= 0.15 * len(high):
        return False
    return 2 * len(_HIGH_PAIR.findall(sample)) > 0.8 * len(high)


def decode_transfer(body: bytes, encoding: str, most: int = TEXT_CAP) -> bytes:
    """Undo a Content-Transfer-Encoding. Return at most `most` bytes.

    Invalid input is decoded as far as possible.
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
    """Return a header's text with its encoded words read.

    Adjacent ones join without the space between them.
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
        end = found.end()
        own_charset, encoding, encoded = found.groups()
        # A character can be cut by the end of an encoded word: equal charsets are decoded together.
        if between or own_charset.lower() != charset:
            chunks.append(decode_text(b"".join(waiting), charset))
            waiting.clear()
        chunks.append(between)
        charset = own_charset.lower()
        data = encoded.encode("utf-8", "replace")
        is_base64 = encoding in "bB"
        waiting.append(_decode_base64(data) if is_base64 else binascii.a2b_qp(data, header=True))
    chunks.append(decode_text(b"".join(waiting), charset))
    chunks.append(value[end:])
    return "".join(chunks)


def decode_parameter(value: str) -> str:
    """Return an extended parameter (`utf-8'en'na%C3%AFve`) as text."""
    charset, mark, rest = value.partition("'")
    if not mark:
        return decode_text(unquote_to_bytes(value), "")
    return decode_text(unquote_to_bytes(rest.partition("'")[2]), charset)
