"""A list of messages as lines for a terminal: chance, verdict, sender, subject, and the words that decided."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

WIDTHS = (17, 8, 20, 42)
HEADS = ("chance", "verdict", "from", "subject", "what spoke loudest (+ for junk, - for good)")


@dataclass(frozen=True, slots=True)
class TerminalLine:
    """One message: chance, verdict, sender, subject. `words` are its strongest, each with its sign in front."""

    cells: tuple[str, ...]
    words: Sequence[str]


def table(lines: Sequence[TerminalLine]) -> list[str]:
    """The lines, aligned, under their heads."""
    rule = "  ".join("-" * width for width in (*WIDTHS, len(HEADS[-1])))
    return [_row(HEADS), rule, *(_row(_cells(line)) for line in lines)]


def _cells(line: TerminalLine) -> tuple[str, ...]:
    return (*line.cells, "  ".join(line.words))


def _row(cells: Sequence[str]) -> str:
    fixed = [fit(cell, width) for cell, width in zip(cells, WIDTHS, strict=False)]
    return "  ".join([*fixed, *cells[len(WIDTHS) :]]).rstrip()


def fit(text: str, width: int) -> str:
    """The text cut or filled to so many columns; wide characters take two."""
    kept, used = [], 0
    for letter in text:
        columns = _columns(letter)
        if used + columns > width:
            break
        kept.append(letter)
        used += columns
    if len(kept) < len(text):
        while kept and used > width - 1:
            used -= _columns(kept.pop())
        kept.append("…")
        used += 1
    return "".join(kept) + " " * (width - used)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cc", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
