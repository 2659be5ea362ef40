"""Texts of moments, durations and written dates."""

import time
from datetime import datetime
from email.utils import parsedate_to_datetime

from PySide6.QtCore import QDateTime, QLocale

from nbmail.ui.texts.language import locale, tr, tr_count

NO_BREAK = "\u00a0"


def date_text(moment: float, now: float) -> str:
    """Format a moment for a list.

    Clock time today, weekday this week, day and month this year, otherwise the date.
    """
    then = time.localtime(moment)
    today = time.localtime(now)
    days = _day_number(today) - _day_number(then)
    clock = f"{then.tm_hour:02}:{then.tm_min:02}"
    if days == 0:
        return clock
    if days == 1:
        return tr("Yesterday {time}").format(time=clock)
    if 1 < days < 7:
        weekday = locale().dayName(then.tm_wday + 1, QLocale.FormatType.ShortFormat)
        return f"{weekday} {clock}"
    month = locale().monthName(then.tm_mon, QLocale.FormatType.ShortFormat)
    this_year = then.tm_year == today.tm_year
    pattern = tr("{day} {month}") if this_year else tr("{day} {month} {year}")
    pattern = pattern.replace(" ", NO_BREAK)
    return pattern.format(day=then.tm_mday, month=month, year=then.tm_year)


def _day_number(moment: time.struct_time) -> int:
    """Return a day number. Mail contains years outside the range of `datetime`."""
    years = moment.tm_year - 1
    return 365 * years + years // 4 - years // 100 + years // 400 + moment.tm_yday


def age_text(moment: float, now: float) -> str:
    seconds = now - moment
    if seconds < 60:
        return tr("just now")
    if seconds < 3600:
        return tr_count("%n minute ago", "%n minutes ago", int(seconds // 60))
    return date_text(moment, now)


def duration_text(seconds: float) -> str:
    if seconds < 90:
        return tr_count("%n second", "%n seconds", max(1, round(seconds)))
    return tr_count("%n minute", "%n minutes", round(seconds / 60))


def written_words(header: str) -> str:
    """Return the date of a message in the user's language; unchanged if it is invalid."""
    try:
        written = parsedate_to_datetime(header)
        seconds = int(written.timestamp())
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return " ".join(header.split())
    when = moment_in_full(seconds)
    offset = written.utcoffset()
    if offset is None:
        return when
    offset_seconds = int(offset.total_seconds())
    here = QDateTime.fromSecsSinceEpoch(seconds)
    if offset_seconds == here.offsetFromUtc():
        return when
    there = here.toOffsetFromUtc(offset_seconds)
    text = tr("{when} ({time} for the sender)")
    return text.format(when=when, time=_time_there(written, there))


def moment_in_full(seconds: float) -> str:
    """Return a moment in the user's language and time zone."""
    here = QDateTime.fromSecsSinceEpoch(int(seconds))
    day = locale().toString(here.date(), QLocale.FormatType.LongFormat)
    return f"{day}, {_clock(here)}"


def _time_there(written: datetime, there: QDateTime) -> str:
    """Return a time with its time zone, such as 14:05 +02:00."""
    zone = written.strftime("%z")
    return f"{_clock(there)} {zone[:3]}:{zone[3:5]}"


def _clock(moment: QDateTime) -> str:
    return locale().toString(moment.time(), QLocale.FormatType.ShortFormat)


def moment_text(moment: float) -> str:
    """Return date and time in full. The text stays valid however long it is shown."""
    then = time.localtime(moment)
    date = tr("{day} {month} {year}").replace(" ", NO_BREAK)
    month = locale().monthName(then.tm_mon, locale().FormatType.ShortFormat)
    written = date.format(day=then.tm_mday, month=month, year=then.tm_year)
    return f"{written}, {then.tm_hour:02}:{then.tm_min:02}"
