"""Tints of words with evidence, and their tooltips."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from PySide6.QtGui import QColor

from nbmail.core.explaining.explanation import Contribution, Explanation
from nbmail.ui.kit.theme import Colors
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import signed

STEPS = 10
"""Number of tints for each class."""
FAINTEST = 0.05
"""Share of the strongest contribution below which words are not tinted."""


class WordTint(NamedTuple):
    """Background color of a word, and a function that returns its tooltip."""

    color: str
    tooltip: Callable[[], str]


def word_tints(why: Explanation, most: int, theme: Colors) -> dict[str, WordTint]:
    """Return tints of at most `most` words of the text, by words in lower case."""
    found = [each for each in why.contributions if each.place == "body"]
    strongest = sorted(found, key=lambda each: abs(each.contribution), reverse=True)[:most]
    limit = max((abs(each.contribution) for each in strongest), default=0.0)
    if not limit:
        return {}

    tints = {}
    for each in strongest:
        if abs(each.contribution) >= FAINTEST * limit:
            color = _tint_color(round(STEPS * each.contribution / limit), theme)
            tints[each.word.lower()] = WordTint(color, partial(_tooltip, each))
    return tints


@lru_cache(256)
def _tint_color(step: int, theme: Colors) -> str:
    """Return the color of a word. `step`: from -STEPS for ham to STEPS for spam."""
    soft = QColor(theme.spam_soft if step > 0 else theme.ham_soft)
    base = QColor(theme.base)
    share = 0.35 + 0.65 * abs(step) / STEPS
    return QColor.fromRgbF(
        share * soft.redF() + (1 - share) * base.redF(),
        share * soft.greenF() + (1 - share) * base.greenF(),
        share * soft.blueF() + (1 - share) * base.blueF(),
    ).name()


def _tooltip(word: Contribution) -> str:
    text = tr(
        "Log-ratio {ratio}: in {spam} spam and {ham} good messages; adds {amount} here. "
        "Click for details."
    )
    return text.format(
        ratio=signed(word.log_ratio),
        amount=signed(word.contribution),
        spam=format_count(word.spam),
        ham=format_count(word.ham),
    )
