"""Results of requests that change marks."""

from pathlib import Path
from typing import NamedTuple

from nbmail.values import FolderName, StepTaken


class Marked(NamedTuple):
    """Result of a mark, undo, redo or restore.

    - `label`: the label that the messages have now; None for none or a mixture.
    - `changed_verdicts`: other messages without a label whose verdict changed; 0 while a rebuild is
      pending.
    - `imported`: the imported counts, the ignored words, the phrases, the method or the costs
      changed.
    - `step`: the step that was undone or redone, or would be if it is `too_large`.
    - `unread`: marked messages that may contain a new phrase, and are read once their text is
      fetched.
    """

    messages: tuple[int, ...]
    label: str | None
    changed_verdicts: int = 0
    imported: bool = False
    step: StepTaken | None = None
    too_large: bool = False
    unread: int = 0


class ModelReset(NamedTuple):
    """Number of removed labels, and the backup of the former model."""

    labels: int
    backup: Path


class PlannedMove(NamedTuple):
    """Message that a mark would move out of `folder`, to "spam" or "inbox"."""

    message: int
    sender: str
    subject: str
    folder: FolderName
    target: str


class SuspiciousLabel(NamedTuple):
    """Label that contradicts the log-odds and probability of spam by models without the message."""

    message: int
    label: str
    log_odds: float
    probability: float
