"""What a mark wants done on the servers, and what keywords there say of a label."""

from collections.abc import Iterable, Iterator, Sequence

from nbmail.core.judging.model import GOOD, JUNK
from nbmail.store.labels.marks import ActionsOf, Change
from nbmail.store.mail.folders import Location
from nbmail.store.mail.outbox import ServerAction
from nbmail.store.store import Store
from nbmail.values import ErrandKind

# The registered keyword and Thunderbird's: both are read and set, and all that contradict are cleared.
KEYWORDS = {JUNK: ("$Junk", "Junk"), GOOD: ("$NotJunk", "NonJunk")}
_ALL = frozenset(keyword for both in KEYWORDS.values() for keyword in both)
_READ = {keyword.lower(): label for label, both in KEYWORDS.items() for keyword in both}

JUNK_FOLDER, INBOX = "\\Junk", "\\Inbox"


def label_in(flags: Iterable[str]) -> str | None:
    """The label that a message's keywords speak of; None where they are silent or contradict each other."""
    found = {label for flag in flags if (label := _READ.get(flag.lower()))}
    return found.pop() if len(found) == 1 else None


def actions_of(store: Store, *, moving: bool) -> ActionsOf:
    """What each change of a label wants done where the message lies; moves only where the user wants them."""

    def actions(changes: Sequence[Change]) -> Iterator[ServerAction]:
        told = {change.message: change for change in changes}
        moved = store.outbox.moved(told) if moving else frozenset()
        for location in store.folders.locations(told):
            change = told[location.message]
            yield _keywords(change, location)
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


def _keywords(change: Change, location: Location) -> ServerAction:
    wanted = KEYWORDS.get(change.after or "", ())
    return ServerAction(ErrandKind.KEYWORDS, location, frozenset(wanted), _ALL - frozenset(wanted))


def _target(change: Change, location: Location) -> str:
    """Where a message of that label belongs, empty where it lies well."""
    if change.after == JUNK and location.special in ("", INBOX):
        return JUNK_FOLDER
    if change.after == GOOD and location.special == JUNK_FOLDER:
        return INBOX
    return ""
