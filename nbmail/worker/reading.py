"""A message as a person reads it."""

from __future__ import annotations

from nbmail.core.mail import Mail, parse
from nbmail.store.values import Head
from nbmail.worker.protocol import Attachment, MessageText

# The headers a person reads, in this order.
SHOWN = ("from", "to", "cc", "reply-to", "subject", "date")


def text_of(message: int, raw: bytes) -> MessageText:
    """The message from its raw bytes: its first plain text and its first HTML page."""
    mail = parse(raw)
    headers = tuple((name, value) for name in SHOWN if (value := mail.header(name)))
    files = tuple(Attachment(file.name, file.kind, file.size) for file in mail.files)
    return MessageText(message, headers, _plain(mail), _page(mail), files)


def text_without_body(message: int, head: Head) -> MessageText:
    """What the list knows of a message whose body isn't there."""
    return MessageText(message, (("from", head.sender), ("subject", head.subject)), "", "", (), complete=False)


def _plain(mail: Mail) -> str:
    return "\n".join(part.text for part in mail.texts if part.kind != "text/html")


def _page(mail: Mail) -> str:
    return next((part.text for part in mail.texts if part.kind == "text/html"), "")
