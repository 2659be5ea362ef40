"""Checks of senders: of messages that become samples, and of the open message."""

from nbmail.core.counting.sample import Sample
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.addresses import author_in, mailboxes_in
from nbmail.core.mail.message import Mail
from nbmail.core.senders.authentication import read_authentication
from nbmail.core.senders.people import Acquaintance, people_words
from nbmail.core.senders.result_fields import Headers
from nbmail.core.senders.trusted_servers import Trust
from nbmail.core.words.splitting import lookalikes_in
from nbmail.store.store import Store
from nbmail.text.web_addresses import domain_of
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.senders import SenderCheck
from nbmail.worker.senders.trusted_servers import TrustedServers

# Senders compared in one time slice: about 5 ms.
_SEARCHED = 10_000


def sample_and_check(
    mail: Mail, vocabulary: Vocabulary, trust: Trust, known: Acquaintance | None
) -> tuple[Sample, bool | None]:
    """Return the sample of a message, and whether its sender is verified.

    The latter is None without a trusted server.
    """
    verified = None
    if trust.servers:
        verified = read_authentication(mail.headers, trust).verified
    facts = people_words(known, verified=bool(verified))
    return sample_of(mail, vocabulary, trust, facts), verified


def check_sender(
    store: Store, trust: TrustedServers, message: int, headers: Headers
) -> JobSteps[SenderCheck]:
    """Check the sender of a stored message. `headers` are those of its raw mail."""
    heading = store.messages.headings([message])[message]
    is_first = yield from _is_first(store, heading.sender, heading.date)

    senders = [value for name, value in headers if name == "from"]
    letters = dict[str, None]()
    for sender in senders:
        letters |= dict.fromkeys(_deceptive_letters(sender))

    domain = None
    servers = trust.of_messages([message]).get(message)
    if servers is not None:
        domain = ""
        if read_authentication(headers, servers).verified:
            address = author_in(senders[0])
            domain = domain_of(address.rpartition("@")[2])
    return SenderCheck(domain, is_first, tuple(letters))


def _is_first(store: Store, sender: str, date: float) -> JobSteps[bool]:
    """True if no earlier message from the address of a sender is stored."""
    addresses = mailboxes_in(sender)
    if not addresses:
        return False
    address = addresses[-1]
    for first in range(1, store.messages.last() + 1, _SEARCHED):
        some = range(first, first + _SEARCHED)
        for earlier in store.people.senders_like(some, address, date):
            if address in mailboxes_in(earlier):
                return False
        yield Pause()
    return True


def _deceptive_letters(sender: str) -> list[str]:
    """Return letters of other scripts in names and domains that look like Latin letters."""
    names = [word for word in sender.split() if "@" not in word]
    found = lookalikes_in(" ".join(names))
    for address in mailboxes_in(sender):
        domain = address.rpartition("@")[2]
        labels = [_decode_label(label) for label in domain.split(".")]
        top = labels[-1]
        found += lookalikes_in(" ".join(labels), whole=top.isascii())
    return found


def _decode_label(label: str) -> str:
    """Return a part of a domain with the letters of its script instead of "xn--…"."""
    if not label.startswith("xn--"):
        return label
    try:
        return label.encode("ascii").decode("idna")
    except UnicodeError:
        return label
