"""What a mark wants done on the servers."""

from collections.abc import Sequence

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.store.labels.marks import ActionsOf, Change
from nbmail.store.mail.folders import Location
from nbmail.store.mail.outbox import WantedMove
from nbmail.store.store import Store

JUNK_FOLDER, INBOX = "\\Junk", "\\Inbox"


def actions_of(store: Store, *, moving: bool) -> ActionsOf:
    """What changes of labels want moved on the servers, where the user wants that."""

    def actions(changes: Sequence[Change]) -> list[WantedMove]:
        return moves_of(store, [change.message for change in changes] if moving else [])

    return actions


def moves_of(store: Store, messages: Sequence[int]) -> list[WantedMove]:
    """Which of these labelled messages a mark of today would move: where each lies, and where to."""
    labels, moved = store.labels.of(messages), store.outbox.moved(messages)
    found = []
    for location in store.folders.locations(messages):
        target = _target(labels.get(location.message), location)
        if target and location.message not in moved:
            found.append(WantedMove(location, target))
    return found


def _target(label: str | None, location: Location) -> str:
    """Where a message of that label belongs, empty where it lies well."""
    if label == JUNK and location.special in ("", INBOX):
        return JUNK_FOLDER
    if label == GOOD and location.special == JUNK_FOLDER:
        return INBOX
    return ""
