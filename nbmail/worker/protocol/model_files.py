"""Exported and imported model files."""

from pathlib import Path
from typing import NamedTuple


class Exported(NamedTuple):
    """Written model file: its words, and the learned messages of each class.

    `left_out`: words that the format can't store.
    """

    path: Path
    words: int
    classes: tuple[tuple[str, int], ...]
    left_out: int = 0

    @property
    def messages(self) -> int:
        return sum(messages for _, messages in self.classes)


class Imported(NamedTuple):
    """Imported model file: its words, and the learned messages of each class.

    `other_method`: the file's method if it is another one, so that only its counts were imported.
    `backup`: the former model, if earlier imports were replaced.
    """

    path: Path
    words: int
    classes: tuple[tuple[str, int], ...]
    other_method: str = ""
    backup: Path | None = None

    @property
    def messages(self) -> int:
        return sum(messages for _, messages in self.classes)


class Agreement(NamedTuple):
    """Labelled messages by class, and how many of them a file alone classifies correctly."""

    spam_right: int
    spam: int
    ham_right: int
    ham: int


class ImportReport(NamedTuple):
    """Content of a model file, and the effect of importing it.

    - `classes`: names and numbers of messages.
    - `parts`: the filter's own classes, each with the class that it becomes.
    - `words`: all words; `ours` of them have nbmail's form, `known` are known here, `kept` are
      stored for exports to that filter.
    - `is_estimated`: the numbers of messages are not in the file, but estimated.
    - `counted`: the file was imported before, or exported from here.
    - `other_method`: only the counts would be imported.
    """

    path: Path
    format: str
    classes: tuple[tuple[str, int], ...]
    parts: tuple[tuple[str, str], ...]
    words: int
    ours: int
    kept: int
    known: int
    is_estimated: bool
    agreement: Agreement
    counted: bool
    other_method: bool
