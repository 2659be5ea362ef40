"""Senders of mailing lists: ways to unsubscribe, and earlier requests."""

from collections.abc import Callable

from nbmail.core.mail.addresses import author_in
from nbmail.core.mail.message import Mail
from nbmail.core.mail.parser import parse
from nbmail.core.senders.authentication import read_authentication
from nbmail.core.senders.trusted_servers import NO_TRUST
from nbmail.core.senders.unsubscribe import read_unsubscribe
from nbmail.store.store import Store
from nbmail.worker.protocol.senders import UnsubscribeOffer
from nbmail.worker.senders.trusted_servers import TrustedServers

UNSUBSCRIBED = "unsubscribed"
"""Setting with moment and answer of each request to unsubscribe, by list."""


class ListSenders:
    """Ways to unsubscribe, and notes of the requests that were sent."""

    def __init__(self, store: Store, clock: Callable[[], float], trust: TrustedServers) -> None:
        self._store = store
        self._clock = clock
        self._trust = trust

    def read_unsubscribe(self, message: int) -> UnsubscribeOffer:
        """Return the verified ways to unsubscribe from the list of a message."""
        mail = parse(self._store.raw_of(message))
        trust = self._trust.of_messages([message]).get(message, NO_TRUST)
        way = read_unsubscribe(mail.headers, read_authentication(mail.headers, trust))
        moment, answer = self._requests().get(_list_of(mail), (0.0, ""))
        return UnsubscribeOffer(
            message, author_in(mail.header("from")), way.one_click, way.mail, moment, answer
        )

    def note_unsubscribed(self, message: int, answer: str) -> None:
        """Remember the answer to a request to unsubscribe from the list of a message."""
        mail = parse(self._store.raw_of(message))
        with self._store.transaction():
            requests = self._requests()
            requests[_list_of(mail)] = (self._clock(), answer)
            self._store.settings.set(UNSUBSCRIBED, requests)

    def _requests(self) -> dict[str, tuple[float, str]]:
        requests: dict[str, tuple[float, str]] = self._store.settings.get(UNSUBSCRIBED, {})
        return requests


def _list_of(mail: Mail) -> str:
    """Return the name of the list, otherwise the sender."""
    name = mail.header("list-id") or author_in(mail.header("from"))
    return name.strip().lower()
