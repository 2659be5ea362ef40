"""People whom the user wrote to: what is known of a sender at the date of a message."""

from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from nbmail.core.mail.addresses import author_in, mailboxes_in
from nbmail.core.mail.message import Mail, moment_of
from nbmail.core.mail.parser import parse

SENT_HEADERS = ("TO", "CC", "BCC", "DATE", "MESSAGE-ID")
KNOWN = "fact:known="
THREAD = "fact:thread="
# Recipients of one message that are stored, and references that are looked up, the nearest ones.
_RECIPIENTS = 200
_REFERENCES = 20
# Characters read of In-Reply-To and References.
_ANSWERED_CAP = 2000
_REFERENCES_CAP = 8000
_RECIPIENT_HEADERS = ("to", "cc", "bcc")
_LIST_HEADERS = ("list-id", "list-post", "mailing-list")


class Thread(StrEnum):
    """Kind of the answered message: of the user, labelled as ham, another one, or none."""

    MINE = "mine"
    HAM = "ham"
    UNKNOWN = "unknown"
    NONE = "none"


class Acquaintance(NamedTuple):
    """Knowledge of the sender at the message's date.

    `written`: messages that the user had sent to this address.
    """

    written: int = 0
    is_own: bool = False
    thread: Thread = Thread.NONE


class SentMessage(NamedTuple):
    """Message that the user sent: hash of its Message-ID, date, and addresses in lower case."""

    identifier: bytes
    moment: float
    recipients: tuple[str, ...]


def read_sent(head: bytes) -> SentMessage:
    """Return a sent message. `head`: its headers, or those of `SENT_HEADERS`."""
    mail = parse(head)
    lines = [value for name, value in mail.headers if name in _RECIPIENT_HEADERS]
    recipients: dict[str, None] = {}
    for line in lines:
        # In parts, because `mailboxes_in` reads only the beginning of a long line.
        for part in line.split(","):
            recipients.update(dict.fromkeys(mailboxes_in(part)))
    date = mail.header("date")
    identifier = hash_of(mail.header("message-id") or f"{date}\n{lines}")
    return SentMessage(identifier, moment_of(date), tuple(recipients)[:_RECIPIENTS])


def hash_of(message_id: str) -> bytes:
    name = "".join(message_id.split())
    return blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()


def sender_of(mail: Mail) -> str:
    """Return the address of the only sender.

    Empty for mail of a mailing list, which anybody can send.
    """
    senders = [value for name, value in mail.headers if name == "from"]
    if len(senders) != 1 or any(name in mail.first_headers for name in _LIST_HEADERS):
        return ""
    return author_in(senders[0])


def references_of(mail: Mail) -> list[str]:
    """Return the Message-IDs that a message answers, the nearest first."""
    answered = mail.header("in-reply-to")[:_ANSWERED_CAP].split()
    references = mail.header("references")[-_REFERENCES_CAP:].split()
    nearest_first = [*answered, *reversed(references)]
    return list(dict.fromkeys(word for word in nearest_first if "@" in word))[:_REFERENCES]


def thread_of(mail: Mail) -> tuple[bytes, ...]:
    """Return the hashes of a message's own Message-ID and of those that it answers."""
    own = mail.header("message-id")
    identifiers = references_of(mail)
    if own:
        identifiers.insert(0, own)
    return tuple(dict.fromkeys(map(hash_of, identifiers)))


def people_words(known: Acquaintance | None, *, verified: bool) -> list[str]:
    """Return the facts as words. None if sent mail was not read, so that no sender is known."""
    if known is None:
        return []
    return [KNOWN + _kind_of(known, verified=verified), THREAD + known.thread]


def _kind_of(known: Acquaintance, *, verified: bool) -> str:
    if not verified and known.is_own:
        return "me"
    if not known.written:
        return "other"
    return "verified" if verified else "written"
