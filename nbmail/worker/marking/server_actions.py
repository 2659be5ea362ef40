"""What a mark wants done on the servers."""

from collections.abc import Iterator, Sequence

from nbmail.core.judging.model import GOOD, JUNK
from nbmail.store.labels.marks import ActionsOf, Change
from nbmail.store.mail.folders import Location
from nbmail.store.mail.outbox import ServerAction
from nbmail.store.store import Store
from nbmail.values import ErrandKind

JUNK_FOLDER, INBOX = "\\Junk", "\\Inbox"


def actions_of(store: Store, *, moving: bool) -> ActionsOf:
    """What each change of a label wants done where the message lies; moves only where the user wants them."""

    def actions(changes: Sequence[Change]) -> Iterator[ServerAction]:
        told = {change.message: change for change in changes}
        moved = store.outbox.moved(told) if moving else frozenset()
        for location in store.folders.locations(told):
            change = told[location.message]
            yield ServerAction(ErrandKind.KEYWORDS, location)
            target = _target(change, location) if moving else ""
            if target and change.message not in moved:
                yield ServerAction(ErrandKind.MOVE, location, target=target)

    return actions


def moves_of(store: Store, messages: Sequence[int]) -> list[tuple[Location, str]]:
    """Which of these labelled messages a mark of today would move: where each lies, and where to."""
    labels, moved = store.labels.of(messages), store.outbox.moved(messages)
    found = []
    for location in store.folders.locations(messages):
        change = Change(location.message, None, labels.get(location.message))
        target = _target(change, location)
        if target and location.message not in moved:
            found.append((location, target))
    return found


def _target(change: Change, location: Location) -> str:
    """Where a message of that label belongs, empty where it lies well."""
    if change.after == JUNK and location.special in ("", INBOX):
        return JUNK_FOLDER
    if change.after == GOOD and location.special == JUNK_FOLDER:
        return INBOX
    return ""
