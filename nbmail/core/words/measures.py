"""Measures: numeric facts of a message."""

from __future__ import annotations

from nbmail.core.mail.message import Mail
from nbmail.core.words.message_texts import MessageTexts

MEASURES = (
    "size",
    "words",
    "links",
    "link-hosts",
    "images",
    "tags",
    "files",
    "headers",
    "hops",
    "recipients",
    "subject-length",
    "quoted-lines",
    "capitals",
    "digits",
    "exclamations",
    "foreign",
)
"""Numeric facts in the order of `Sample.measures`: integers.

Shares are per mille of the bytes of the text.
"""

_SHARES_CAP = 4096
_COUNTED = bytes(range(65, 91)) + bytes(range(48, 58)) + b"!" + bytes(range(128, 256))
_UNCOUNTED = bytes(set(range(256)) - set(_COUNTED))
# The first byte of its class stands for each counted byte.
_CAPITAL = b"A"
_DIGIT = b"0"
_EXCLAMATION = b"!"
_FOREIGN = b"\x80"
_CLASSES = bytes.maketrans(_COUNTED, _CAPITAL * 26 + _DIGIT * 10 + _EXCLAMATION + _FOREIGN * 128)
_MEASURE_WORDS = [[f"measure:{name}={bits}" for bits in range(65)] for name in MEASURES]


def measures_of(mail: Mail, texts: MessageTexts, words: int, hosts: int) -> tuple[int, ...]:
    """Return the measures of a message. `words`: of its text. `hosts`: different ones of links."""
    header = mail.first_headers.get
    text = texts.text
    return (
        mail.size,
        words,
        len(texts.links),
        hosts,
        [kind for kind, _ in texts.links].count("img"),
        sum([page.tag_count for page in texts.pages]),
        len(mail.files),
        len(mail.headers),
        [name for name, _ in mail.headers].count("received"),
        header("to", "").count("@") + header("cc", "").count("@"),
        len(header("subject", "")),
        # A search for one character is many times as fast as one for two.
        text.count("\n>") if ">" in text else 0,
        *character_shares(text),
    )


def character_shares(text: str) -> tuple[int, int, int, int]:
    """Return capitals, digits, exclamation marks and bytes beyond ASCII.

    They are per mille of the first bytes of the text.
    """
    data = text[:_SHARES_CAP].encode("utf-8", "replace")
    classes = data.translate(_CLASSES, _UNCOUNTED)
    size = len(data) or 1
    return (
        1000 * classes.count(_CAPITAL) // size,
        1000 * classes.count(_DIGIT) // size,
        1000 * classes.count(_EXCLAMATION) // size,
        1000 * classes.count(_FOREIGN) // size,
    )


def measure_words(measures: tuple[int, ...]) -> list[str]:
    """Return one word for the magnitude of each measure: its number of binary digits."""
    return [
        words[value.bit_length()] for words, value in zip(_MEASURE_WORDS, measures, strict=True)
    ]
