"""Sender of one message: the domain that the mail server confirmed, look-alike letters, and earlier messages."""

from nbmail.core.reading.authentication import Headers, read_authentication
from nbmail.core.reading.header_words import mailboxes_in
from nbmail.core.reading.word_splitting import lookalikes_in
from nbmail.links import domain_of
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.mailbox.trusted_servers import TrustedServers
from nbmail.worker.protocol.results import SenderCheck

# Senders compared in one time slice: about 5 ms.
SEARCHED = 20_000


def check_sender(store: Store, trust: TrustedServers, message: int, headers: Headers) -> JobSteps[SenderCheck]:
    """Check the sender of a stored message. `headers` are those of its raw mail."""
    heading = store.messages.headings([message])[message]
    is_first = yield from _is_first(store, heading.sender, heading.date)
    senders = [value for name, value in headers if name == "from"]
    letters = dict.fromkeys(letter for sender in senders for letter in _deceptive_letters(sender))
    servers = trust.of_messages([message]).get(message)
    domain = None
    if servers is not None:
        verified = read_authentication(headers, servers).verified
        domain = domain_of(mailboxes_in(senders[0])[-1].rpartition("@")[2]) if verified else ""
    return SenderCheck(domain, is_first, tuple(letters))


def _is_first(store: Store, sender: str, date: float) -> JobSteps[bool]:
    """True if no earlier message from the address of a sender is stored."""
    addresses = mailboxes_in(sender)
    for first in range(1, store.messages.last() + 1, SEARCHED) if addresses else ():
        found = store.people.senders_like(range(first, first + SEARCHED), addresses[-1], date)
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
