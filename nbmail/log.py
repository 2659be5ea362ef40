"""The log file: rotating, with addresses and secrets made unreadable before they are written."""

from __future__ import annotations

import base64
import json
import logging
import os
import re
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path

from nbmail.paths import make_private, make_private_folder

# A run of what addresses are made of is read once, whole: looked for from each of its letters, a long one takes hours.
_RUN = re.compile(r"[\w.+%@-]++")
_ADDRESS = re.compile(r"[^@]@[\w.-]")
_SECRET = re.compile(r"(?i)\b(pass(?:word)?|token|secret|bearer|login|authenticate)\b([=: ]+)(\S.*)")


# Shorter ones stand in any text by chance.
_SHORTEST = 3

# Only ever added to, by the threads of the accounts.
_KNOWN: list[str] = []


def keep_out(secret: str) -> None:
    """From now on this is left out of the log, in whatever words a server says it back, and in base64."""
    raw = secret.encode("utf-8", "replace")
    said = {secret, raw.decode("latin-1"), secret.encode("unicode_escape").decode("ascii"), *_in_base64(raw)}
    said |= {json.dumps(secret)[1:-1], re.sub(r'(["\\])', r"\\\1", secret)}
    _KNOWN.extend(each for each in said - set(_KNOWN) if len(each) >= _SHORTEST)


def redact(text: str) -> str:
    """The text without addresses, known secrets, and what follows a word that announces one."""
    for secret in sorted(_KNOWN, key=len, reverse=True):
        text = text.replace(secret, "<secret>")
    return _RUN.sub(_without_address, _SECRET.sub(r"\1\2<secret>", text))


def _in_base64(raw: bytes) -> list[str]:
    """What of the bytes shows wherever they stand in a text that is written in base64."""
    found = []
    for before in range(3):
        written = base64.b64encode(b"\0" * before + raw).decode("ascii")
        found.append(written[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6])
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
