"""Sentences about a verdict: its reasons, and what would change it."""

from collections.abc import Sequence

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine, LineKind
from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.texts import mark_texts
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.mark_texts import lean_text
from nbmail.ui.texts.number_texts import near_percent, percent
from nbmail.ui.texts.plain_text import join_sentences

MOST_NAMED = 5
"""Maximum number of named words that flip the verdict. Of more words only the number is shown."""
MOST_COUNTED = 30
"""Maximum number of words that flip the verdict whose number is shown."""
NAMED_PER_SIDE = 3
LEAST_WEIGHT = 0.1
"""Share of the other side's weight below which a side is not mentioned."""
MANY = 12
FEW_DECIDE = 0.4
"""More than `MANY` words are many if their strongest have less than `FEW_DECIDE` of the sum."""


def verdict_text(why: Explanation, *, compact: bool = False) -> str:
    """Return the verdict with its chance, or with a tendency while there is no calibration."""
    verdict = mark_texts.verdict_text(why.verdict)
    if why.probability is not None:
        chance = percent(why.probability)
        if not compact:
            chance = tr("{percent} chance of spam").format(percent=chance)
        return f"{verdict} · {chance}"
    if why.verdict == "unsure" and why.log_odds:
        return f"{verdict} · {lean_text(why.log_odds)}"
    return verdict


def reason_text(why: Explanation, words: Sequence[BreakdownLine], *, compact: bool = False) -> str:
    """Return the evidence for and against spam, the verdict's side first.

    `compact`: only one side.
    """
    for_spam = [line for line in words if line.adds > 0]
    for_ham = [line for line in words if line.adds < 0]
    texts = []
    if _is_mentioned(for_spam, for_ham):
        texts.append(_spam_side_text(for_spam))
    if _is_mentioned(for_ham, for_spam):
        texts.append(_ham_side_text(for_ham))
    if why.log_odds <= 0:
        texts.reverse()
    found = [text for text in texts if text]
    if not found:
        return _untrained_text(why)
    return join_sentences(*found[: 1 if compact else 2])


def _is_mentioned(side: Sequence[BreakdownLine], other: Sequence[BreakdownLine]) -> bool:
    return _weight(side) > LEAST_WEIGHT * _weight(other)


def _weight(lines: Sequence[BreakdownLine]) -> float:
    return sum(abs(line.adds) for line in lines)


def _untrained_text(why: Explanation) -> str:
    """Return why there are no reasons. With one class learned, all words indicate that class."""
    if why.log_odds < 0:
        return tr(
            "nbmail has learned only good messages so far. Mark some spam to see the reasons here."
        )
    if why.log_odds > 0:
        return tr(
            "nbmail has learned only spam so far. Mark some good messages to see the reasons here."
        )
    return tr(
        "nbmail doesn't know any word of this message yet. Mark some messages to see the "
        "reasons here."
    )


def _spam_side_text(lines: Sequence[BreakdownLine]) -> str:
    return _side_text(
        lines,
        one=tr("{words} points to spam."),
        several=tr("{words} point to spam."),
        many=tr("{count} mostly weak reasons point to spam. The strongest: {words}."),
    )


def _ham_side_text(lines: Sequence[BreakdownLine]) -> str:
    return _side_text(
        lines,
        one=tr("{words} points to good mail."),
        several=tr("{words} point to good mail."),
        many=tr("{count} mostly weak reasons point to good mail. The strongest: {words}."),
    )


def _side_text(lines: Sequence[BreakdownLine], *, one: str, several: str, many: str) -> str:
    """Return the evidence for one side, strongest first: a few strong words, or many small ones."""
    named = [_quoted(line) for line in lines if line.kind is LineKind.WORD][:NAMED_PER_SIDE]
    if not named:
        return ""
    count = sum(line.count for line in lines)
    strongest = _weight(lines[:NAMED_PER_SIDE])
    if count > MANY and strongest < FEW_DECIDE * _weight(lines):
        return many.format(count=format_count(count), words=_listed(named[:2]))
    text = one if len(named) == 1 else several
    return text.format(words=_listed(named))


def held_back_text(why: Explanation, spam_per_lost: float, *, compact: bool = False) -> str:
    """Return why a message that is likely spam is unsure, "" for other messages."""
    if why.probability is None or why.spam_from is None:
        return ""
    if why.verdict != "unsure" or why.probability < 0.5:
        return ""
    threshold = near_percent(why.spam_from)
    if compact:
        return tr("Threshold {percent}").format(percent=threshold)
    begins = tr("Below the spam threshold of {percent}").format(percent=threshold)
    if not spam_per_lost:
        return f"{begins}."
    text = tr_count(
        "which weighs a false alarm like checking %n message yourself.",
        "which weighs a false alarm like checking %n messages yourself.",
        round(spam_per_lost),
    )
    return f"{begins}, {text}"


def _quoted(line: BreakdownLine) -> str:
    place = line.place.partition(", ")[0]
    text = tr("“{word}” ({place})") if place else tr("“{word}”")
    return text.format(word=line.text, place=place)


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    most = ", ".join(words[:-1])
    return tr("{most} and {last}").format(most=most, last=words[-1])


def change_text(why: Explanation) -> str:
    """Return the changes that would flip the verdict."""
    return join_sentences(_flip_text(why), _marks_text(why))


def _flip_text(why: Explanation) -> str:
    """Return the words without which the verdict would change."""
    count = len(why.flip_without)
    if not count:
        return ""
    if count > MOST_COUNTED:
        return tr("No single word decides: many words agree.")
    if count > MOST_NAMED:
        text = tr("No single word decides: the verdict would change only without {count} words.")
        return text.format(count=format_count(count))

    quoted = [tr("“{word}”").format(word=feature_text(word)) for word in why.flip_without]
    texts = {
        "spam": tr("Without {words}, it would not be spam."),
        "ham": tr("Without {words}, it would be unsure or spam."),
    }
    text = texts.get(why.verdict) or _unsure_flip_text(why)
    return text.format(words=_listed(quoted))


def _unsure_flip_text(why: Explanation) -> str:
    """Return the text for an unsure message: it gets the verdict that the words prevented."""
    words = [each for each in why.contributions if each.word in why.flip_without]
    if sum(each.contribution for each in words) <= 0:
        return tr("Without {words}, it would be spam.")
    return tr("Without {words}, it would be classified as not spam.")


def _marks_text(why: Explanation) -> str:
    if not why.marks_to_flip or why.marks_to_flip < 0:
        return ""
    return tr_count(
        "%n opposite mark on a message like this would change the verdict.",
        "%n opposite marks on messages like this would change the verdict.",
        why.marks_to_flip,
    )


def simulation_text(label: str, count: int) -> str:
    if not count:
        return tr("This mark alone would not change any other verdict.")
    if label == "spam":
        return tr_count(
            "Marking it as spam would change %n other verdict.",
            "Marking it as spam would change %n other verdicts.",
            count,
        )
    return tr_count(
        "Marking it as not spam would change %n other verdict.",
        "Marking it as not spam would change %n other verdicts.",
        count,
    )
