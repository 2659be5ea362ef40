"""Automatic sorting: which message may be moved, and whether the model is tested well enough to move any."""

from enum import StrEnum
from typing import NamedTuple

from nbmail.core.scoring.explanation import wilson

LARGEST_LOSS = 0.02
"""Default limit of the upper end of the interval of lost good mail."""
_MOST_MARKS = 100_000


class Readiness(NamedTuple):
    """Test result of the model: of `tested` good messages it had not learned, `lost` were classified as junk.

    `low` and `high`: 95 % Wilson interval of the share of lost good mail. `marks_missing`: approximate number of
    further tests without a loss until `high` is at most the limit; 0 if the model is ready.
    """

    lost: int
    tested: int
    low: float
    high: float
    marks_missing: int

    @property
    def is_ready(self) -> bool:
        """True if sorting may begin without asking the user."""
        return self.marks_missing == 0


def readiness(lost: int, tested: int, limit: float = LARGEST_LOSS) -> Readiness:
    low, high = wilson(lost, tested)
    return Readiness(lost, tested, low, high, _marks_missing(lost, tested, limit))


def _marks_missing(lost: int, tested: int, limit: float) -> int:
    """Return how many more tested good messages, none of them lost, bring the interval's end below `limit`."""
    low, high = 0, _MOST_MARKS
    if wilson(lost, tested + low)[1] <= limit:
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        if wilson(lost, tested + middle)[1] <= limit:
            high = middle
        else:
            low = middle
    return high


class Stay(StrEnum):
    """Reason why a message that is classified as junk stays in the inbox."""

    FLAGGED = "flagged"
    ANSWERED = "answered"
    OWN_THREAD = "own-thread"
    WRITTEN_TO = "written-to"
    PUT_BACK = "put-back"
    MARKED = "marked"
    INCOMPLETE = "incomplete"
    CLAIMED = "claimed"
    REFUSED = "refused"
    """The server refused the move."""


class SortedState(StrEnum):
    """State of a message that was classified as junk when it arrived.

    NEW: not classified yet. MOVING: the server has not confirmed the move. REHEARSED: it would have been moved.
    STAYED: an exception keeps it in the inbox. PUT_BACK: any person moved it back. CONFIRMED: moved, and the user
    marked it as junk. GONE: another client removed it first.
    """

    NEW = "new"
    MOVING = "moving"
    REHEARSED = "rehearsed"
    STAYED = "stayed"
    MOVED = "moved"
    PUT_BACK = "put-back"
    CONFIRMED = "confirmed"
    GONE = "gone"


class MoveCandidate(NamedTuple):
    """A message in an inbox that is classified as junk, with everything that can keep it there."""

    flagged: bool = False
    answered: bool = False
    own_thread: bool = False
    """True if it answers a message that the user wrote."""
    written_to: bool = False
    """True if the user wrote to its sender, whom the mail server verified."""
    put_back: bool = False
    """True if anybody moved it back to the inbox once."""
    marked: bool = False
    incomplete: bool = False
    """True if only its first part was loaded."""
    claimed: bool = False
    """True if another program has claimed or moved it."""


def stay_reason(candidate: MoveCandidate) -> Stay | None:
    reasons = (
        (candidate.put_back, Stay.PUT_BACK),
        (candidate.marked, Stay.MARKED),
        (candidate.flagged, Stay.FLAGGED),
        (candidate.answered, Stay.ANSWERED),
        (candidate.own_thread, Stay.OWN_THREAD),
        (candidate.written_to, Stay.WRITTEN_TO),
        (candidate.incomplete, Stay.INCOMPLETE),
        (candidate.claimed, Stay.CLAIMED),
    )
    return next((reason for applies, reason in reasons if applies), None)
