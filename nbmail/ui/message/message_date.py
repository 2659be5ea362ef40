"""When a message was written, as its reader writes dates and by the reader's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale

from nbmail.ui.kit.language import locale, tr

if TYPE_CHECKING:
    from datetime import datetime


def written_words(header: str) -> str:
    """The date of a message in the reader's words; as it stands there where it makes no sense."""
    # Imports sockets, too: not before the first message is shown.
    from email.utils import parsedate_to_datetime

    try:
        written = parsedate_to_datetime(header)
        seconds = int(written.timestamp())
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return " ".join(header.split())
    here, said, offset = QDateTime.fromSecsSinceEpoch(seconds), moment_in_full(seconds), written.utcoffset()
    if offset is None or int(offset.total_seconds()) == here.offsetFromUtc():
        return said
    there = QDateTime.fromSecsSinceEpoch(seconds).toOffsetFromUtc(int(offset.total_seconds()))
    return tr("{when} ({time} where it was written)").format(when=said, time=_there(written, there))


def moment_in_full(seconds: float) -> str:
    """A moment in the reader's words, by the reader's clock."""
    here = QDateTime.fromSecsSinceEpoch(int(seconds))
    return f"{locale().toString(here.date(), QLocale.FormatType.LongFormat)}, {_clock(here)}"


def _there(written: datetime, there: QDateTime) -> str:
    return f"{_clock(there)} {written.strftime('%z')[:3]}:{written.strftime('%z')[3:5]}"


def _clock(moment: QDateTime) -> str:
    return locale().toString(moment.time(), QLocale.FormatType.ShortFormat)
