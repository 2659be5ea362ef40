"""Text of a message for the window, from raw mail."""

from nbmail.core.mail.message import Mail, shown_page
from nbmail.core.mail.parser import parse
from nbmail.text.file_names import clean_file_name
from nbmail.worker.protocol.messages import Body, MessageText

# Copies of a message differ by the headers that servers add on the way, and some servers only
# estimate sizes.
SLACK = 4000
# Different From headers that are shown. A message should have one.
MOST_SENDERS = 3
_HEADERS = ("to", "cc", "reply-to", "subject", "date")


def text_of(message: int, raw: bytes, size: int) -> MessageText:
    """Return the plain texts and the shown HTML page of raw mail. `size`: bytes of the message."""
    mail = parse(raw)
    plain = [part.text for part in mail.texts if part.kind != "text/html"]
    files = tuple(file._replace(name=clean_file_name(file.name)) for file in mail.files)
    body = Body.WHOLE if is_whole(raw, size) else Body.PART
    return MessageText(message, _headers(mail), "\n".join(plain), _page(mail), files, body)


def _headers(mail: Mail) -> tuple[tuple[str, str], ...]:
    senders = dict.fromkeys(value for name, value in mail.headers if name == "from" and value)
    shown = [("from", sender) for sender in senders][:MOST_SENDERS]
    for name in _HEADERS:
        value = mail.header(name)
        if value:
            shown.append((name, value))
    return tuple(shown)


def _page(mail: Mail) -> str:
    page = shown_page(mail.texts)
    return "" if page is None else page.text


def is_whole(raw: bytes, size: int) -> bool:
    """True if `raw` is all of a message of `size` bytes.

    A mail file has other line ends than a server.
    """
    bare_line_ends = raw.count(b"\n") - raw.count(b"\r\n")
    return size <= len(raw) + bare_line_ends + SLACK
