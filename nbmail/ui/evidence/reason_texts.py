"""Sentences about a score: reasons, changes that would flip the verdict, base of the percentage;
sources of a label.
"""

import math
import time
from collections.abc import Sequence

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence.feature_texts import feature_text
from nbmail.ui.evidence.score_breakdown import BreakdownLine, LineKind, amount_text
from nbmail.ui.model.model_texts import label_text as mark_name
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts import mark_texts
from nbmail.ui.texts.date_texts import NO_BREAK
from nbmail.ui.texts.language import format_count, locale, tr, tr_count
from nbmail.ui.texts.mark_texts import lean_text
from nbmail.ui.texts.number_texts import near_percent, percent, sharp_percent, signed
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.values import JournalLine, LabelSource, SourcedLabel

MOST_NAMED = 5
"""Maximum number of named words that flip the verdict. Of more words only the number is shown."""
MOST_COUNTED = 30
"""Maximum number of words that flip the verdict whose number is shown."""
NOT_NAIVE_BAYES = ("balanced", "logistic")
"""Methods whose scores are no log-odds of Naive Bayes."""
NAMED_PER_SIDE = 3
LEAST_WEIGHT = 0.1
"""Share of the other side's weight below which a side is not mentioned."""
UNUSUAL = 0.99
"""Share of other messages with more probable words from which a message is unusual."""
MANY = 12
FEW_DECIDE = 0.4
"""A side with more words than `MANY` is described as many if its strongest have less than
`FEW_DECIDE` of its sum.
"""


def verdict_text(why: Explanation, *, compact: bool = False) -> str:
    """Return the verdict with its chance, or with the tendency of an unsure message without
    calibration.
    """
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
    """Return the evidence for and against spam: a few strong words, or many small ones. `compact`:
    only one side.
    """
    sides = {side: [line for line in words if line.adds * side > 0] for side in (1, -1)}
    weights = {side: sum(abs(line.adds) for line in lines) for side, lines in sides.items()}
    order = (1, -1) if why.log_odds > 0 else (-1, 1)
    found = (
        _side_text(sides[side], side)
        for side in order
        if weights[side] > LEAST_WEIGHT * weights[-side]
    )
    said = [text for text in found if text]
    if said:
        return join_sentences(*said[: 1 if compact else 2])
    # With one class learned all words indicate that class.
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


def _side_text(lines: Sequence[BreakdownLine], side: int) -> str:
    """Return the evidence for one side, strongest first."""
    named = [_quoted(line) for line in lines if line.kind is LineKind.WORD][:NAMED_PER_SIDE]
    if not named:
        return ""
    strongest = sum(abs(line.adds) for line in lines[:NAMED_PER_SIDE])
    count = sum(line.count for line in lines)
    if count > MANY and strongest < FEW_DECIDE * sum(abs(line.adds) for line in lines):
        text = tr("{count} mostly weak reasons point to spam. The strongest: {words}.")
        if side < 0:
            text = tr("{count} mostly weak reasons point to good mail. The strongest: {words}.")
        return text.format(count=format_count(count), words=_listed(named[:2]))
    texts = (tr("{words} points to spam."), tr("{words} point to spam."))
    if side < 0:
        texts = (tr("{words} points to good mail."), tr("{words} point to good mail."))
    return texts[len(named) > 1].format(words=_listed(named))


def held_back_text(why: Explanation, spam_per_lost: float, *, compact: bool = False) -> str:
    """Return why a message that is likely spam is unsure, "" for other messages."""
    if (
        why.verdict != "unsure"
        or why.probability is None
        or why.spam_from is None
        or why.probability < 0.5
    ):
        return ""
    begins = tr("Below the spam threshold of {percent}").format(percent=near_percent(why.spam_from))
    if compact:
        return tr("Threshold {percent}").format(percent=near_percent(why.spam_from))
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
    return tr("{most} and {last}").format(most=", ".join(words[:-1]), last=words[-1])


def change_text(why: Explanation) -> str:
    """Return the changes that would flip the verdict."""
    texts = []
    count = len(why.flip_without)
    if count > MOST_COUNTED:
        texts.append(tr("No single word decides: many words agree."))
    elif count > MOST_NAMED:
        text = tr("No single word decides: the verdict would change only without {count} words.")
        texts.append(text.format(count=format_count(count)))
    elif count:
        names = [feature_text(word) for word in why.flip_without]
        words = _listed([tr("“{word}”").format(word=name) for name in names])
        # An unsure message gets the verdict that the words prevented.
        pull = sum(each.contribution for each in why.contributions if each.word in why.flip_without)
        text = tr("Without {words}, it would be classified as not spam.")
        if why.verdict == "spam":
            text = tr("Without {words}, it would not be spam.")
        elif why.verdict == "ham":
            text = tr("Without {words}, it would no longer be classified as good mail.")
        elif pull <= 0:
            text = tr("Without {words}, it would be spam.")
        texts.append(text.format(words=words))
    if why.marks_to_flip is not None and why.marks_to_flip > 0:
        texts.append(
            tr_count(
                "%n opposite mark on a message like this would change the verdict.",
                "%n opposite marks on messages like this would change the verdict.",
                why.marks_to_flip,
            )
        )
    return " ".join(texts)


