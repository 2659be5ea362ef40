"""Labels that the keywords of a delivery imply.

A message gets the label that was set last. Keywords carry no time: the order in which the servers
got them counts. A mark made offline is set at the next connection and is the last one then. A
client that marked nothing adopts the labels of the others.

The outbox (`store.actions.outbox`) sets a mark of the user on the server wherever the message is by
then, and removes contradicting keywords. A keyword that differs from the stored one, and was not
set by this client, changes the label. While a mark of the user is queued it does not: that mark is
the later one. Where keywords contradict each other (`store.mail.keywords.KEYWORDS`), the resulting
label is set again, so that all agree.

A move without the command MOVE copies the keywords before it removes the message: those set
meanwhile at the old location are lost. If the user marked the message shortly before, they are set
again at the new location.

Spam keywords on a copy that was freshly marked by automatic sorting count for nothing: some servers
set them on a move.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from nbmail.store.actions.sorted_mail import Past, has_mark
from nbmail.store.labels.journal import By
from nbmail.store.mail.folders import Location
from nbmail.store.mail.keywords import agree, label_given, label_in, labels_in
from nbmail.store.store import Store
from nbmail.values import HAM, INBOX, JUNK_FOLDER, SPAM, Arrival, Delivery

# Arrivals in other special folders imply no label: trash, sent mail and "all mail".
HAM_FOLDERS = ("", INBOX, "\\Archive")
# Seconds after a mark in which a move that began before it may end.
OVERTAKEN = 60.0

Locations = Mapping[int, Sequence[Location]]
"""Locations of messages in the account of a delivery."""


@dataclass(frozen=True, slots=True)
class KeywordLabels:
    """Labels implied by keywords.

    `known`: labels by message, empty for a removed one. `fresh`: labels by index in the arrivals of
    the delivery. Messages in `lost` lost their keywords, or never had them on the server. Those in
    `lifted` lost them on the way into the spam folder or out of it.
    """

    known: dict[int, str] = field(default_factory=dict)
    fresh: dict[int, str] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    lifted: set[int] = field(default_factory=set)

    def labels(self, messages: Sequence[int]) -> dict[int, str | None]:
        """Return the labels of messages. `messages`: those of the arrivals."""
        found = dict(self.known)
        for place, label in self.fresh.items():
            found[messages[place]] = label
        return {message: label or None for message, label in found.items()}

    def note(self, message: int, label: str | None) -> None:
        """Note the label of a known message, None for no change."""
        if label is not None:
            self.known[message] = label

    def compare(self, before: Location, after: Location) -> None:
        """Note the lost keywords of a moved message: some programs write it without them.

        Keywords may be removed on purpose only if the message was moved into the spam folder or out
        of it.
        """
        if not labels_in(before.flags) or labels_in(after.flags):
            return
        if before.special != after.special and JUNK_FOLDER in (before.special, after.special):
            self.lifted.add(before.message)
        else:
            self.lost.add(before.message)


def read_keyword_labels(
    store: Store, delivery: Delivery, known: Sequence[int | None], moment: float
) -> KeywordLabels:
    """Read the labels that a delivery implies, before it is stored.

    `known`: messages of its arrivals, None for new ones.
    """
    found = KeywordLabels()
    if store.folders.validity(delivery.folder) == delivery.validity:
        _read_flags(store, delivery, found)
        _read_expunged(store, delivery, found)
    _read_arrivals(store, delivery, known, found)

    for message in found.lifted:
        if _is_users(store, message, moment - OVERTAKEN):
            found.lost.add(message)
        else:
            found.known[message] = ""
    for message in store.outbox.waiting(found.known):
        del found.known[message]
    return found


def queue_keywords(store: Store, labels: Mapping[int, str | None], lost: Collection[int]) -> None:
    """Queue the keywords of messages whose location has other ones, or has lost them."""
    unlike = set[int]()
    for location in store.folders.locations(labels):
        if labels_in(location.flags) - {labels[location.message]}:
            unlike.add(location.message)
    if unlike or lost:
        store.outbox.tell(unlike.union(lost))


def _read_flags(store: Store, delivery: Delivery, found: KeywordLabels) -> None:
    """Read the changed keywords of known messages."""
    locations = store.folders.located(delivery.folder, delivery.flags)
    unseen = store.sorted.among(Past.UNSEEN, {location.message for location in locations})
    for location in locations:
        is_freshly_sorted = location.special == JUNK_FOLDER and location.message in unseen
        if not is_freshly_sorted:
            label = label_given(location.flags, delivery.flags[location.uid])
            found.note(location.message, label)


def _read_expunged(store: Store, delivery: Delivery, found: KeywordLabels) -> None:
    """Compare the keywords of moved messages whose new location is already known."""
    expunged = store.folders.located(delivery.folder, delivery.gone)
    others = _locations(store, delivery, {location.message for location in expunged})
    for location in expunged:
        for other in others.get(location.message, ()):
            if (other.folder, other.uid) != (location.folder, location.uid):
                found.compare(location, other)


def _read_arrivals(
    store: Store, delivery: Delivery, known: Sequence[int | None], found: KeywordLabels
) -> None:
    numbers = {message for message in known if message is not None}
    here = _locations(store, delivery, numbers)
    left = store.folders.departed(numbers - here.keys(), delivery.folder.account)
    labelled = store.labels.of(numbers - here.keys() - left.keys())
    into_spam = delivery.special == JUNK_FOLDER

    for place, (arrival, message) in enumerate(zip(delivery.arrivals, known, strict=True)):
        label = label_in(arrival.flags)
        if label and into_spam and _is_freshly_marked(arrival, message, here, left):
            continue
        if message is None:
            if label:
                found.fresh[place] = label
        elif message in here:
            found.note(message, _given_by_copy(here[message], delivery.special, arrival.flags))
        elif message in left:
            before = left[message]
            given = _given(before, delivery.special, arrival.flags)
            found.note(message, given or None)
            found.compare(before, before._replace(special=delivery.special, flags=arrival.flags))
        elif message not in labelled:
            found.note(message, label)
        elif not agree(labelled[message], arrival.flags) and _is_users(store, message):
            # Marked while it had no location, so that no server has its keyword.
            found.lost.add(message)


def _is_freshly_marked(
    arrival: Arrival, message: int | None, here: Locations, left: Mapping[int, Location]
) -> bool:
    """True if the message may have got its mark of automatic sorting just before the move here."""
    if not has_mark(arrival.flags):
        return False
    if message is None:
        return True
    before = list(here.get(message, ()))
    if message in left:
        before.append(left[message])
    return not any(has_mark(location.flags) for location in before)


def _given_by_copy(locations: Sequence[Location], special: str, now: frozenset[str]) -> str | None:
    """Return the label that another client assigned to a message that is also elsewhere.

    None if one of the other locations has the same keywords.
    """
    given = [_given(location, special, now) for location in locations]
    if None in given:
        return None
    return next((label for label in given if label), None)


def _given(before: Location, special: str, now: Collection[str]) -> str | None:
    """Return the label that another client assigned by moving a message into this folder.

    `now`: its keywords there. A move copies the keywords before it removes the message: the copy
    may be older than keywords set meanwhile at the old location. If both labels are set, the label
    that the move implies counts.
    """
    from_spam = before.special == JUNK_FOLDER
    implied = ""
    if special == JUNK_FOLDER and not from_spam:
        implied = SPAM
    elif from_spam and special in HAM_FOLDERS:
        implied = HAM
    return label_given(before.flags, now, implied)


def _is_users(store: Store, message: int, since: float = float("-inf")) -> bool:
    """True if the user assigned the label, or restored it, after this moment."""
    sourced = store.label_sources.find(message)
    if sourced is None or sourced.label_source.by != By.USER:
        return False
    return max(sourced.moment, sourced.back_moment) > since


def _locations(store: Store, delivery: Delivery, messages: Collection[int]) -> Locations:
    found: dict[int, list[Location]] = {}
    for location in store.folders.locations(messages):
        if location.account == delivery.folder.account:
            found.setdefault(location.message, []).append(location)
    return found
