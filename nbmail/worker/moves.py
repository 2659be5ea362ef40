"""Moves that someone else made: into a junk folder or out of one, which says a label that may be offered."""

from __future__ import annotations

from collections.abc import Sequence

from nbmail.core.model import GOOD, JUNK
from nbmail.store.store import Store
from nbmail.store.values import Placed
from nbmail.sync.desk import Delivery
from nbmail.worker.wishes import INBOX, JUNK_FOLDER

# What comes to other kinds of folders says nothing: throwing away, sending and keeping everything are no labels.
_SAYS_GOOD = ("", INBOX, "\\Archive")


def read_moves(store: Store, delivery: Delivery, placed: Sequence[Placed]) -> dict[int, str]:
    """The labels that moves speak of, by message; to be asked before the delivery is stored.

    Only messages known from before can have been moved, and only those that nbmail never moved itself. What a message
    is labelled already is not offered again.
    """
    if delivery.role or not (delivery.special == JUNK_FOLDER or delivery.special in _SAYS_GOOD):
        return {}
    known = list(store.messages.find(one.content.identity for one in placed).values())
    if not known:
        return {}
    label = JUNK if delivery.special == JUNK_FOLDER else GOOD
    labels, ours = store.labels.of(known), store.outbox.ever_moved(known)
    places = store.folders.locations(known)
    in_junk = {place.message for place in places if place.special == JUNK_FOLDER}
    homeless = set(known) - {place.message for place in places}
    found = {}
    for message in known:
        # A label says where a message was that has left its old place already.
        was_junk = message in in_junk or (message in homeless and labels.get(message) == JUNK)
        if message not in ours and labels.get(message) != label and was_junk != (label == JUNK):
            found[message] = label
    return found
