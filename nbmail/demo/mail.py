"""The demo mailbox as raw mail: notes dressed in the headers, charsets and MIME parts that real mail wears."""

import email.charset
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timezone
from email import encoders
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime, formataddr, parseaddr
from pathlib import Path

from nbmail.demo.notes import Note, Sender, read_notes, read_senders
from nbmail.demo.page import as_html, as_text
from nbmail.paths import resources

OWNER = "Robin Hale <robin.hale@example.org>"
OWN_HEADERS = frozenset({"from", "to", "subject", "style", "dress", "charset", "attach", "date"})
FAR_CHARSETS = ("koi8-r", "windows-1251", "gb18030")
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


@dataclass(frozen=True, slots=True)
class PlacedMail:
    """One raw message, where it lies and when it came. A `delay` above zero comes while you watch."""

    folder: str
    received: float
    delay: float
    flags: frozenset[str]
    raw: bytes
    is_junk: bool


def demo_folder() -> Path:
    """Where the demo's texts are kept: beside the package, in the source tree and in an installation alike."""
    return resources() / "demo"


def demo_mailbox(folder: Path, now: float, zone: timezone | None = None) -> list[PlacedMail]:
    """Every message of the demo, oldest first, dated relative to `now`."""
    today = datetime.fromtimestamp(now, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    senders = read_senders(folder / "senders.ini")
    notes = sorted(read_notes(folder, today.timestamp(), now), key=lambda note: -note.age)
    threads: dict[str, str] = {}
    return [_placed(note, senders, now, threads) for note in notes]


def _placed(note: Note, senders: dict[str, Sender], now: float, threads: dict[str, str]) -> PlacedMail:
    received = now - note.age
    raw = compose(note, senders, received, threads)
    return PlacedMail(note.folder, received, max(0.0, -note.age), note.flags, raw, note.is_junk)


def compose(note: Note, senders: dict[str, Sender], received: float, threads: dict[str, str]) -> bytes:
    """The note as raw mail. `threads` maps a bare subject to the latest message's id and is kept up to date."""
    sender = _sender_of(note, senders)
    chance = random.Random(f"{note.source} {note.number}")
    message = _body(note, sender, chance)
    _address(message, note, sender, received, chance)
    _thread(message, note.header("Subject"), threads)
    written = {key.lower() for key, _ in note.headers}
    for name, value in sender.headers:
        if name.lower() not in written:
            message[name] = value.replace("{host}", _host(sender.address)).replace("{ip}", _ip(sender.address))
    for name, value in note.headers:
        if name.lower() not in OWN_HEADERS:
            message[name] = value
    return bytes(message.as_bytes()).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _sender_of(note: Note, senders: dict[str, Sender]) -> Sender:
    """A person or shop by name, or an address of its own in a named dress."""
    named = senders.get(note.header("From"))
    if named is not None:
        return named
    dress = senders[note.header("Dress", "stranger")]
    return Sender(note.header("From"), dress.headers, dress.settings)


def _ip(address: str) -> str:
    """An address of the networks that are reserved for examples; good senders and bad ones are neighbours."""
    chance = random.Random(address)
    return f"{chance.choice(('192.0.2', '198.51.100', '203.0.113'))}.{chance.randint(1, 254)}"


def _host(address: str) -> str:
    return parseaddr(str(address))[1].partition("@")[2] or "mail.example"


def _body(note: Note, sender: Sender, chance: random.Random) -> Message:
    style = note.header("Style", sender.settings.get("style", "text"))
    charset = note.header("Charset", sender.settings.get("charset", "utf-8"))
    content = _content(note, style, charset, _host(sender.address), f"{chance.getrandbits(48):012x}")
    if sender.settings.get("parts") == "html" and content.is_multipart():
        content = content.get_payload(1)  # type: ignore[assignment]
    files = note.every("Attach")
    if not files:
        return content
    mixed = MIMEMultipart("mixed", boundary=_boundary(chance))
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
    """A text part: 8-bit charsets as quoted-printable, as most mailers write them."""
    kept = email.charset.Charset(charset)
    if charset not in ("iso-2022-jp", "us-ascii"):
        kept.body_encoding = email.charset.BASE64 if charset in FAR_CHARSETS else email.charset.QP
    return MIMEText(body, kind, kept)  # type: ignore[arg-type]


def _boundary(chance: random.Random) -> str:
    return f"----=_Part_{chance.getrandbits(40):010x}"


def _file(described: str, chance: random.Random) -> MIMEBase:
    """An attached file of the right name, kind and size; what is in it is noise."""
    name, _, kilobytes = described.rpartition(" ")
    kind, _, subtype = KINDS[name.rpartition(".")[2].lower()].partition("/")
    part = MIMEBase(kind, subtype, name=name)
    part.set_payload(chance.randbytes(int(kilobytes) * 1024))
    encoders.encode_base64(part)
    part["Content-Disposition"] = f'attachment; filename="{name}"'
    return part


def _address(message: Message, note: Note, sender: Sender, received: float, chance: random.Random) -> None:
    charset = note.header("Charset", sender.settings.get("charset", "utf-8"))
    moment = datetime.fromtimestamp(received, UTC)
    message["Return-Path"] = f"<{parseaddr(sender.address)[1]}>"
    message["Date"] = note.header("Date") or format_datetime(moment)
    message["From"] = _named(sender.address, charset)
    message["To"] = _named(note.header("To", sender.settings.get("to", OWNER)), charset)
    message["Subject"] = _encoded(note.header("Subject"), charset)
    message["Message-ID"] = f"<{chance.getrandbits(64):016x}.{int(received)}@mail.example>"


def _named(addresses: str, charset: str) -> str:
    name, address = parseaddr(addresses)
    if "," in addresses or not name or name.isascii():
        return addresses
    return formataddr((str(Header(name, charset)), address))


def _encoded(text: str, charset: str) -> str:
    return text if text.isascii() else Header(text, charset).encode()


def _thread(message: Message, subject: str, threads: dict[str, str]) -> None:
    """An answer names what it answers, as mail programs do."""
    bare = subject.lower()
    answers = bare.startswith(("re:", "aw:", "fwd:"))
    bare = bare.partition(":")[2].strip() if answers else bare
    if answers and bare in threads:
        message["In-Reply-To"] = threads[bare]
        message["References"] = threads[bare]
    threads[bare] = message["Message-ID"]
