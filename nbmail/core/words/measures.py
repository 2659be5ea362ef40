"""Numeric facts of a message."""

from __future__ import annotations

MEASURES = (
    "size", "words", "links", "link-hosts", "images", "tags", "files", "headers", "hops", "recipients",
    "subject-length", "quoted-lines", "capitals", "digits", "exclamations", "foreign",
)  # fmt: skip
"""Numeric facts in the order of `Sample.measures`: integers. Shares are per mille of the bytes of
the text.
"""

_SHARES_CAP = 4096
_COUNTED = bytes(range(65, 91)) + bytes(range(48, 58)) + b"!" + bytes(range(128, 256))
_UNCOUNTED = bytes(set(range(256)) - set(_COUNTED))
# The first byte of its class stands for each counted byte.
_CLASSES = bytes.maketrans(_COUNTED, b"A" * 26 + b"0" * 10 + b"!" + b"\x80" * 128)
_MEASURE_WORDS = [[f"measure:{name}={bits}" for bits in range(65)] for name in MEASURES]


def character_shares(text: str) -> tuple[int, ...]:
    """Return capitals, digits, exclamation marks and bytes beyond ASCII, per mille of the first
    bytes of the text.
    """
    data = text[:_SHARES_CAP].encode("utf-8", "replace")
    classes = data.translate(_CLASSES, _UNCOUNTED)
    size = len(data) or 1
    return tuple([1000 * classes.count(each) // size for each in (b"A", b"0", b"!", b"\x80")])


def measure_words(measures: tuple[int, ...]) -> list[str]:
    return [
        words[value.bit_length()] for words, value in zip(_MEASURE_WORDS, measures, strict=True)
    ]
