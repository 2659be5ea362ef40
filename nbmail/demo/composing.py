"""Raw messages of the demo, with headers, charsets and MIME parts like those of mail programs."""

from __future__ import annotations

import email.charset
import random
from datetime import UTC, datetime
from email import encoders
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime, formataddr, parseaddr

from nbmail.demo.notes import Note, Sender
from nbmail.demo.pages import as_html, as_text

OWNER = "Robin Hale <robin.hale@example.org>"
OWN_HEADERS = frozenset({"from", "to", "subject", "style", "dress", "charset", "attach", "date"})
FAR_CHARSETS = ("koi8-r", "windows-1251", "gb18030")
NETWORKS = ("192.0.2", "198.51.100", "203.0.113")
KINDS = {
    "pdf": "application/pdf",
    "jpg": "image/jpeg",
    "png": "image/png",
    "zip": "application/zip",
    "ics": "text/calendar",
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html",
    "iso": "application/octet-stream",
    "mp3": "audio/mpeg",
    "patch": "text/x-patch",
}


def compose(
    note: Note, senders: dict[str, Sender], received: float, threads: dict[str, str]
) -> bytes:
    """Return the note as raw mail.

    `threads` is updated: latest Message-ID by subject without prefixes.
    """
    sender = senders.get(note.header("From"))
    if sender is None:
        # An address with the headers of the named style.
        sender = senders[note.header("Dress", "stranger")]._replace(address=note.header("From"))
    chance = random.Random(f"{note.source} {note.number}")
    message = _body(note, sender, chance)
    _address(message, note, sender, received, chance)
    _thread(message, note.header("Subject"), threads)
    _add_headers(message, note, sender)
    return bytes(message.as_bytes()).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _add_headers(message: Message, note: Note, sender: Sender) -> None:
    """Add the headers of the sender's mail program and provider, and those that the note names."""
    written = {key.lower() for key, _ in note.headers}
    for name, value in sender.headers:
        if name.lower() not in written:
            filled = value.replace("{host}", _host(sender.address))
            message[name] = filled.replace("{ip}", _ip(sender.address))
    for name, value in note.headers:
        if name.lower() not in OWN_HEADERS:
            message[name] = value


def _ip(address: str) -> str:
    """Return an IP address reserved for documentation, the same for equal addresses."""
    chance = random.Random(address)
    network = chance.choice(NETWORKS)
    return f"{network}.{chance.randint(1, 254)}"


def _host(address: str) -> str:
    return parseaddr(str(address))[1].partition("@")[2] or "mail.example"


def _body(note: Note, sender: Sender, chance: random.Random) -> Message:
    style = note.header("Style", sender.settings.get("style", "text"))
    charset = note.header("Charset", sender.settings.get("charset", "utf-8"))
    mark = f"{chance.getrandbits(48):012x}"
    content = _content(note, style, charset, _host(sender.address), mark)
    if sender.settings.get("parts") == "html" and content.is_multipart():
        content = content.get_payload(1)  # type: ignore[assignment]
    files = note.every("Attach")
    if not files:
        return content
    mixed = MIMEMultipart("mixed", boundary=f"----=_Part_{chance.getrandbits(40):010x}")
    mixed.attach(content)
    for described in files:
        mixed.attach(_file(described, chance))
    return mixed


def _content(note: Note, style: str, charset: str, host: str, mark: str) -> Message:
    if style == "text":
        return _text(note.body, "plain", charset)
    if style == "raw":
        return _text(note.body, "html", charset)
    page = _text(as_html(note.body, style, host, mark), "html", charset)
    both = MIMEMultipart("alternative", boundary=f"=_{mark}_alt")
    both.attach(_text(as_text(note.body), "plain", charset))
    both.attach(page)
    return both


def _text(body: str, kind: str, charset: str) -> MIMEText:
    """Return a text part, with 8-bit charsets as quoted-printable like most mail programs."""
    kept = email.charset.Charset(charset)
    if charset not in ("iso-2022-jp", "us-ascii"):
        kept.body_encoding = email.charset.BASE64 if charset in FAR_CHARSETS else email.charset.QP
    return MIMEText(body, kind, kept)  # type: ignore[arg-type]


def _file(described: str, chance: random.Random) -> MIMEBase:
    """Return an attachment with the given name, type and size and random content."""
    name, _, kilobytes = described.rpartition(" ")
    _, _, suffix = name.rpartition(".")
    kind, _, subtype = KINDS[suffix.lower()].partition("/")
    part = MIMEBase(kind, subtype, name=name)
    part.set_payload(chance.randbytes(int(kilobytes) * 1024))
    encoders.encode_base64(part)
    part["Content-Disposition"] = f'attachment; filename="{name}"'
    return part


def _address(
    message: Message, note: Note, sender: Sender, received: float, chance: random.Random
) -> None:
    charset = note.header("Charset", sender.settings.get("charset", "utf-8"))
    moment = datetime.fromtimestamp(received, UTC)
    subject = note.header("Subject")
    message["Return-Path"] = f"<{parseaddr(sender.address)[1]}>"
    message["Date"] = note.header("Date") or format_datetime(moment)
    message["From"] = _named(sender.address, charset)
    message["To"] = _named(note.header("To", sender.settings.get("to", OWNER)), charset)
    message["Subject"] = subject if subject.isascii() else Header(subject, charset).encode()
    message["Message-ID"] = f"<{chance.getrandbits(64):016x}.{int(received)}@mail.example>"


def _named(addresses: str, charset: str) -> str:
    """Return addresses with the name encoded."""
    name, address = parseaddr(addresses)
    if "," in addresses or not name or name.isascii():
        return addresses
    return formataddr((str(Header(name, charset)), address))


def _thread(message: Message, subject: str, threads: dict[str, str]) -> None:
    bare = subject.lower()
    if bare.startswith(("re:", "aw:", "fwd:")):
        bare = bare.partition(":")[2].strip()
        if bare in threads:
            message["In-Reply-To"] = threads[bare]
            message["References"] = threads[bare]
    threads[bare] = message["Message-ID"]
