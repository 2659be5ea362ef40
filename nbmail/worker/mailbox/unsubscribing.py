"""Unsubscribing from mailing lists: the ways that a message offers, and what came of earlier requests."""

from collections.abc import Callable

from nbmail.core.reading.authentication import NO_TRUST, read_authentication, read_unsubscribe
from nbmail.core.reading.mail import Mail, parse
from nbmail.core.reading.words import author_in
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.store import Store
from nbmail.worker.mailbox.trusted_servers import TrustedServers
from nbmail.worker.protocol.filing import UnsubscribeOffer

_DONE = "unsubscribed"
"""Setting with moment and answer of each request, by list."""


class Unsubscribing:
    """Reads and remembers, and sends nothing itself."""

    def __init__(self, store: Store, trust: TrustedServers, clock: Callable[[], float]) -> None:
        self._store, self._trust, self._clock = store, trust, clock

    def read_unsubscribe(self, message: int) -> UnsubscribeOffer:
        mail = self._mail(message)
        trust = self._trust.of_messages([message]).get(message, NO_TRUST)
        way = read_unsubscribe(mail.headers, read_authentication(mail.headers, trust))
        moment, answer = self._store.settings.get(_DONE, {}).get(_list_of(mail), (0.0, ""))
        return UnsubscribeOffer(message, author_in(mail.header("from")), way.one_click, way.mail, moment, answer)

    def note_unsubscribed(self, message: int, answer: str) -> None:
        done = self._store.settings.get(_DONE, {})
        with self._store.transaction():
            self._store.settings.set(_DONE, {**done, _list_of(self._mail(message)): (self._clock(), answer)})

    def _mail(self, message: int) -> Mail:
        identity = self._store.messages.identities([message]).get(message)
        raw = self._store.raw_mail.get(identity) if identity is not None else None
        if raw is None:
            raise KnownError(ErrorCode.NOT_FOUND, str(message))
        return parse(raw)


def _list_of(mail: Mail) -> str:
    """Return the name of the list, otherwise the sender."""
    return (mail.header("list-id") or author_in(mail.header("from"))).strip().lower()
