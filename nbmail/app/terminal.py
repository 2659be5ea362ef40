"""Sentences for users who started the window in a terminal."""

import sys
from typing import TYPE_CHECKING, TextIO

from nbmail.text.terminal_text import encodable, printable

if TYPE_CHECKING:
    from nbmail.ui.texts.error_texts import Notice


def print_line(line: str, stream: TextIO | None = None) -> None:
    """Print a line. `stream`: standard output by default.

    On Windows a program without a console has no streams.
    """
    stream = stream or sys.stdout
    if stream is not None:
        stream.write(encodable(line + "\n", stream))
        stream.flush()


def refuse(sentence: str, advice: str) -> int:
    """Print why the program can't start. Return the exit code."""
    if sys.stderr is not None:
        print_line(f"nbmail: {printable(f'{sentence} {advice}')}", sys.stderr)
    return 2


def print_notice(notice: "Notice") -> None:
    """Print why the data folder cannot be opened."""
    refuse(notice.sentence, notice.advice)
    if notice.detail and sys.stderr is not None:
        print_line(f"({printable(notice.detail)})", sys.stderr)
