"""Paragraphs of a bearable length. Qt lays a paragraph out as a whole, in a time that grows with its square where the
scripts change or no space comes: 65,000 letters, Latin and Hebrew in turn, took 20 s, and 5 s at each resize."""

from collections.abc import Iterator

LONGEST_PARAGRAPH = 2_000


def cut(text: str, first: int = LONGEST_PARAGRAPH) -> Iterator[str]:
    """The text in pieces, none longer than a paragraph may be, the first not longer than `first`; at a space if any."""
    start, room = 0, max(1, first)
    while len(text) - start > room:
        space = text.rfind(" ", start + room // 2, start + room)
        end = space + 1 if space >= 0 else start + room
        yield text[start:end]
        start, room = end, LONGEST_PARAGRAPH
    yield text[start:]


def bearable(text: str) -> str:
    """The text with its longest lines broken."""
    return "\n".join(chunk for line in text.splitlines() for chunk in cut(line)) if _too_long(text) else text


def _too_long(text: str) -> bool:
    return len(text) > LONGEST_PARAGRAPH and any(len(line) > LONGEST_PARAGRAPH for line in text.splitlines())
