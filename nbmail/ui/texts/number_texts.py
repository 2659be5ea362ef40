"""Texts of probabilities, other numbers and sizes."""

import math

from PySide6.QtCore import QLocale

from nbmail.ui.texts.language import locale, tr

MINUS = "−"
THIN = "\u202f"
MOST_DECIMALS = 6


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


def size_text(size: int) -> str:
    return locale().formattedDataSize(
        size, 1 if size >= 1_000_000 else 0, QLocale.DataSizeFormat.DataSizeSIFormat
    )
