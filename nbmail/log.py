"""Rotating log file without addresses and secrets."""

import base64
import logging
import os
import re
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from nbmail.private_files import make_private, make_private_folder

# Characters of addresses are matched as one run: a search from each character takes hours for a
# long run.
_RUN = re.compile(r"[\w.+%@-]++(?:(?<=@)\[[^\]\s]*+\]?)?")
_ADDRESS = re.compile(r"[^@](?:@|%40)[\w.\[-]")
_SECRET = re.compile(
    r"(?i)\b(pass(?:word)?|token|secret|bearer|login|authenticate)\b([=: ]+)(\S.*)"
)

# A shorter secret occurs in any text by chance.
_MIN_SECRET = 3
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# Encodings of a text before it is written as hexadecimal, octal or base64.
_ENCODINGS = ("utf-8", "latin-1", "utf-16-le", "utf-16-be")
# Text between encoded bytes: line breaks, also escaped, separators and prefixes.
_BREAK = r"(?:\s|\\[rn])*+"
_BETWEEN_NUMBERS = r"(?:[\s,;:%=-]|\\[rnx]?|0[xo])*+"

# Patterns of known secrets. Only added to, by the accounts' threads.
_PATTERNS: dict[str, re.Pattern[str]] = {}


def keep_out(secret: str) -> None:
    """Redact `secret` from now on, also if it is quoted, escaped or encoded."""
    if len(secret) >= _MIN_SECRET and secret not in _PATTERNS:
        literal = "".join(map(_character_pattern, secret))
        _PATTERNS[secret] = re.compile(f"{_encoded_pattern(secret)}|(?i:{literal})")


def redact(text: str) -> str:
    """Remove addresses, known secrets, and the text after words such as "password"."""
    for _, pattern in sorted(_PATTERNS.items(), key=lambda each: len(each[0]), reverse=True):
        text = pattern.sub("<secret>", text)
    return _RUN.sub(_without_address, _SECRET.sub(r"\1\2<secret>", text))


def _character_pattern(letter: str) -> str:
    """Return a pattern for one character of a secret: literal, escaped, as entity, or as encoded
    bytes.
    """
    if letter.isascii() and letter.isalnum():
        return letter
    point = ord(letter)
    ways = {rf"\\?{re.escape(letter)}"}
    ways |= {
        rf"\\u{point:04x}",
        rf"\\U{point:08x}",
        rf"\\x{point:02x}",
        f"&#{point};",
        f"&#x{point:x};",
    }
    for encoding in ("utf-8", "latin-1"):
        with suppress(UnicodeEncodeError):
            ways.add("".join(map(_byte_pattern, letter.encode(encoding))))
    if letter == " ":
        ways.add(r"\+")
    if letter in _ENTITIES:
        ways.add(_ENTITIES[letter])
    return f"(?:{'|'.join(sorted(ways))})"


def _byte_pattern(byte: int) -> str:
    return rf"(?:[%=]{byte:02x}|\\x{byte:02x}|{re.escape(chr(byte))})"


def _encoded_pattern(secret: str) -> str:
    """Return a pattern for the bytes of a secret in hexadecimal, octal, and base64 in each of its
    three alignments.
    """
    found = set[str]()
    for encoding in _ENCODINGS:
        raw = secret.encode(encoding, "replace")
        found.add(f"(?i:{_BETWEEN_NUMBERS.join(f'{byte:02x}' for byte in raw)})")
        found.add(_BETWEEN_NUMBERS.join(f"{byte:03o}" for byte in raw))
        for before in range(3):
            written = base64.b64encode(b"\0" * before + raw).decode("ascii")
            shown = written[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6]
            if len(shown) >= _MIN_SECRET:
                found.add(_BREAK.join({"+": "[+-]", "/": "[/_]"}.get(one, one) for one in shown))
    return "|".join(sorted(found))


def _without_address(run: re.Match[str]) -> str:
    return "<address>" if _ADDRESS.search(run[0]) else run[0]


class Redacting(logging.Formatter):
    """Formatter that redacts the whole record, including the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


def start_log(folder: Path) -> logging.Handler:
    """Write the log of the `nbmail` loggers to this folder until `stop_log` is called with the
    returned handler.
    """
    make_private_folder(folder)
    for written in folder.glob("nbmail.log*"):
        make_private(written)
    handler = PrivateFileHandler(
        folder / "nbmail.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
    )
    handler.setFormatter(
        Redacting("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s")
    )
    logger = logging.getLogger("nbmail")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return handler


class PrivateFileHandler(RotatingFileHandler):
    """Rotating handler with files that only their owner can read."""

    def _open(self) -> TextIOWrapper:
        raw = FileIO(self.baseFilename, self.mode, opener=_open_private)
        return TextIOWrapper(BufferedWriter(raw), encoding=self.encoding, errors=self.errors)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def stop_log(handler: logging.Handler) -> None:
    logging.getLogger("nbmail").removeHandler(handler)
    handler.close()
