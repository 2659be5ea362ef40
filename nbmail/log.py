"""The log file: rotating, with addresses and secrets made unreadable before they are written."""

from __future__ import annotations

import base64
import logging
import os
import re
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path

from nbmail.paths import make_private, make_private_folder

# A run of what addresses are made of is read once, whole: looked for from each of its letters, a long one takes hours.
_RUN = re.compile(r"[\w.+%@-]++")
_ADDRESS = re.compile(r"[^@]@[\w.-]")
_SECRET = re.compile(r"(?i)\b(pass(?:word)?|token|secret|bearer|login|authenticate)\b([=: ]+)(\S.*)")


# Shorter ones stand in any text by chance.
_SHORTEST = 3
# What HTML calls the signs that it keeps for itself.
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# Secrets as raw bytes: what servers and libraries make of a text before they write it in hexadecimal or in base64.
_ENCODINGS = ("utf-8", "latin-1", "utf-16-le", "utf-16-be")


# Secrets that are known by value, as they are encoded and as patterns. Only ever added to, by the accounts' threads.
_CODED: list[str] = []
_WRITTEN: dict[str, re.Pattern[str]] = {}


def keep_out(secret: str) -> None:
    """From now on this is left out of the log, however a server says it back: quoted, in percent signs, in base64."""
    if len(secret) >= _SHORTEST and secret not in _WRITTEN:
        _WRITTEN[secret] = re.compile("".join(map(_ways_to_write, secret)), re.IGNORECASE)
        _CODED.extend(form for form in _encoded(secret) if len(form) >= _SHORTEST)


def redact(text: str) -> str:
    """The text without addresses, known secrets, and what follows a word that announces one."""
    for secret in sorted(_CODED, key=len, reverse=True):
        text = text.replace(secret, "<secret>")
    for pattern in [*_WRITTEN.values()]:
        text = pattern.sub("<secret>", text)
    return _RUN.sub(_without_address, _SECRET.sub(r"\1\2<secret>", text))


def _ways_to_write(letter: str) -> str:
    """A pattern for one character of a secret: itself, with a backslash, or as the bytes of an encoding."""
    if letter.isascii() and letter.isalnum():
        return letter
    point, ways = ord(letter), {rf"\\?{re.escape(letter)}"}
    ways |= {rf"\\u{point:04x}", rf"\\U{point:08x}", rf"\\x{point:02x}", f"&#{point};", f"&#x{point:x};"}
    for encoding in ("utf-8", "latin-1"):
        with suppress(UnicodeEncodeError):
            ways.add("".join(map(_ways_to_write_byte, letter.encode(encoding))))
    if letter == " ":
        ways.add(r"\+")
    if letter in _ENTITIES:
        ways.add(_ENTITIES[letter])
    return f"(?:{'|'.join(sorted(ways))})"


def _ways_to_write_byte(byte: int) -> str:
    return rf"(?:[%=]{byte:02x}|\\x{byte:02x}|{re.escape(chr(byte))})"


def _encoded(secret: str) -> set[str]:
    """The secret's bytes in hexadecimal, and what of them shows wherever they stand in a text in base64."""
    found = set[str]()
    for encoding in _ENCODINGS:
        raw = secret.encode(encoding, "replace")
        found |= {raw.hex(), raw.hex().upper()}
        for before in range(3):
            written = base64.b64encode(b"\0" * before + raw).decode("ascii")
            shown = written[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6]
            found |= {shown, shown.replace("+", "-").replace("/", "_")}
    return found


def _without_address(run: re.Match[str]) -> str:
    return "<address>" if _ADDRESS.search(run[0]) else run[0]


class Redacting(logging.Formatter):
    """Formats a record, stack included, and redacts the whole."""

    def format(self, record: logging.LogRecord) -> str:
        """The line (or lines) as written."""
        return redact(super().format(record))


def start_log(folder: Path) -> logging.Handler:
    """Write the log of the `nbmail` loggers under this folder until the returned handler is handed to `stop_log`."""
    make_private_folder(folder)
    for written in folder.glob("nbmail.log*"):
        make_private(written)
    handler = _rotating(folder / "nbmail.log")
    handler.setFormatter(Redacting("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"))
    logger = logging.getLogger("nbmail")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return handler


def _rotating(path: Path) -> logging.Handler:
    """A handler whose files are readable by their owner alone."""
    # Late, like all that the first paint can do without: it brings sockets and queues along.
    import logging.handlers

    class Private(logging.handlers.RotatingFileHandler):
        """Opens its files itself."""

        def _open(self) -> TextIOWrapper:
            raw = FileIO(self.baseFilename, self.mode, opener=_open_private)
            return TextIOWrapper(BufferedWriter(raw), encoding=self.encoding, errors=self.errors)

    return Private(path, maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def stop_log(handler: logging.Handler) -> None:
    """Stop writing to this handler's file."""
    logging.getLogger("nbmail").removeHandler(handler)
    handler.close()
