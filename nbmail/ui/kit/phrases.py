"""Texts in the user's language: translation, numbers, keys, probabilities, dates, sizes and
counts.
"""

import math
import time
from collections.abc import Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QKeySequence

from nbmail.paths import resources

CONTEXT = "nbmail"
FOLDER = resources() / "translations"
LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Languages of the window, each with its own name."""


def set_language(application: QCoreApplication, wanted: str) -> str:
    """Translate all texts from now on. Return the language: `wanted`, or the first known one of the
    system.
    """
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.deleteLater()
    language = pick_language(wanted, QLocale.system().uiLanguages())
    if language == wanted:
        QLocale.setDefault(QLocale(language))
    # The texts of Qt's own buttons and dialogs are in translation files of Qt.
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for folder, name in ((str(FOLDER), "nbmail"), (qt_folder, "qtbase")):
        translator = QTranslator(application)
        if language != "en" and translator.load(f"{name}_{language}", folder):
            application.installTranslator(translator)
    return language


def pick_language(wanted: str, of_system: Sequence[str]) -> str:
    """Return the first known language of `wanted` and the system's language tags, English if none
    is known.
    """
    tags = [wanted, *(tag.partition("-")[0] for tag in of_system)]
    return next((tag for tag in tags if tag in LANGUAGES), "en")


def tr(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)


def tr_count(one: str, many: str, count: int) -> str:
    """Translate a text for a number of things and replace `%n` by the formatted number.

    A translation contains its plural forms under `many`. Without a translation, English uses both
    texts.
    """
    text = QCoreApplication.translate(CONTEXT, one if count == 1 else many, None, -1)
    return text.replace("%n", format_count(count))


def key_text(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def locale() -> QLocale:
    """Return the locale for numbers and weekdays; English if the system has none."""
    own = QLocale()
    return own if own.language() != QLocale.Language.C else QLocale(QLocale.Language.English)


def format_count(count: int) -> str:
    return locale().toString(count) if count >= 0 else "−" + locale().toString(-count)


MINUS = "−"
NO_BREAK = "\u00a0"
THIN = "\u202f"
MOST_DECIMALS = 6
ENOUGH = 30
"""Held-out scores per class from which on percentages are reliable."""


def percent(probability: float) -> str:
    """Format a probability, never as 0 % or 100 %. NaN means that there are too few marks."""
    if math.isnan(probability):
        return tr("too few marks")
    if probability < 0.001:
        return f"<{THIN}{_decimal(0.1, 1)}{THIN}%"
    if probability > 0.999:
        return f">{THIN}{_decimal(99.9, 1)}{THIN}%"
    places = 1 if probability < 0.1 or probability > 0.9 else 0
    return f"{_decimal(100 * probability, places)}{THIN}%"


def exact_percent(probability: float) -> str:
    """Format a share with all its decimals, at most three."""
    value = 100 * probability
    places = next((places for places in range(3) if math.isclose(round(value, places), value)), 3)
    return f"{_decimal(value, places)}{THIN}%"


def near_percent(probability: float) -> str:
    """Format a probability near 1 with the decimals that show its distance from 1: 98 %, 99.5 %,
    99.98 %.
    """
    value = 100 * probability
    near = (
        places for places in range(3) if abs(round(value, places) - value) <= 0.02 * (100 - value)
    )
    return f"{_decimal(value, next(near, 3))}{THIN}%"


def sharp_percent(log_odds: float) -> str:
    """Format a probability with all decimals that distinguish it from 0 % and 100 %, at most six:
    99.9997 %.
    """
    rest = 100 / (1 + math.exp(min(abs(log_odds), 700.0)))
    places = min(MOST_DECIMALS, max(0, -math.floor(math.log10(rest)))) if rest < 10 else 0
    sign = ("<" if log_odds < 0 else ">") + THIN if rest < 10**-MOST_DECIMALS else ""
    rest = max(rest, 10**-MOST_DECIMALS)
    return f"{sign}{_decimal(rest if log_odds < 0 else 100 - rest, places)}{THIN}%"


def _decimal(value: float, places: int) -> str:
    return locale().toString(value, "f", places)


def number_text(value: float) -> str:
    return locale().toString(value, "g", 6)


def signed(value: float, places: int = 2) -> str:
    text = _decimal(abs(value), places)
    if round(abs(value), places) == 0:
        return text
    return ("+" if value > 0 else MINUS) + text


def verdict_text(verdict: str) -> str:
    return {"spam": tr("Spam"), "ham": tr("Not spam"), "unsure": tr("Unsure")}.get(verdict, verdict)


def lean_text(log_odds: float) -> str:
    """Return the tendency of a score while there are too few marks for a probability."""
    if math.isnan(log_odds) or log_odds == 0:
        return tr("too few marks")
    return tr("leaning spam") if log_odds > 0 else tr("leaning not spam")


def date_text(moment: float, now: float) -> str:
    """Format a time: clock time today, weekday this week, day and month this year, otherwise the
    date.
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
        return f"{locale().dayName(then.tm_wday + 1, QLocale.FormatType.ShortFormat)} {clock}"
    month = locale().monthName(then.tm_mon, QLocale.FormatType.ShortFormat)
    pattern = tr("{day} {month}") if then.tm_year == today.tm_year else tr("{day} {month} {year}")
    return pattern.replace(" ", NO_BREAK).format(day=then.tm_mday, month=month, year=then.tm_year)


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


