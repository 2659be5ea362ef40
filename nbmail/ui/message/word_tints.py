"""Background colors for the words of a message that contribute most to its score."""

from functools import partial

from PySide6.QtGui import QColor

from nbmail.core.scoring.explanation import Contribution, Explanation
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.theme import Colors
from nbmail.ui.message.mail_body import WordTint

STEPS = 10
"""Number of tints for each class."""
FAINTEST = 0.05
"""Share of the strongest contribution below which words are not tinted."""


def word_tints(why: Explanation, most: int, theme: Colors) -> dict[str, WordTint]:
    """Return tints of at most `most` words of the text, by words in lower case."""
    found = [each for each in why.contributions if each.place == "body"]
    strongest = sorted(found, key=lambda each: -abs(each.contribution))[:most]
    limit = max((abs(each.contribution) for each in strongest), default=0.0)
    steps = {step: _color(step / STEPS, theme) for step in range(-STEPS, STEPS + 1)} if limit else {}
    return {
        each.word.lower(): WordTint(steps[round(STEPS * each.contribution / limit)], partial(_tip, each))
        for each in strongest
        if abs(each.contribution) >= FAINTEST * limit > 0
    }


def _color(strength: float, theme: Colors) -> str:
    """Return the color of a word. `strength`: share of the strongest contribution, negative for good mail."""
    soft, base = QColor(theme.junk_soft if strength > 0 else theme.good_soft), QColor(theme.base)
    part = 0.35 + 0.65 * abs(strength)
    pairs = ((soft.redF(), base.redF()), (soft.greenF(), base.greenF()), (soft.blueF(), base.blueF()))
    return QColor.fromRgbF(*(part * one + (1 - part) * other for one, other in pairs)).name()


def _tip(each: Contribution) -> str:
    text = tr("Log-ratio {ratio}: in {junk} junk and {good} good messages; adds {amount} here. Click for details.")
    counts = {"junk": format_count(each.junk), "good": format_count(each.good)}
    return text.format(ratio=phrases.signed(each.log_ratio), amount=phrases.signed(each.contribution), **counts)
