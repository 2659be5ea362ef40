"""What was found in files that were dropped on the window or named at its start."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FoundMail:
    """Raw messages with the names of their files. `more` were left where they are; `problem` says what went wrong."""

    mails: tuple[tuple[str, bytes], ...]
    more: bool = False
    problem: str = ""


ReadFiles = Callable[[tuple[Path, ...], Callable[[FoundMail], None]], None]
