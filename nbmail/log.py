"""Rotating log file without addresses and secrets."""

import logging
import os
from io import BufferedWriter, FileIO, TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from nbmail.private_files import make_private, make_private_folder
from nbmail.text.redaction import redact

_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


class Redacting(logging.Formatter):
    """Formatter that redacts the whole record, including the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


def start_log(folder: Path) -> logging.Handler:
    """Write the log of the `nbmail` loggers to a folder.

    `stop_log` with the returned handler ends it.
    """
    make_private_folder(folder)
    for written in folder.glob("nbmail.log*"):
        make_private(written)
    path = folder / "nbmail.log"
    handler = PrivateFileHandler(
        path, maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
    )
    handler.setFormatter(Redacting(_FORMAT))
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
