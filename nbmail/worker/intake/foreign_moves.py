"""Moves that someone else made: into a junk folder or out of one, which says a label that may be offered."""

from collections.abc import Sequence

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.store.store import Store
from nbmail.values import Delivery, FolderName
from nbmail.worker.marking.server_actions import INBOX, JUNK_FOLDER

# What comes to other kinds of folders says nothing: throwing away, sending and keeping everything are no labels.
SAYS_GOOD = ("", INBOX, "\\Archive")


class ForeignMoves:
    """Reads moves out of deliveries, each before it is stored.

    A message that lies nowhere was moved only if it was seen to leave: it lies nowhere, too, where its folder was made
    anew on the server or its mailbox was taken away and added again, and what comes back then was moved by nobody.
    What left is remembered as long as the engine runs: a move that is missed is only not offered.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        # The messages that were seen to leave, with whether it was a junk folder.
        self._left: dict[int, bool] = {}
        # What lay in a folder before it was made anew, and hasn't been seen there again.
        self._unsettled: dict[FolderName, set[int]] = {}

    def read(self, delivery: Delivery, known: Sequence[int]) -> dict[int, str]:
        """The labels that moves speak of, by message; `known` are its arrivals that are known from before.

        Only messages known from before can have been moved, and only those that nbmail never moved itself. What a
        message is labelled already is not offered again.
        """
        known = self._from_elsewhere(delivery, known)
        found = {} if delivery.role else self._moved(delivery, known)
        for message in known:
            self._left.pop(message, None)
        self._note_leaving(delivery)
        return found

    def _from_elsewhere(self, delivery: Delivery, known: Sequence[int]) -> list[int]:
        """Those of the arrivals that may have come from elsewhere."""
        name = delivery.folder
        folders = self._store.folders
        if folders.validity(name) not in (0, delivery.validity):
            self._unsettled[name] = set(folders.messages(name))
        unsettled = self._unsettled.get(name, set())
        seen_again = unsettled.intersection(known)
        unsettled -= seen_again
        return [message for message in known if message not in seen_again]

    def _moved(self, delivery: Delivery, known: Sequence[int]) -> dict[int, str]:
        if not known or not (delivery.special == JUNK_FOLDER or delivery.special in SAYS_GOOD):
            return {}
        label = JUNK if delivery.special == JUNK_FOLDER else GOOD
        labels, ours = self._store.labels.of(known), self._store.outbox.ever_moved(known)
        places = self._store.folders.locations(known)
        housed = {place.message for place in places}
        in_junk = {place.message for place in places if place.special == JUNK_FOLDER}
        found = {}
        for message in known:
            was_junk = message in in_junk if message in housed else self._left.get(message)
            if message not in ours and labels.get(message) != label and was_junk is (label == GOOD):
                found[message] = label
        return found

    def _note_leaving(self, delivery: Delivery) -> None:
        name = delivery.folder
        for place in self._store.folders.located(name, delivery.gone):
            if place.validity == delivery.validity:
                self._left[place.message] = place.special == JUNK_FOLDER
