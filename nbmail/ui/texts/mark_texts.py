"""Texts about marks: what they say, and what follows from them."""

import math

from nbmail.ui.texts.language import format_count, tr, tr_count

ENOUGH = 30
"""Held-out scores per class from which on percentages are reliable."""


def verdict_text(verdict: str) -> str:
    """Return the name of a verdict; own classes have none but their own."""
    names = {"spam": tr("Spam"), "ham": tr("Not spam"), "unsure": tr("Unsure")}
    return names.get(verdict, verdict)


def label_name(label: str | None) -> str:
    """Return the name of a label in a sentence."""
    if label is None:
        return tr("no mark")
    return {"spam": tr("spam"), "ham": tr("not spam")}.get(label, label)


def lean_text(log_odds: float) -> str:
    """Return the tendency of a score while there are too few marks for a probability."""
    if math.isnan(log_odds) or log_odds == 0:
        return tr("too few marks")
    return tr("leaning spam") if log_odds > 0 else tr("leaning not spam")


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
    parts = _missing_marks(*held_out)
    if not parts:
        return tr("Updating the chance of spam…")
    return tr("Chance of spam is still rough: mark {parts}").format(parts=tr(" and ").join(parts))


def _missing_marks(spam: int, ham: int) -> list[str]:
    """Return which marks the calibration lacks with this many held-out scores."""
    parts = []
    if spam < ENOUGH:
        left = ENOUGH - spam
        parts.append(tr_count("%n more spam message", "%n more spam messages", left))
    if ham < ENOUGH:
        left = ENOUGH - ham
        parts.append(tr_count("%n more good message", "%n more good messages", left))
    return parts


def mark_text(label: str | None, count: int) -> str:
    """Return the result of marking messages. None as `label` means that marks were cleared."""
    many = format_count(count)
    if label is None:
        if count == 1:
            return tr("Mark cleared.")
        return tr("{count} marks cleared.").format(count=many)
    names = {"spam": tr("spam"), "ham": tr("not spam")}
    name = names.get(label, label)
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
    """Return the result of adding a phrase.

    `unread`: marked messages that may contain it and must be fetched.
    """
    text = tr("The phrase now counts like a word.")
    if not unread:
        return text
    more = tr_count(
        "%n marked message may contain it and is read again once it is downloaded.",
        "%n marked messages may contain it and are read again once they are downloaded.",
        unread,
    )
    return f"{text} {more}"
