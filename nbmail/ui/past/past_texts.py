"""Words for the journal, for doubts and for the past. Takes plain values, gives plain texts."""

import math
from collections.abc import Sequence

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr, tr_count

CLEAR, VERY_CLEAR = 4.0, 8.0
"""Log-odds from which on the others speak clearly (98 %), and very clearly (99.97 %)."""
FLAT = 0.02
"""A chance that moved by less stayed where it was."""
NOTEWORTHY = 0.1
"""A chance that went beyond both ends of its time by more is told."""


def label_word(label: str | None) -> str:
    """A mark in one word."""
    if label is None:
        return tr("no mark")
    return {"junk": tr("junk"), "good": tr("not junk")}.get(label, label)


def doubt_words(log_odds: float, probability: float | None = None) -> str:
    """What the other marks say of this one, with the chance that it is junk where they are enough for one."""
    name = label_word("junk" if log_odds > 0 else "good")
    texts = tr("rather {name}"), tr("clearly {name}"), tr("very clearly {name}")
    said = texts[(abs(log_odds) >= CLEAR) + (abs(log_odds) >= VERY_CLEAR)].format(name=name)
    if probability is None:
        return said
    return tr("{said}: {chance} junk").format(said=said, chance=phrases.percent(probability))


def changed_words(count: int) -> str:
    """What going back did."""
    if not count:
        return tr("All marks are as they were then: nothing changed.")
    return tr_count("%n mark changed.", "%n marks changed.", count)


def said_words(verdict: str, log_odds: float, probability: float) -> str:
    """What the model of a moment says of a message."""
    if log_odds == 0 or math.isnan(log_odds):
        return tr("Not enough yet: too little had been marked by then.")
    if math.isnan(probability):
        lean = phrases.lean_text(log_odds)
        word = tr("Unsure; it {lean}").format(lean=lean) if verdict == "unsure" else phrases.verdict_text(verdict)
        return tr("{word}. An honest percentage needed more marks.").format(word=word)
    text = tr("{verdict}, with a chance of {chance} that it is junk.")
    return text.format(verdict=phrases.verdict_text(verdict), chance=phrases.percent(probability))


def trace_words(points: Sequence[tuple[float, float]], now: float) -> str:
    """A trace in one sentence."""
    (began, first), (_, last) = points[0], points[-1]
    if abs(last - first) < FLAT:
        text = tr("The chance that their mail is junk is {last}, about what it was at first ({when}).")
    elif last > first:
        text = tr("The chance that their mail is junk rose from {first} to {last} since {when}.")
    else:
        text = tr("The chance that their mail is junk fell from {first} to {last} since {when}.")
    said = text.format(first=phrases.percent(first), last=phrases.percent(last), when=phrases.date_text(began, now))
    return f"{said} {_between_words([chance for _, chance in points])}".rstrip()


def _between_words(chances: Sequence[float]) -> str:
    """What the two ends don't tell: how far it went beyond them."""
    low, high = sorted((chances[0], chances[-1]))
    if max(chances) - high > NOTEWORTHY:
        return tr("In between it was as high as {chance}.").format(chance=phrases.percent(max(chances)))
    if low - min(chances) > NOTEWORTHY:
        return tr("In between it was as low as {chance}.").format(chance=phrases.percent(min(chances)))
    return ""
