"""Reasons to leave a message that is classified as spam in the inbox."""

from collections.abc import Collection
from enum import StrEnum


class Stay(StrEnum):
    """Reason why a message that is classified as spam stays in the inbox, the strongest first."""

    PUT_BACK = "put-back"
    """Any person moved it back to the inbox once."""
    MARKED = "marked"
    FLAGGED = "flagged"
    ANSWERED = "answered"
    OWN_THREAD = "own-thread"
    """It answers a message that the user wrote."""
    WRITTEN_TO = "written-to"
    """The user wrote to its sender, whom the mail server verified."""
    INCOMPLETE = "incomplete"
    """Only its first part was loaded."""
    CLAIMED = "claimed"
    """Another program has claimed or moved it."""
    REFUSED = "refused"
    """The server refused the move."""


def stay_reason(reasons: Collection[Stay]) -> Stay | None:
    """Return the strongest reason against moving a message automatically; None if it may be."""
    return next((reason for reason in Stay if reason in reasons), None)
