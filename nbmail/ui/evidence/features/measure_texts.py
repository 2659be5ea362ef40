"""Phrases for measures of a message: size, links, share of capitals."""

from typing import NamedTuple

from nbmail.ui.texts.language import format_count, locale, once_per_language, tr
from nbmail.ui.texts.number_texts import THIN, size_text

SHARES = frozenset({"capitals", "digits", "exclamations", "foreign"})
"""Measures in letters per thousand."""


class MeasureTexts(NamedTuple):
    """Phrases of a measure. `none` and `one` are empty where `many` stands for all values."""

    none: str
    one: str
    many: str

    def for_value(self, value: float) -> str:
        if value == 0 and self.none:
            return self.none
        if value == 1 and self.one:
            return self.one
        return self.many


def quantity_text(name: str, value: float) -> str:
    """Return the value of a measure with its unit."""
    if name == "size":
        return size_text(round(value))
    if name in SHARES:
        return f"{locale().toString(value / 10, 'f', 1)}{THIN}%"
    if isinstance(value, int):
        return format_count(value)
    return locale().toString(value, "f", 1)


def value_text(name: str, value: float) -> str:
    """Return the phrase of a measure with its value, as in “3 links”."""
    if name == "size":
        text = tr("size {n}")
    elif name in measures():
        text = measures()[name].for_value(value)
    else:
        text = f"{name} {{n}}"
    return text.format(n=quantity_text(name, value))


def measure_text(name: str, bits: str) -> str:
    """Return the phrase of a measure whose value is a number of bits.

    "links=3" means 4 to 7 links.
    """
    if name not in measures():
        return f"{name}={bits}"
    texts = measures()[name]
    if not bits.isdecimal():
        return texts.many.format(n="…")
    number = int(bits)
    if number == 0:
        return texts.none
    if number == 1 and name != "size" and name not in SHARES:
        return texts.one
    least = 2 ** (number - 1)
    most = 2**number - 1
    return texts.many.format(n=_range_text(name, least, most))


def _range_text(name: str, lowest: int, highest: int) -> str:
    if name == "size":
        return size_text(highest + 1)
    if name in SHARES:
        return _share_range(lowest, min(1000, highest + 1))
    text = tr("{low} to {high}")
    return text.format(low=format_count(lowest), high=format_count(highest))


def _share_range(lowest: int, highest: int) -> str:
    """Return a range of letters per thousand in percent. Small shares have a decimal."""
    digits = 1 if lowest < 32 else 0
    first = locale().toString(lowest / 10, "f", digits)
    last = locale().toString(highest / 10, "f", digits)
    return tr("{low} to {high} %").format(low=first, high=last)


@once_per_language
def measures() -> dict[str, MeasureTexts]:
    texts = {
        "size": (tr("empty"), "", tr("size up to {n}")),
        "words": (tr("no words"), tr("1 word"), tr("{n} words")),
        "links": (tr("no links"), tr("1 link"), tr("{n} links")),
        "link-hosts": (tr("no linked servers"), tr("1 linked server"), tr("{n} linked servers")),
        "images": (tr("no pictures"), tr("1 picture"), tr("{n} pictures")),
        "tags": (tr("no HTML tags"), tr("1 HTML tag"), tr("{n} HTML tags")),
        "files": (tr("no attachments"), tr("1 attachment"), tr("{n} attachments")),
        "headers": (tr("no header lines"), tr("1 header line"), tr("{n} header lines")),
        "hops": (tr("no relay servers"), tr("1 relay server"), tr("{n} relay servers")),
        "recipients": (tr("no recipients"), tr("1 recipient"), tr("{n} recipients")),
        "subject-length": (
            tr("no subject"),
            tr("1-character subject"),
            tr("subject of {n} characters"),
        ),
        "quoted-lines": (tr("no quoted lines"), tr("1 quoted line"), tr("{n} quoted lines")),
        "capitals": (tr("no capital letters"), "", tr("{n} capital letters")),
        "digits": (tr("no digits"), "", tr("{n} digits")),
        "exclamations": (tr("no exclamation marks"), "", tr("{n} exclamation marks")),
        "foreign": (tr("no non-English letters"), "", tr("{n} non-English letters")),
    }
    return {name: MeasureTexts(*phrases) for name, phrases in texts.items()}
