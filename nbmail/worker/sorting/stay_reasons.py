"""Reasons why messages must not be moved automatically."""

from collections.abc import Iterable, Sequence

from nbmail.core.senders.people import Acquaintance, Thread
from nbmail.core.sorting.exemptions import Stay, stay_reason
from nbmail.core.sorting.sorted_message import SortedMessage
from nbmail.store.actions.sorted_mail import Past, has_mark
from nbmail.store.mail.folders import Location
from nbmail.store.mail.keywords import labels_in
from nbmail.store.store import Store
from nbmail.values import SPAM

LocationKey = tuple[str, str, int, int]
"""Account, folder, UIDVALIDITY and UID."""


class StayReasons:
    """Finds the reasons in flags, labels, people and the record of sorting."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, rows: Iterable[SortedMessage]) -> dict[SortedMessage, Stay | None]:
        """Return why each message must stay now.

        None if it may be moved or has left its location.
        """
        listed = list(rows)
        locations = self.locations(listed)
        stays_at = self.at(locations.values())
        labels = self._store.labels.of({row.message for row in listed if row.target})

        found: dict[SortedMessage, Stay | None] = {}
        for row in listed:
            stays = frozenset[Stay]()
            if row.key in locations:
                stays = stays_at[locations[row.key]]
            if row.target:
                stays = for_filing(stays, labels.get(row.message))
            if row.progress:
                stays -= {Stay.CLAIMED}
            if row.reason is Stay.INCOMPLETE:
                stays |= {Stay.INCOMPLETE}
            found[row] = stay_reason(stays)
        return found

    def at(self, locations: Iterable[Location]) -> dict[Location, frozenset[Stay]]:
        """Return what can keep the messages at these locations.

        Facts about people are those of their arrival.
        """
        located = list(locations)
        messages = {one.message for one in located}
        labels = self._store.labels.of(messages)
        put_back = self._store.sorted.among(Past.PUT_BACK, messages)
        people = self._store.people.stored(messages)
        verified = self._store.people.verified(messages)

        found = {}
        for one in located:
            is_verified = one.message in verified
            stays = _by_flags(one) | _by_sender(people.get(one.message), is_verified)
            if one.message in put_back:
                stays.add(Stay.PUT_BACK)
            if one.message in labels:
                stays.add(Stay.MARKED)
            found[one] = frozenset(stays)
        return found

    def locations(self, rows: Sequence[SortedMessage]) -> dict[LocationKey, Location]:
        """Return the locations at which these messages arrived, if they are still there."""
        wanted = {row.key for row in rows}
        found = self._store.folders.locations({row.message for row in rows})
        return {one.key: one for one in found if one.key in wanted}


def for_filing(stays: frozenset[Stay], label: str | None) -> frozenset[Stay]:
    """Return what can keep a message out of a folder.

    People whom the user writes to have their folders, too.
    """
    stays -= {Stay.OWN_THREAD, Stay.WRITTEN_TO, Stay.MARKED}
    if label == SPAM:
        stays |= {Stay.MARKED}
    return stays


def _by_flags(location: Location) -> set[Stay]:
    flags = {flag.lower() for flag in location.flags}
    stays = set[Stay]()
    if "\\flagged" in flags:
        stays.add(Stay.FLAGGED)
    if "\\answered" in flags:
        stays.add(Stay.ANSWERED)
    if labels_in(location.flags):
        stays.add(Stay.MARKED)
    if "\\deleted" in flags or has_mark(location.flags):
        stays.add(Stay.CLAIMED)
    return stays


def _by_sender(known: Acquaintance | None, is_verified: bool) -> set[Stay]:
    stays = set[Stay]()
    if known is None:
        return stays
    if known.thread is Thread.MINE:
        stays.add(Stay.OWN_THREAD)
    if known.written > 0 and is_verified:
        stays.add(Stay.WRITTEN_TO)
    return stays
