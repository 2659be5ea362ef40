"""Moves and deletions of messages."""

from collections.abc import Mapping
from typing import NamedTuple

from nbmail.values import FolderName


class Moved(NamedTuple):
    """Result of a move.

    `stayed`: unmoved messages. `missing`: accounts without the requested special folder.
    """

    messages: tuple[int, ...] = ()
    stayed: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()


class SpamPreview(NamedTuple):
    """Messages of a spam folder. `nearest`: those nearest to good mail, and their probability of
    spam.

    A probability is NaN before calibration.
    """

    folder: FolderName
    messages: tuple[int, ...]
    nearest: Mapping[int, float]