def size_text(size: int) -> str:
    return locale().formattedDataSize(
        size, 1 if size >= 1_000_000 else 0, QLocale.DataSizeFormat.DataSizeSIFormat
    )


def learned_text(spam: int, ham: int, words: int) -> str:
    parts = [
        tr_count("%n spam", "%n spam", spam),
        tr_count("%n not spam", "%n not spam", ham),
        tr_count("%n word", "%n words", words),
    ]
    return tr("Learned: {parts}").format(parts=" · ".join(parts))


def calibration_text(spam: int, ham: int, held_out: tuple[int, int], calibrated: bool) -> str:
    """Return the reliability of probabilities, or the marks that are missing for them."""
    if spam == 0 and ham == 0:
        return tr("To begin, mark some spam and some good messages")
    if spam == 0:
        return tr("Mark some spam too: only good messages are learned so far")
    if ham == 0:
        return tr("Mark some good messages too: only spam is learned so far")
    if calibrated and min(held_out) >= ENOUGH:
        return tr_count(
            "Chance of spam checked on %n message",
            "Chance of spam checked on %n messages",
            held_out[0] + held_out[1],
        )
    spam_left, ham_left = (max(0, ENOUGH - each) for each in held_out)
    texts = {
        tr_count("%n more spam message", "%n more spam messages", spam_left): spam_left,
        tr_count("%n more good message", "%n more good messages", ham_left): ham_left,
    }
    parts = [text for text, left in texts.items() if left]
    if not parts:
        return tr("Updating the chance of spam…")
    return tr("Chance of spam is still rough: mark {parts}").format(parts=tr(" and ").join(parts))


def mark_text(label: str | None, count: int) -> str:
    """Return the result of marking messages. None as `label` means that marks were cleared."""
    many = format_count(count)
    if label is None:
        return (
            tr("Mark cleared.") if count == 1 else tr("{count} marks cleared.").format(count=many)
        )
    name = {"spam": tr("spam"), "ham": tr("not spam")}.get(label, label)
    if count == 1:
        return tr("Marked as {name}.").format(name=name)
    return tr("{count} messages marked as {name}.").format(count=many, name=name)


def changed_verdicts_text(changed: int) -> str:
    if changed <= 0:
        return ""
    return tr_count(
        "%n other message changed its verdict.", "%n other messages changed their verdict.", changed
    )


def counted_phrase_text(unread: int) -> str:
    """Return the result of adding a phrase. `unread`: marked messages that may contain it and must
    be fetched.
    """
    more = tr_count(
        "%n marked message may contain it and is read again once it is downloaded.",
        "%n marked messages may contain it and are read again once they are downloaded.",
        unread,
    )
    return " ".join((tr("The phrase now counts like a word."), *([more] if unread else [])))


def written_words(header: str) -> str:
    """Return the date of a message in the user's language; unchanged if it is invalid."""
    try:
        written = parsedate_to_datetime(header)
        seconds = int(written.timestamp())
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return " ".join(header.split())
    here = QDateTime.fromSecsSinceEpoch(seconds)
    when = moment_in_full(seconds)
    offset = written.utcoffset()
    if offset is None or int(offset.total_seconds()) == here.offsetFromUtc():
        return when
    there = QDateTime.fromSecsSinceEpoch(seconds).toOffsetFromUtc(int(offset.total_seconds()))
    return tr("{when} ({time} for the sender)").format(when=when, time=_there(written, there))


def moment_in_full(seconds: float) -> str:
    """Return a moment in the user's language and time zone."""
    here = QDateTime.fromSecsSinceEpoch(int(seconds))
    return f"{locale().toString(here.date(), QLocale.FormatType.LongFormat)}, {_clock(here)}"


def _there(written: datetime, there: QDateTime) -> str:
    return f"{_clock(there)} {written.strftime('%z')[:3]}:{written.strftime('%z')[3:5]}"


def _clock(moment: QDateTime) -> str:
    return locale().toString(moment.time(), QLocale.FormatType.ShortFormat)
