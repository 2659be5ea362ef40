"""Results of requests about messages besides marks."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from nbmail.values import FolderName


class Moved(NamedTuple):
    """Result of a move. `stayed`: unmoved messages. `missing`: accounts without the requested
    special folder.
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


class MessageFile(NamedTuple):
    """Message written to a temporary file, and the first header of each name."""

    path: Path
    headers: Mapping[str, str]


class UnsubscribeOffer(NamedTuple):
    """Ways to unsubscribe from the list of a message: `one_click` is an https address, `mail` a
    mailto address.

    `moment`, `answer`: of the latest request for the same list; 0.0 without one.
    """

    message: int
    sender: str
    one_click: str = ""
    mail: str = ""
    moment: float = 0.0
    answer: str = ""
