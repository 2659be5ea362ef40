"""Lengths in styles and attributes of a page."""

import re
from typing import NamedTuple

_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})\s*(px|pt|em|rem|%|)")
_PIXELS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16}
"""Pixels of one unit. Percentages are those of a letter of 16 pixels."""


class Length(NamedTuple):
    """Number and unit at the beginning of a value."""

    number: float
    unit: str

    @property
    def pixels(self) -> float:
        return self.number * _PIXELS[self.unit]

    @property
    def is_share(self) -> bool:
        return self.unit == "%"


def read_length(written: str) -> Length | None:
    found = _LENGTH.match(written)
    return Length(float(found[1]), found[2]) if found else None
