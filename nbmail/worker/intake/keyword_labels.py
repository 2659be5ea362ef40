"""What keywords on the server tell: labels that another client gave.

Only a change tells anything. Keywords that a message already carried when it was last seen, in this place or another,
are old; keywords of a message that the server is still to be told of are about to be overwritten; and what we told
the server ourselves comes back equal to the label.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from nbmail.store.store import Store
from nbmail.values import Delivery
from nbmail.worker.marking.server_actions import label_in


@dataclass(frozen=True, slots=True)
class KeywordLabels:
    """Labels that speak from a delivery: by message for those known, by place in the delivery for the others."""

    known: dict[int, str] = field(default_factory=dict)
    fresh: dict[int, str] = field(default_factory=dict)

    def labels(self, messages: Sequence[int]) -> dict[int, str | None]:
        """By message, now that each of the delivery has its number."""
        return {**self.known, **{messages[place]: label for place, label in self.fresh.items()}}


def read_keyword_labels(store: Store, delivery: Delivery, identities: Sequence[bytes]) -> KeywordLabels:
    """What the delivery tells, before it is stored. `identities` are of its arrivals."""
    found = KeywordLabels()
    _read_changes(store, delivery, found)
    speaking = {place: label for place, one in enumerate(delivery.arrivals) if (label := label_in(one.flags))}
    numbers = store.messages.find(identities[place] for place in speaking)
    for place, label in speaking.items():
        message = numbers.get(identities[place])
        if message is None:
            found.fresh[place] = label
        elif _is_new_of(store, message, label):
            found.known[message] = label
    for message in store.outbox.waiting(found.known):
        del found.known[message]
    return found


def _read_changes(store: Store, delivery: Delivery, found: KeywordLabels) -> None:
    speaking = {uid: label for uid, flags in delivery.flags.items() if (label := label_in(flags))}
    for location in store.folders.located(delivery.folder, speaking) if speaking else ():
        label = speaking[location.uid]
        if location.validity == delivery.validity and label_in(location.flags) != label:
            found.known[location.message] = label


def _is_new_of(store: Store, message: int, label: str) -> bool:
    """Whether a message that was known before it came to this place says something new there."""
    before = {label_in(location.flags) for location in store.folders.locations([message])}
    if before:
        return label not in before
    return message not in store.labels.of([message])
