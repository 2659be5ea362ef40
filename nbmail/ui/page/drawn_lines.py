"""Drawings, tables and patches in plain text, whose columns must stay aligned."""

import re
from collections.abc import Sequence
from itertools import groupby

_COLUMN = re.compile(r"(?<=\S)(?: {2,}|\t+)(?=\S)")
_SIGNS = re.compile(r"[-|+=_/\\*#~^<>\u2500-\u259f]")
_BOX = re.compile(r"\s*[|+].*[|+]$|.*[\u2500-\u259f]{2}")
_PATCH_STARTS = re.compile(r"diff --git |@@ -\d|Index: \S|--- \S.*")
_PATCHED = re.compile(
    r"[-+ @\\]|diff |index |(?:new|deleted) file|similarity |rename |Binary |=====|$"
)
LEAST_SIGNS = 4


def drawn_lines(lines: Sequence[str]) -> list[bool]:
    """Return, for each line, whether its columns are part of a drawing, a table or a patch."""
    drawn = _patched_lines(lines)
    start = 0
    for is_blank, group in groupby(lines, key=lambda line: not line.strip()):
        run = list(group)
        end = start + len(run)
        if not is_blank and _is_drawn(run):
            drawn[start:end] = [True] * len(run)
        start = end
    return drawn


def _patched_lines(lines: Sequence[str]) -> list[bool]:
    """Return, for each line, whether it is part of a patch."""
    found = list[bool]()
    is_inside = False
    following = [*lines[1:], ""]
    for line, next_line in zip(lines, following, strict=True):
        starts = _starts_patch(line, next_line)
        is_inside = starts or (is_inside and _PATCHED.match(line) is not None)
        found.append(is_inside)
    return found


def _starts_patch(line: str, next_line: str) -> bool:
    if _PATCH_STARTS.match(line) is None:
        return False
    # A line of dashes is a heading unless the other file follows.
    return line[0] != "-" or next_line.startswith("+++ ")


def _is_drawn(run: Sequence[str]) -> bool:
    """True for consecutive lines of which at least half are drawn or have a column in common."""
    signs = sum(_is_sign_line(line) for line in run)
    starts = [{found.end() for found in _COLUMN.finditer(line.expandtabs())} for line in run]
    places = set[int]().union(*starts)
    common = max((sum(place in each for each in starts) for place in places), default=0)
    least = 2 if signs else 3
    return max(signs, common) >= max(least, len(run) / 2)


def _is_sign_line(line: str) -> bool:
    """True for a line of boxes, or one that consists mostly of signs."""
    if len(set(line.strip())) == 1:
        # A rule above or below a text.
        return False
    if _BOX.match(line):
        return True
    letters = len(line) - line.count(" ")
    return letters >= LEAST_SIGNS and 2 * len(_SIGNS.findall(line)) >= letters
