"""Values of suggested folders."""

from collections.abc import Mapping
from typing import NamedTuple

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.explaining.explanation import Reasons
from nbmail.values import FloatArray, FolderName, IntArray, LongArray

ENOUGH_MESSAGES = 5
"""Messages in a folder from which on it is suggested."""
ENOUGH_TOGETHER = 0.5
"""Probability of all suggested folders of a message from which on they are shown."""
LEAST_SHOWN = 0.005
"""Probability below which a folder is not suggested."""
NEARLY_SURE = 0.95
"""Probability from which on messages are listed to be filed together."""


class FolderChance(NamedTuple):
    """Suggested folder and its probability."""

    folder: FolderName
    probability: float


class FolderReasons(NamedTuple):
    """Reasons why `one` is likelier than `other`, the next likeliest folder.

    The last one is compared with the first.
    """

    one: FolderChance
    other: FolderChance
    why: Reasons


class FoldersSuggested(NamedTuple):
    """Event: the likeliest folders of messages in the inboxes.

    `folders`: indexes into `names`, -1 without a suggestion.
    """

    messages: LongArray
    folders: IntArray
    probabilities: FloatArray
    names: tuple[FolderName, ...]


class FilingPreview(NamedTuple):
    """Messages to file, surest first.

    `record`: past suggestions as probable as these, and how many were right.
    """

    proposals: Mapping[int, FolderChance]
    record: Proportion


class FolderFigures(NamedTuple):
    """Learned messages of a folder.

    `first`, `three`: how many tested ones it was suggested for first, or among three.
    """

    name: str
    messages: int
    first: Proportion
    three: Proportion


class FolderCurvePoint(NamedTuple):
    """Share of right suggestions since the point before.

    `labels`: number of filed messages up to this one.
    """

    labels: int
    first: Proportion
    three: Proportion


class FolderReport(NamedTuple):
    """Past suggestions of an account, each made before its message was learned.

    `table`: number of messages by the folder that they were filed in (row) and the first suggested
    one (column), both as indexes into `folders`.
    """

    account: str
    folders: tuple[FolderFigures, ...]
    table: tuple[tuple[int, ...], ...]
    curve: tuple[FolderCurvePoint, ...]
    first: Proportion
    three: Proportion


class FolderWord(NamedTuple):
    """Word of a folder: messages that contain it in the folder and elsewhere, and its log-ratio."""

    word: str
    place: str
    inside: int
    outside: int
    log_ratio: float
