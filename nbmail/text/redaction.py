"""Text without addresses and secrets."""

import base64
import re
from collections.abc import Iterator
from contextlib import suppress

# Characters of addresses are matched as one run: a search from each character takes hours for a
# long run.
_RUN = re.compile(r"[\w.+%@-]++(?:(?<=@)\[[^\]\s]*+\]?)?")
_ADDRESS = re.compile(r"[^@](?:@|%40)[\w.\[-]")
_SECRET = re.compile(
    r"(?i)\b(pass(?:word)?|token|secret|bearer|login|authenticate)\b([=: ]+)(\S.*)"
)

# Letters that URLs write differently.
_BASE64_VARIANTS = {"+": "[+-]", "/": "[/_]"}
# A shorter secret occurs in any text by chance.
_MIN_SECRET = 3
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# Encodings of a text before it is written as hexadecimal, octal or base64.
_ENCODINGS = ("utf-8", "latin-1", "utf-16-le", "utf-16-be")
# Text between encoded bytes: line breaks, also escaped, separators and prefixes.
_BREAK = r"(?:\s|\\[rn])*+"
_BETWEEN_NUMBERS = r"(?:[\s,;:%=-]|\\[rnx]?|0[xo])*+"

# Patterns of known secrets. Only added to, by the accounts' threads.
_PATTERNS: dict[str, re.Pattern[str]] = {}


def keep_out(secret: str) -> None:
    """Redact `secret` from now on, also if it is quoted, escaped or encoded."""
    if len(secret) >= _MIN_SECRET and secret not in _PATTERNS:
        literal = "".join(map(_character_pattern, secret))
        _PATTERNS[secret] = re.compile(f"{_encoded_pattern(secret)}|(?i:{literal})")


def redact(text: str) -> str:
    """Remove addresses, known secrets, and the text after words such as "password"."""
    # The longest first: another may be a part of it.
    for secret in sorted(_PATTERNS, key=len, reverse=True):
        text = _PATTERNS[secret].sub("<secret>", text)
    return _RUN.sub(_without_address, _SECRET.sub(r"\1\2<secret>", text))


def _character_pattern(letter: str) -> str:
    """Return a pattern for one character: literal, escaped, as entity, or as encoded bytes."""
    if letter.isascii() and letter.isalnum():
        return letter
    point = ord(letter)
    ways = {
        rf"\\?{re.escape(letter)}",
        rf"\\u{point:04x}",
        rf"\\U{point:08x}",
        rf"\\x{point:02x}",
        f"&#{point};",
        f"&#x{point:x};",
    }
    for encoding in ("utf-8", "latin-1"):
        with suppress(UnicodeEncodeError):
            ways.add("".join(map(_byte_pattern, letter.encode(encoding))))
    if letter == " ":
        ways.add(r"\+")
    if letter in _ENTITIES:
        ways.add(_ENTITIES[letter])
    return f"(?:{'|'.join(sorted(ways))})"


def _byte_pattern(byte: int) -> str:
    return rf"(?:[%=]{byte:02x}|\\x{byte:02x}|{re.escape(chr(byte))})"


def _encoded_pattern(secret: str) -> str:
    """Return a pattern for the bytes of a secret in hexadecimal, octal and base64."""
    found = set[str]()
    for encoding in _ENCODINGS:
        raw = secret.encode(encoding, "replace")
        hexadecimal = _BETWEEN_NUMBERS.join(f"{byte:02x}" for byte in raw)
        found.add(f"(?i:{hexadecimal})")
        found.add(_BETWEEN_NUMBERS.join(f"{byte:03o}" for byte in raw))
        found.update(_base64_patterns(raw))
    return "|".join(sorted(found))


def _base64_patterns(raw: bytes) -> Iterator[str]:
    """Yield a pattern for each of the three alignments."""
    for before in range(3):
        written = base64.b64encode(b"\0" * before + raw).decode("ascii")
        # Letters that other bytes have a part in are left out.
        first = -(-before * 8 // 6)
        last = (before + len(raw)) * 8 // 6
        shown = written[first:last]
        if len(shown) >= _MIN_SECRET:
            yield _BREAK.join(_BASE64_VARIANTS.get(letter, letter) for letter in shown)


def _without_address(run: re.Match[str]) -> str:
    return "<address>" if _ADDRESS.search(run[0]) else run[0]
