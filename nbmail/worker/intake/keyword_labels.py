"""What keywords on the server tell: labels that another client gave.

Only a change tells anything. Keywords that a message already carried when it was last seen, in this place or another,
are old; keywords of a message that the server is still to be told of are about to be overwritten; and what we told
the server ourselves comes back equal to the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nbmail.store.store import Store
from nbmail.store.values import Placed
from nbmail.sync.desk import Delivery
from nbmail.worker.marking.server_actions import label_in


@dataclass(frozen=True, slots=True)
class News:
    """Labels that speak from a delivery: by message for those known, by place in the delivery for the others."""

    known: dict[int, str] = field(default_factory=dict)
    fresh: dict[int, str] = field(default_factory=dict)

    def labels(self, messages: Sequence[int]) -> dict[int, str]:
        """By message, now that each of the delivery has its number."""
        return self.known | {messages[place]: label for place, label in self.fresh.items()}


def read_news(store: Store, delivery: Delivery, placed: Sequence[Placed]) -> News:
    """What the delivery tells, before it is stored."""
    news = News()
    _read_changes(store, delivery, news)
    speaking = {place: label for place, one in enumerate(placed) if (label := label_in(one.flags))}
    numbers = store.messages.find(placed[place].content.identity for place in speaking)
    for place, label in speaking.items():
        message = numbers.get(placed[place].content.identity)
        if message is None:
            news.fresh[place] = label
        elif _is_new_of(store, message, label):
            news.known[message] = label
    for message in store.outbox.waiting(news.known):
        del news.known[message]
    return news


def _read_changes(store: Store, delivery: Delivery, news: News) -> None:
    speaking = {uid: label for uid, flags in delivery.flags.items() if (label := label_in(flags))}
    if not speaking:
        return
    for location in store.folders.located(delivery.folder.account, delivery.folder.folder, speaking):
        label = speaking[location.uid]
        if location.validity == delivery.validity and label_in(location.flags) != label:
            news.known[location.message] = label


def _is_new_of(store: Store, message: int, label: str) -> bool:
    """Whether a message that was known before it came to this place says something new there."""
    before = {label_in(location.flags) for location in store.folders.locations([message])}
    if before:
        return label not in before
    return message not in store.labels.of([message])
