"""Texts about marks that other marks contradict."""

from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import label_name
from nbmail.ui.texts.number_texts import percent

CLEAR = 4.0
VERY_CLEAR = 8.0
"""Log-odds from which on other marks contradict a mark clearly (98 %) and very clearly (99.97
%).
"""


def doubt_text(log_odds: float, probability: float) -> str:
    """Return what all other marks indicate for a doubtful mark, with the chance of spam."""
    text = tr("probably {name}")
    if abs(log_odds) >= VERY_CLEAR:
        text = tr("very clearly {name}")
    elif abs(log_odds) >= CLEAR:
        text = tr("clearly {name}")
    said = text.format(name=label_name("spam" if log_odds > 0 else "ham"))
    return tr("{said}: {chance} chance of spam").format(said=said, chance=percent(probability))
