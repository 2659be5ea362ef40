"""Parsed messages."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class TextPart(NamedTuple):
    """Text part, decoded, of at most `TEXT_CAP` characters.

    `attached` is True for a page that is an attachment. `alternative`: number of the outermost
    multipart/alternative around the part, 0 outside of any.
    """

    kind: str
    charset: str
    text: str
    attached: bool = False
    alternative: int = 0


class AttachedFile(NamedTuple):
    """Attachment without its content. `size` is in bytes."""

    name: str
    kind: str
    size: int


class Mail(NamedTuple):
    """Parsed message.

    `headers`: decoded, in order, names in lower case. `first_headers`: the first of each name.
    """

    headers: tuple[tuple[str, str], ...]
    texts: tuple[TextPart, ...]
    files: tuple[AttachedFile, ...]
    size: int
    first_headers: Mapping[str, str]

    def header(self, name: str) -> str:
        return self.first_headers.get(name, "")


def shown_page(texts: Sequence[TextPart]) -> TextPart | None:
    """Return the HTML page that the window shows instead of all other parts, if there is one.

    That is the first one that is no attachment, or of its alternatives the last.
    """
    pages = [part for part in texts if part.kind == "text/html" and not part.attached]
    if not pages:
        return None
    group = pages[0].alternative
    if not group:
        return pages[0]
    return [page for page in pages if page.alternative == group][-1]


class Heading(NamedTuple):
    """Row of a message list, and the Message-ID.

    `date` is the sender's: seconds since 1970, 0 if it is invalid.
    """

    sender: str
    subject: str
    date: float
    size: int
    attachments: bool
    message_id: str = ""


def heading_of(mail: Mail) -> Heading:
    return Heading(
        sender=mail.header("from"),
        subject=mail.header("subject"),
        date=moment_of(mail.header("date")),
        size=mail.size,
        attachments=bool(mail.files),
        message_id="".join(mail.header("message-id").split()),
    )


def moment_of(date: str) -> float:
    """Return a date header as seconds since 1970, 0.0 if it is invalid."""
    # Importing this module takes 5 ms, and scoring needs no dates.
    from email.utils import mktime_tz, parsedate_tz

    try:
        parts = parsedate_tz(date)
        return float(mktime_tz(parts)) if parts else 0.0
    except (ValueError, OverflowError, IndexError):
        return 0.0
