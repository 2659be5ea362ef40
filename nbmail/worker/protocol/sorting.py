"""Automatic sorting: status, previews and events."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from nbmail.core.sorting.readiness import Readiness
from nbmail.settings import Account


class SortingPhase(StrEnum):
    """Treatment of arriving mail.

    WAITING: sorting lists what it would move until the model is tested enough.
    """

    OFF = "off"
    REHEARSING = "rehearsing"
    WAITING = "waiting"
    SORTING = "sorting"


class SortingStatus(NamedTuple):
    """State of sorting, with held-out figures and marks missing.

    `is_exact`: False while a rebuild is pending.
    """

    account: Account
    phase: SortingPhase
    readiness: Readiness
    is_exact: bool = True


class SortingPreview(NamedTuple):
    """Effect that sorting would have on the mail of the inboxes. `messages`: number of examined
    ones.

    `moving`: messages that would be moved with the probability that this is right, the lowest
    first. Labelled ones are classified by models that had not learned them. `ham`: those of them
    that are marked as ham. `stayed`: number of messages that an exception keeps.
    """

    messages: int
    moving: Mapping[int, float]
    ham: frozenset[int] = frozenset()
    stayed: int = 0


class SortingChanged(NamedTuple):
    """Event: the list of sorted messages changed.

    `moved`: messages that have left the inbox since the last event.
    """

    account: str
    moved: tuple[int, ...] = ()
