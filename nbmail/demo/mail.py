"""Raw mail of the demo, made from readable text files.

A file contains many messages, each with a first line, header lines, an empty line and the body. The
first line is `@ FOLDER DAYS CLOCK [new] [flagged] [answered] [spam] [good]` or `@ arrives SECONDS`.
`spam` and `ham`, as folder or after the clock, mean that Robin has marked the message. `From:` and
`Dress:` name sections of `senders.ini`.

Headings, lists, tables and links of the body become HTML. Headers, charsets and MIME parts are
those of real mail programs.
"""

from __future__ import annotations

import email.charset
import random
import re
from configparser import ConfigParser
from datetime import UTC, datetime, timezone
from email import encoders
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime, formataddr, parseaddr
from html import escape
from pathlib import Path
from typing import NamedTuple

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


class PlacedMail(NamedTuple):
    """Raw message with folder, time and flags. `delay`: seconds after the start at which it
    arrives; 0 for before.
    """

    folder: str
    received: float
    delay: float
    flags: frozenset[str]
    raw: bytes
    is_spam: bool


def demo_folder() -> Path:
    return resources() / "demo"


def demo_mailbox(folder: Path, now: float, zone: timezone | None = None) -> list[PlacedMail]:
    """Return all messages of the demo, oldest first, dated relative to `now`."""
    today = datetime.fromtimestamp(now, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    senders = read_senders(folder / "senders.ini")
    notes = sorted(read_notes(folder, today.timestamp(), now), key=lambda note: -note.age)
    threads: dict[str, str] = {}
    placed = []
    for note in notes:
        raw = compose(note, senders, now - note.age, threads)
        placed.append(
            PlacedMail(
                note.folder, now - note.age, max(0.0, -note.age), note.flags, raw, note.is_spam
            )
        )
    return placed


def compose(
    note: Note, senders: dict[str, Sender], received: float, threads: dict[str, str]
) -> bytes:
    """Return the note as raw mail. `threads` is updated: latest Message-ID by subject without
    prefixes.
    """
    sender = senders.get(note.header("From"))
    if sender is None:
        # An address with the headers of the named style.
        sender = senders[note.header("Dress", "stranger")]._replace(address=note.header("From"))
    chance = random.Random(f"{note.source} {note.number}")
    message = _body(note, sender, chance)
    _address(message, note, sender, received, chance)
    _thread(message, note.header("Subject"), threads)
    written = {key.lower() for key, _ in note.headers}
    for name, value in sender.headers:
        if name.lower() not in written:
            message[name] = value.replace("{host}", _host(sender.address)).replace(
                "{ip}", _ip(sender.address)
            )
    for name, value in note.headers:
        if name.lower() not in OWN_HEADERS:
            message[name] = value
    return bytes(message.as_bytes()).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _ip(address: str) -> str:
    """Return an IP address of the networks reserved for documentation, the same for equal
    addresses.
    """
    chance = random.Random(address)
    return f"{chance.choice(('192.0.2', '198.51.100', '203.0.113'))}.{chance.randint(1, 254)}"


def _host(address: str) -> str:
    return parseaddr(str(address))[1].partition("@")[2] or "mail.example"


def _body(note: Note, sender: Sender, chance: random.Random) -> Message:
    style = note.header("Style", sender.settings.get("style", "text"))
    charset = note.header("Charset", sender.settings.get("charset", "utf-8"))
    content = _content(
        note, style, charset, _host(sender.address), f"{chance.getrandbits(48):012x}"
    )
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
    kind, _, subtype = KINDS[name.rpartition(".")[2].lower()].partition("/")
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
    name, address = parseaddr(addresses)
    if "," in addresses or not name or name.isascii():
        return addresses
    return formataddr((str(Header(name, charset)), address))


def _thread(message: Message, subject: str, threads: dict[str, str]) -> None:
    bare = subject.lower()
    answers = bare.startswith(("re:", "aw:", "fwd:"))
    bare = bare.partition(":")[2].strip() if answers else bare
    if answers and bare in threads:
        message["In-Reply-To"] = threads[bare]
        message["References"] = threads[bare]
    threads[bare] = message["Message-ID"]


FOLDERS = {"inbox": "INBOX", "spam": "Sorted", "sorted": "Sorted"}
FLAGS = {
    "flagged": "\\Flagged",
    "answered": "\\Answered",
    "spam": "$Junk",
    "ham": "$NotJunk",
    "sorted": "$NotJunk",
}
"""Flags by the words of a first line. The keywords are those of the marks that Robin made in
another mail program.
"""
DAY = 86400.0


class Note(NamedTuple):
    """Message of a text file. `age`: seconds before the start. `source`: file name; it begins with
    the true class.
    """

    source: str
    number: int
    folder: str
    age: float
    flags: frozenset[str]
    headers: tuple[tuple[str, str], ...]
    body: str

    def header(self, name: str, otherwise: str = "") -> str:
        return next(
            (value for key, value in self.headers if key.lower() == name.lower()), otherwise
        )

    def every(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    @property
    def is_spam(self) -> bool:
        return self.source.startswith("spam")


class Sender(NamedTuple):
    """Sender with the headers that mail program and provider add to each message."""

    address: str
    headers: tuple[tuple[str, str], ...]
    settings: dict[str, str]


def read_notes(folder: Path, midnight: float, now: float) -> list[Note]:
    notes: list[Note] = []
    for path in sorted(folder.glob("*.txt")):
        _, *texts = re.split(r"^(?=@ )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        notes += [
            _note(path.stem, number, text.splitlines(), midnight, now)
            for number, text in enumerate(texts)
        ]
    return notes


def _note(source: str, number: int, lines: list[str], midnight: float, now: float) -> Note:
    words = lines[0].split()
    end = lines.index("", 1) if "" in lines else len(lines)
    pairs = (line.partition(":") for line in lines[1:end])
    headers = tuple((name.strip(), value.strip()) for name, _, value in pairs)
    body = "\n".join(lines[end + 1 :]).strip("\n") + "\n"
    if words[1] == "arrives":
        return Note(source, number, "INBOX", -float(words[2]), frozenset(), headers, body)
    hours, _, minutes = words[3].partition(":")
    moment = midnight - int(words[2]) * DAY + int(hours) * 3600 + int(minutes) * 60
    # A later time of the current day becomes a few minutes ago.
    age = now - moment if moment < now else 60.0 * (1 + int(minutes))
    seen = set() if "new" in words else {"\\Seen"}
    flags = frozenset(seen | {FLAGS[word] for word in words if word in FLAGS})
    return Note(source, number, FOLDERS[words[1]], age, flags, headers, body)


def read_senders(path: Path) -> dict[str, Sender]:
    """Read `senders.ini`: senders with `from`, and styles without it."""
    parser = ConfigParser(interpolation=None, delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    senders = {}
    for name in parser.sections():
        own = parser[name]
        both = (dict(parser[own["dress"]]) if "dress" in own else {}) | dict(own)
        headers = tuple((key, value) for key, value in both.items() if key[0].isupper())
        settings = {key: value for key, value in both.items() if key[0].islower()}
        senders[name] = Sender(both.get("from", ""), headers, settings)
    return senders


LINK = re.compile(r"\[([^\]]+)\]\((\S+?)\)")
STRONG = re.compile(r"\*\*(.+?)\*\*")

PAGES = {
    "letter": (
        '<html><head><meta charset="utf-8"></head><body '
        'style="font-family:sans-serif">{body}</body></html>'
    ),
    "newsletter": (
        "<html><head><style>body{{margin:0;background:#f3f1ec}}.box{{width:600px;background:#fff;padding:24px}}"
        "h1{{font:600 22px Georgia,serif}}a{{color:#225577}}</style></head><body>"
        '<table width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">'
        '<div class="box">{body}</div></td></tr></table>'
        '<img src="https://{host}/open.gif?m={mark}" width="1" height="1" alt=""></body></html>'
    ),
    "receipt": (
        '<html><body style="font-family:Arial,sans-serif;color:#333"><div '
        'style="max-width:560px">{body}'
        '<hr><p style="font-size:11px;color:#777">This message was sent because of an order '
        "or booking with us.</p>"
        "</div></body></html>"
    ),
    "loud": (
        '<HTML><BODY bgcolor="#FFFFE0"><center><font face="Arial Black" size="5" '
        'color="#CC0000">{body}</font>'
        '</center><img src="http://{host}/t/{mark}.gif" height=1 width=1></BODY></HTML>'
    ),
    "forged": (
        '<html><body style="background:#eef2f7"><table align="center" width="520" '
        'bgcolor="#ffffff"><tr><td '
        'style="padding:20px;font-family:Helvetica;font-size:14px">{body}</td></tr><tr><td '
        'style="font-size:10px;'
        'color:#99a">This is an automatic message. Do not reply.</td></tr></table></body></html>'
    ),
    "poor": (
        '<html><body><div style="font-size:13px">{body}</div><div '
        'style="display:none">{mark}</div></body></html>'
    ),
}


def as_html(body: str, style: str, host: str, mark: str) -> str:
    blocks = [block for block in re.split(r"\n\s*\n", body.strip()) if block]
    return PAGES[style].format(
        body="\n".join(_block(block) for block in blocks), host=host, mark=mark
    )


def as_text(body: str) -> str:
    return STRONG.sub(r"\1", LINK.sub(r"\1 <\2>", body))


def _block(block: str) -> str:
    lines = block.splitlines()
    if lines[0].startswith("# "):
        rest = "\n".join(lines[1:])
        return f"<h1>{_inline(lines[0][2:])}</h1>" + (_block(rest) if rest else "")
    if all(line.startswith("- ") for line in lines):
        return "<ul>" + "".join(f"<li>{_inline(line[2:])}</li>" for line in lines) + "</ul>"
    if all(line.startswith("|") for line in lines):
        rows = (line.strip("|").split("|") for line in lines)
        cells = ("".join(f"<td>{_inline(cell.strip())}</td>" for cell in row) for row in rows)
        return '<table cellpadding="4">' + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    return "<p>" + "<br>\n".join(_inline(line) for line in lines) + "</p>"


def _inline(text: str) -> str:
    safe = escape(text, quote=False)
    return STRONG.sub(r"<b>\1</b>", LINK.sub(r'<a href="\2">\1</a>', safe))
