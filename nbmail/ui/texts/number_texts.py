"""Texts of probabilities, other numbers and sizes."""

import math

from PySide6.QtCore import QLocale

from nbmail.text.percentages import sharp_percentage
from nbmail.ui.texts.language import locale, tr

MINUS = "−"
THIN = "\u202f"


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
    places = 0
    while places < 3 and not math.isclose(round(value, places), value):
        places += 1
    return f"{_decimal(value, places)}{THIN}%"


def near_percent(probability: float) -> str:
    """Format a probability near 1 with the decimals that show its distance from 1.

    For example 98 %, 99.5 %, 99.98 %.
    """
    value = 100 * probability
    tolerance = 0.02 * (100 - value)
    places = 0
    while places < 3 and abs(round(value, places) - value) > tolerance:
        places += 1
    return f"{_decimal(value, places)}{THIN}%"


def sharp_percent(log_odds: float) -> str:
    """Format a probability with all decimals that distinguish it from 0 % and 100 %.

    At most six, as in 99.9997 %.
    """
    found = sharp_percentage(log_odds)
    sign = found.sign + THIN if found.sign else ""
    return f"{sign}{_decimal(found.value, found.places)}{THIN}%"


def _decimal(value: float, places: int) -> str:
    return locale().toString(value, "f", places)


def number_text(value: float) -> str:
    return locale().toString(value, "g", 6)


def signed(value: float, places: int = 2) -> str:
    text = _decimal(abs(value), places)
    if round(abs(value), places) == 0:
        return text
    sign = "+" if value > 0 else MINUS
    return sign + text


def size_text(size: int) -> str:
    decimals = 1 if size >= 1_000_000 else 0
    return locale().formattedDataSize(size, decimals, QLocale.DataSizeFormat.DataSizeSIFormat)
