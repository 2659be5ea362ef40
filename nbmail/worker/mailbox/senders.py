"""Servers whose checks of senders count, and these checks."""

from collections.abc import Iterable, Sequence

from nbmail.core.counting.sample import Sample
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.addresses import author_in, mailboxes_in
from nbmail.core.mail.message import Mail
from nbmail.core.mail.parser import parse
from nbmail.core.senders.authentication import read_authentication
from nbmail.core.senders.people import Acquaintance, people_words
from nbmail.core.senders.result_fields import Headers
from nbmail.core.senders.trusted_servers import (
    ENOUGH_MESSAGES,
    NO_TRUST,
    Trust,
    learn_trust,
    trust_named,
)
from nbmail.core.words.splitting import lookalikes_in
from nbmail.store.store import Store
from nbmail.text.web_addresses import domain_of
from nbmail.values import INBOX
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.senders import SenderCheck

# Newest messages of the inbox that are read, and in one time slice.
_READ = 100
_CHUNK = 8
HEADERS = 64_000
"""Bytes of a message that are parsed for its headers."""
_SETTING = "trusted-servers"
# Senders compared in one time slice: about 5 ms.
_SEARCHED = 10_000


class TrustedServers:
    """Servers of each account whose checks of senders count, named or learned. Stored in the
    database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._named: dict[str, tuple[str, ...] | None] = {}
        self._unread: dict[str, int] = {}
        """Messages that came into the inbox since the last attempt to learn."""

    def list_trusted_servers(self, account: str) -> tuple[str, ...]:
        """List the servers whose checks of senders count, named or learned."""
        return tuple(sorted(self.of(account).servers))

    def name(self, account: str, servers: tuple[str, ...] | None) -> bool:
        before = self.of(account)
        self._named[account] = servers
        return self.of(account) != before

    def of(self, account: str) -> Trust:
        named = self._named.get(account)
        learned = self._learned(account)
        return learned if named is None else trust_named(named, learned)

    def of_messages(self, messages: Iterable[int]) -> dict[int, Trust]:
        """Return the trust of messages by their locations. Messages without a known server are left
        out.
        """
        accounts: dict[str, Trust] = {}
        found: dict[int, Trust] = {}
        for each in self._store.folders.locations(messages):
            if each.account not in accounts:
                accounts[each.account] = self.of(each.account)
            if accounts[each.account].servers:
                found.setdefault(each.message, accounts[each.account])
        return found

    def learn(self, account: str, arrived: int | None = None) -> JobSteps[bool]:
        """Learn the servers from the cached mail of the inbox. True if that makes them known.

        `arrived`: messages that came into the inbox. Nothing is read while they are few, or if
        servers are known.
        """
        if arrived is not None:
            self._unread[account] = self._unread.get(account, 0) + arrived
        is_known = self._named.get(account, ()) is not None or self._learned(account).servers
        if is_known or self._unread.get(account, ENOUGH_MESSAGES) < ENOUGH_MESSAGES:
            return False
        self._unread[account] = 0
        names = [name for name in self._store.folders.names(INBOX) if name.account == account]
        messages = [
            message for name in names for message in self._store.folders.messages(name)[-_READ:]
        ]
        headers = list[Headers]()
        for first in range(0, len(messages), _CHUNK):
            for identity in self._store.messages.identities(
                messages[first : first + _CHUNK]
            ).values():
                if raw := self._store.raw_mail.get(identity):
                    headers.append(parse(raw[:HEADERS]).headers)
            yield Pause()
        trust = learn_trust(headers)
        if trust == NO_TRUST or self._learned(account).servers:
            return False
        known = self._known()
        self._store.settings.set(
            _SETTING, known | {account: (sorted(trust.servers), trust.provider, trust.below)}
        )
        return True

    def forget(self, account: str) -> None:
        known = self._known()
        if known.pop(account, None):
            self._store.settings.set(_SETTING, known)

    def _learned(self, account: str) -> Trust:
        servers, provider, below = self._known().get(account, ((), "", False))
        return Trust(frozenset(servers), provider, below)

    def _known(self) -> dict[str, tuple[Sequence[str], str, bool]]:
        return self._store.settings.get(_SETTING, {})


def sample_and_check(
    mail: Mail, vocabulary: Vocabulary, trust: Trust, known: Acquaintance | None
) -> tuple[Sample, bool | None]:
    """Return the evidence of a message, and whether its sender is verified; None without a trusted
    server.
    """
    verified = read_authentication(mail.headers, trust).verified if trust.servers else None
    return sample_of(
        mail, vocabulary, trust, people_words(known, verified=bool(verified))
    ), verified


def check_sender(
    store: Store, trust: TrustedServers, message: int, headers: Headers
) -> JobSteps[SenderCheck]:
    """Check the sender of a stored message. `headers` are those of its raw mail."""
    heading = store.messages.headings([message])[message]
    is_first = yield from _is_first(store, heading.sender, heading.date)
    senders = [value for name, value in headers if name == "from"]
    letters = dict.fromkeys(letter for sender in senders for letter in _deceptive_letters(sender))
    servers = trust.of_messages([message]).get(message)
    domain = None
    if servers is not None:
        verified = read_authentication(headers, servers).verified
        domain = domain_of(author_in(senders[0]).rpartition("@")[2]) if verified else ""
    return SenderCheck(domain, is_first, tuple(letters))


def _is_first(store: Store, sender: str, date: float) -> JobSteps[bool]:
    """True if no earlier message from the address of a sender is stored."""
    addresses = mailboxes_in(sender)
    for first in range(1, store.messages.last() + 1, _SEARCHED) if addresses else ():
        found = store.people.senders_like(range(first, first + _SEARCHED), addresses[-1], date)
        if any(addresses[-1] in mailboxes_in(each) for each in found):
            return False
        yield Pause()
    return bool(addresses)


def _deceptive_letters(sender: str) -> list[str]:
    """Return letters of other scripts in names and domains that look like Latin letters."""
    names = [word for word in sender.split() if "@" not in word]
    found = lookalikes_in(" ".join(names))
    for address in mailboxes_in(sender):
        *labels, top = map(_decode_label, address.rpartition("@")[2].split("."))
        found += lookalikes_in(" ".join((*labels, top)), whole=top.isascii())
    return found


def _decode_label(label: str) -> str:
    """Return a part of a domain with the letters of its script instead of "xn--…"."""
    try:
        return label.encode("ascii").decode("idna") if label.startswith("xn--") else label
    except UnicodeError:
        return label