def sum_text(why: Explanation, *, expanded: bool = False) -> str:
    """Return the sum of the lines; below an expanded breakdown, which ends with the sum, all about
    the score.
    """
    amount = amount_text(round(100 * why.log_odds))
    if why.probability is None:
        text = tr("Total {amount}: {lean}. Mark more messages to get a chance of spam.")
        return text.format(amount=amount, lean=lean_text(why.log_odds))
    text = tr("Total {amount}, a {percent} chance of spam.")
    chance = percent(why.probability)
    if expanded and why.spam_from is not None and 0 < why.spam_from < 1:
        text = tr("Spam threshold: {amount}, a {percent} chance of spam.")
        chance = near_percent(why.spam_from)
        amount = signed(math.log(why.spam_from / (1 - why.spam_from)))
    sentences = [text.format(amount=amount, percent=chance), arrival_text(why, expanded=expanded)]
    if expanded and why.class_scores is not None:
        text = tr("Compatibility scores: log p(x, spam) = {spam}, log p(x, good) = {ham}.")
        spam, ham = map(signed, why.class_scores)
        sentences.append(text.format(spam=spam, ham=ham))
    if expanded and why.method:
        text = tr("Plain Naive Bayes would say {percent}.")
        if why.method in NOT_NAIVE_BAYES:
            text = tr("Before calibration it would be {percent}.")
        sentences.append(text.format(percent=sharp_percent(why.score)))
    return join_sentences(*sentences)


def arrival_text(why: Explanation, *, expanded: bool = False) -> str:
    """Return the chance of spam when the message arrived, "" if there was none."""
    if why.chance_at_arrival is None:
        return ""
    text = tr("{percent} when it arrived.")
    if expanded:
        text = tr("Its chance of spam was {percent} when it arrived.")
    return text.format(percent=percent(why.chance_at_arrival))


def unusual_text(why: Explanation) -> str:
    """Return a note if the words of the message are less probable than those of nearly all other
    mail.
    """
    usual = why.typicality
    if usual is None or usual.higher < UNUSUAL * usual.others:
        return ""
    text = tr(
        "Unlike most of your mail: log p(x) per word is {amount}, "
        "lower than in {higher} of your latest {others} messages."
    )
    counts = {"higher": format_count(usual.higher), "others": format_count(usual.others)}
    return text.format(amount=signed(usual.log_likelihood), **counts)


def similar_scores_text(why: Explanation) -> str:
    """Return how many messages with a similar score were spam, "" without calibration."""
    count, spam = why.nearest
    if count <= 0 or why.probability is None:
        return ""
    if count == 1:
        text = tr("The tested message with the nearest score was not spam.")
        return tr("The tested message with the nearest score was spam.") if spam else text
    text = {
        0: tr("Of the {count} tested messages with the nearest scores, none was spam."),
        1: tr("Of the {count} tested messages with the nearest scores, one was spam."),
        count: tr("Of the {count} tested messages with the nearest scores, all were spam."),
    }.get(spam, tr("Of the {count} tested messages with the nearest scores, {spam} were spam."))
    return text.format(count=format_count(count), spam=format_count(spam))


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


LONGEST_FOLDER = 40
"""Maximum number of shown characters of a folder's name, from its end: nested folders differ
there.
"""


def _kinds() -> dict[str, tuple[str, str]]:
    """Return for each kind of source its name and the beginning of a sentence about its label."""
    return {
        "user": (tr("you"), tr("You marked it as {label}")),
        "folder": (tr("folder"), tr("Learned as {label} from a folder")),
        "files": (tr("mail files"), tr("Learned as {label} from mail files")),
        "server": (tr("other program"), tr("Marked as {label} by another mail program")),
        "import": (tr("import"), tr("Marked as {label} by an import")),
        "rule": (tr("your rule"), tr("Decided as {label} by your rule")),
    }


def source_text(label_source: LabelSource) -> str:
    """Return one or two words for a narrow column."""
    return _kinds().get(label_source.by, (tr("unknown"), ""))[0]


def source_phrase(label_source: LabelSource) -> str:
    if label_source.by == "server":
        return tr("another mail program")
    if label_source.folder is None:
        return source_text(label_source)
    return tr("the folder “{folder}”").format(folder=_folder(label_source))


def journal_source_text(line: JournalLine) -> str:
    known = {"undo": tr("you (undo)"), "redo": tr("you (redo)"), "restore": tr("you (restored)")}
    known["start"] = tr("you (reset)")
    return known.get(line.by) or source_phrase(LabelSource(line.by, line.folder))


def label_text(label: str, label_source: LabelSource) -> str:
    text = _kinds().get(label_source.by, ("", tr("Marked as {label} by an unknown source")))[1]
    if label_source.folder is not None:
        text = tr("Learned as {label} from the folder “{folder}”")
    return text.format(label=mark_name(label), folder=_folder(label_source))


def source_sentence(sourced: SourcedLabel) -> str:
    text = tr("{said}.")
    if sourced.moment:
        seen = sourced.label_source.by == "server"
        text = tr("{said}, received on {when}.") if seen else tr("{said} on {when}.")
    said = label_text(sourced.label, sourced.label_source)
    sentence = text.format(said=said, when=moment_text(sourced.moment))
    restored = {
        "undo": tr("Restored by Undo on {when}."),
        "redo": tr("Restored by Redo on {when}."),
        "restore": tr("Restored from the history on {when}."),
    }.get(sourced.back_by, "")
    return f"{sentence} {restored.format(when=moment_text(sourced.back_moment))}".rstrip()


def moment_text(moment: float) -> str:
    """Return date and time in full. The text stays valid however long it is shown."""
    then = time.localtime(moment)
    date = tr("{day} {month} {year}").replace(" ", NO_BREAK)
    month = locale().monthName(then.tm_mon, locale().FormatType.ShortFormat)
    words = date.format(day=then.tm_mday, month=month, year=then.tm_year)
    return f"{words}, {then.tm_hour:02}:{then.tm_min:02}"


def _folder(label_source: LabelSource) -> str:
    name = folder_name(label_source.folder) if label_source.folder is not None else ""
    return name if len(name) <= LONGEST_FOLDER else "…" + name[1 - LONGEST_FOLDER :].lstrip()
