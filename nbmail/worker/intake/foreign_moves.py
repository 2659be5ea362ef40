"""Detection of moves into and out of junk folders by other clients. Their labels may be offered to the user."""

from collections.abc import Sequence
from typing import NamedTuple

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.store.store import Store
from nbmail.values import Delivery, FolderName
from nbmail.worker.marking.server_actions import INBOX, JUNK_FOLDER

# Arrivals in other kinds of folders imply no label: trash, sent mail and "all mail".
SAYS_GOOD = ("", INBOX, "\\Archive")
# Seconds between both halves of a move. A later arrival is a new delivery of the same message.
SAME_MOVE = 600.0


class _Departure(NamedTuple):
    """Message seen to leave a folder."""

    moment: float
    from_junk: bool


class _Copy(NamedTuple):
    """Message seen to arrive while the original was still there: a copy, or the first half of a move."""

    moment: float
    label: str


class ForeignMoves:
    """Reads moves out of deliveries, each before it is stored.

    A move is an arrival in one folder and a departure from another, in any order. An arrival alone is no move: copies
    are delivered, folders are recreated on the server, mailboxes are removed and added again. Halves of moves are kept
    in memory: a move that is missed is only not offered.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._departures: dict[int, _Departure] = {}
        self._copies: dict[int, _Copy] = {}
        # Messages of a folder before it was recreated that haven't been seen there again.
        self._unseen: dict[FolderName, set[int]] = {}

    def read(self, delivery: Delivery, known: Sequence[int], moment: float) -> dict[int, str]:
        """Return the labels implied by moves, by message. `known`: arrivals that were stored before.

        Messages that were ever moved by nbmail, and those that have the label, are left out.
        """
        label = self._implied_label(delivery)
        arrived = self._arrived_from_elsewhere(delivery, known)
        moved = {message: label for message in arrived if label and self._completes_departure(message, label, moment)}
        for message in arrived:
            self._departures.pop(message, None)
            self._copies.pop(message, None)
            if label and message not in moved:
                self._copies[message] = _Copy(moment, label)
        moved |= self._departed(delivery, moment)
        labels, ours = self._store.labels.of(moved), self._store.outbox.ever_moved(moved)
        return {message: to for message, to in moved.items() if message not in ours and labels.get(message) != to}

    def _implied_label(self, delivery: Delivery) -> str:
        """Return the label of a message that is moved to this folder; empty if that implies none."""
        if delivery.role:
            return ""
        return JUNK if delivery.special == JUNK_FOLDER else GOOD if delivery.special in SAYS_GOOD else ""

    def _arrived_from_elsewhere(self, delivery: Delivery, known: Sequence[int]) -> list[int]:
        """Return the arrivals that may come from another folder, without those of a recreated folder."""
        name, folders = delivery.folder, self._store.folders
        if folders.validity(name) not in (0, delivery.validity):
            self._unseen[name] = set(folders.messages(name))
        unseen = self._unseen.get(name, set())
        returned = unseen.intersection(known)
        unseen -= returned
        return [message for message in known if message not in returned]

    def _completes_departure(self, message: int, label: str, moment: float) -> bool:
        left = self._departures.get(message)
        return left is not None and left.from_junk is (label == GOOD) and moment - left.moment <= SAME_MOVE

    def _departed(self, delivery: Delivery, moment: float) -> dict[int, str]:
        """Note departures. Return the labels of moves that they complete."""
        moved = {}
        for location in self._store.folders.located(delivery.folder, delivery.gone):
            if location.validity != delivery.validity:
                continue
            from_junk = location.special == JUNK_FOLDER
            copy = self._copies.pop(location.message, None)
            if copy is not None and from_junk is (copy.label == GOOD) and moment - copy.moment <= SAME_MOVE:
                moved[location.message] = copy.label
            else:
                self._departures[location.message] = _Departure(moment, from_junk)
        return moved
