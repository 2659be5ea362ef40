"""Automatic sorting as callers of the engine see it: choices, status, previews and sorted messages."""

from enum import StrEnum
from typing import NamedTuple

from nbmail.core.scoring.sorting import Readiness, SortedMessage, Stay
from nbmail.settings import Account


class SortingPhase(StrEnum):
    """Treatment of arriving mail. WAITING: sorting lists what it would move until the model is tested enough."""

    OFF = "off"
    REHEARSING = "rehearsing"
    WAITING = "waiting"
    SORTING = "sorting"


class SortingStatus(NamedTuple):
    """State of sorting, with held-out figures and marks missing. `is_exact`: False while a rebuild is pending."""

    account: Account
    phase: SortingPhase
    readiness: Readiness
    is_exact: bool = True


class SortingPreview(NamedTuple):
    """Effect that sorting would have on the mail of the inboxes since `since`.

    `moving`: unlabelled or labelled messages that would be moved, nearest to the junk threshold first. Labelled ones
    are classified by models that had not learned them. `good`: those of them that are marked good. `nearest`: the
    first ten. `stayed`: number of messages that an exception keeps, by reason.
    """

    account: str
    since: float
    messages: int
    moving: tuple[int, ...]
    good: frozenset[int] = frozenset()
    nearest: tuple[SortedMessage, ...] = ()
    stayed: tuple[tuple[Stay, int], ...] = ()


class SortingChanged(NamedTuple):
    """Event: the list of sorted messages changed. `moved`: messages that have left the inbox since the last event."""

    account: str
    moved: tuple[int, ...] = ()
