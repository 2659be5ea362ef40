"""The label of a message everywhere becomes the one given last, by whoever: it is given when a server is told of it.

The servers' keywords are the meeting place of all who give labels: other clients, and other homes of this program. They
carry no time, so nobody can tell which of two marks was made first, only which was told first. What is marked without a
connection is given at the next one, and then is the last word, whatever others told meanwhile; who marked nothing takes
over what they told.

What is marked here is told until the server has it, wherever the message lies by then (`store.mail.outbox`), and
whoever tells it takes away what contradicts. What is seen there and differs from what was seen before, or said by
ourselves, is news, and the label follows it; but not while a mark of ours is still to be told, which then is the later
word. Where keywords contradict each other (`store.mail.keywords`), what they come to mean is told again, so that all
agree.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.store.labels.journal import By
from nbmail.store.mail.folders import Location
from nbmail.store.mail.keywords import agree, label_given, label_in, labels_in
from nbmail.store.store import Store
from nbmail.values import Delivery
from nbmail.worker.intake.foreign_moves import SAYS_GOOD
from nbmail.worker.marking.server_actions import JUNK_FOLDER


@dataclass(frozen=True, slots=True)
class KeywordLabels:
    """Labels that speak from a delivery: by message for those known, by place in the delivery for the others.

    An empty label was taken away. Of those in `lost` the keywords are gone, or never were told.
    """

    known: dict[int, str] = field(default_factory=dict)
    fresh: dict[int, str] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)

    def labels(self, messages: Sequence[int]) -> dict[int, str | None]:
        """By message, now that each of the delivery has its number."""
        found = {**self.known, **{messages[place]: label for place, label in self.fresh.items()}}
        return {message: label or None for message, label in found.items()}


def read_keyword_labels(store: Store, delivery: Delivery, known: Sequence[int | None]) -> KeywordLabels:
    """What the delivery tells, before it is stored. `known` are the numbers of its arrivals that have one."""
    found = KeywordLabels()
    if store.folders.validity(delivery.folder) == delivery.validity:
        for location in store.folders.located(delivery.folder, delivery.flags):
            _note(found, location.message, label_given(location.flags, delivery.flags[location.uid]))
        _read_leavers(store, delivery, found)
    _read_arrivals(store, delivery, known, found)
    for message in store.outbox.waiting(found.known):
        del found.known[message]
    return found


def tell_again(store: Store, labels: Mapping[int, str | None], lost: Collection[int]) -> None:
    """Where keywords say something else than the new labels of these messages, or were lost, the servers are told."""
    unlike = {
        location.message
        for location in store.folders.locations(labels)
        if labels_in(location.flags) - {labels[location.message]}
    }
    if unlike or lost:
        store.outbox.tell(unlike.union(lost))


def _note(found: KeywordLabels, message: int, label: str | None) -> None:
    if label is not None:
        found.known[message] = label


def _read_leavers(store: Store, delivery: Delivery, found: KeywordLabels) -> None:
    """Of messages that were moved and are seen in their new place already."""
    for location in store.folders.located(delivery.folder, delivery.gone):
        for other in _here(store, delivery, [location.message]).get(location.message, []):
            if (other.folder, other.uid) != (location.folder, location.uid):
                _compare(found, location, other)


def _read_arrivals(store: Store, delivery: Delivery, known: Sequence[int | None], found: KeywordLabels) -> None:
    numbers = {message for message in known if message is not None}
    here = _here(store, delivery, numbers)
    left = store.folders.departed(numbers - here.keys(), delivery.folder.account)
    labelled = store.labels.of(numbers - here.keys() - left.keys())
    for place, (arrival, message) in enumerate(zip(delivery.arrivals, known, strict=True)):
        says = label_in(arrival.flags)
        if message is None:
            if says:
                found.fresh[place] = says
        elif message in here:
            given = [_given(location, delivery.special, arrival.flags) for location in here[message]]
            _note(found, message, next(filter(None, given), None) if None not in given else None)
        elif message in left:
            before, now = left[message], arrival.flags
            _note(found, message, _given(before, delivery.special, now) or None)
            _compare(found, before, replace(before, special=delivery.special, flags=now))
        elif message not in labelled:
            _note(found, message, says)
        elif not agree(labelled[message], arrival.flags) and _is_users(store, message):
            # Marked while it lay nowhere, so that no server was told.
            found.lost.add(message)


def _given(before: Location, special: str, now: Collection[str]) -> str | None:
    """The label that someone gave by bringing a message with these keywords into a folder of that kind.

    A move reads the keywords, and only then takes the message away: what it brings may be older than what was told of
    the old place meanwhile. So where both labels speak, the one that the move itself speaks of was meant.
    """
    into, out = special == JUNK_FOLDER, before.special == JUNK_FOLDER
    meant = JUNK if into and not out else GOOD if out and special in SAYS_GOOD else ""
    return label_given(before.flags, now, meant)


def _is_users(store: Store, message: int) -> bool:
    given = store.label_sources.given(message)
    return given is not None and given.label_source.by == By.USER


def _here(store: Store, delivery: Delivery, messages: Collection[int]) -> dict[int, list[Location]]:
    """Where the messages lie in this account."""
    found: dict[int, list[Location]] = {}
    for location in store.folders.locations(messages):
        if location.account == delivery.folder.account:
            found.setdefault(location.message, []).append(location)
    return found


def _compare(found: KeywordLabels, before: Location, after: Location) -> None:
    """A message that was moved may have lost its keywords: programs that write it anew don't bring them.

    Only where it went into the junk folder or out of it were they taken away.
    """
    if labels_in(before.flags) and not labels_in(after.flags):
        if JUNK_FOLDER in {before.special, after.special} and before.special != after.special:
            found.known[before.message] = ""
        else:
            found.lost.add(before.message)
