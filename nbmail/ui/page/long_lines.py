"""Long texts without line breaks, split into chunks that Qt can lay out."""

from collections.abc import Iterator

LONGEST_PARAGRAPH = 2_000
"""Maximum letters of a paragraph. Qt's time for one grows with its square if no space comes."""


def split_paragraph(
    text: str, first: int = LONGEST_PARAGRAPH, others: int = LONGEST_PARAGRAPH
) -> Iterator[str]:
    """Split a text into chunks of at most `others` letters, the first at most `first`.

    Chunks end at spaces if there are any.
    """
    start = 0
    room = max(1, first)
    while len(text) - start > room:
        space = text.rfind(" ", start + room // 2, start + room)
        end = space + 1 if space >= 0 else start + room
        yield text[start:end]
        start = end
        room = others
    yield text[start:]


def break_long_lines(text: str) -> str:
    if len(text) <= LONGEST_PARAGRAPH:
        return text
    lines = text.splitlines()
    if all(len(line) <= LONGEST_PARAGRAPH for line in lines):
        return text
    return "\n".join(chunk for line in lines for chunk in split_paragraph(line))
