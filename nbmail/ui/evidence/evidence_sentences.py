"""The evidence of a message in sentences: what speaks for and against, what would turn it, what the figure rests on."""

from nbmail.ui.evidence.clue_texts import bare_word, place_words
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import grouped, tr, tr_count
from nbmail.worker.protocol import Contribution, Explanation

MOST_NAMED = 5
"""Beyond this many words without which the verdict would turn, only their number is told."""
MOST_COUNTED = 30
"""Beyond this many their number says no more than that they are many."""


def verdict_words(why: Explanation) -> str:
    """The verdict with its chance; before there are chances an unsure one says which way it leans."""
    verdict = phrases.verdict_word(why.verdict)
    if why.probability is not None:
        chance = tr("{percent} chance of junk").format(percent=phrases.percent(why.probability))
        return f"{verdict} · {chance}"
    if why.verdict == "unsure" and why.log_odds:
        return f"{verdict} · {phrases.lean_word(why.log_odds)}"
    return verdict


def reason_words(why: Explanation) -> str:
    """Why, in plain words: the strongest for and against."""
    junk = [_quoted(each) for each in why.contributions if each.contribution > 0][:3]
    good = [_quoted(each) for each in why.contributions if each.contribution < 0][:3]
    texts = []
    if junk:
        words = tr("{words} speaks for junk.") if len(junk) == 1 else tr("{words} speak for junk.")
        texts.append(words.format(words=_listed(junk)))
    if good:
        words = tr("{words} speaks for good mail.") if len(good) == 1 else tr("{words} speak for good mail.")
        texts.append(words.format(words=_listed(good)))
    return " ".join(texts if why.log_odds > 0 else reversed(texts)) or _undecided(why.log_odds)


def _undecided(log_odds: float) -> str:
    """While only one kind of mail is known every word speaks for it: none decides."""
    if log_odds < 0:
        return tr("So far only good mail was learned. Mark some junk too, and the words that decide appear here.")
    if log_odds > 0:
        return tr("So far only junk was learned. Mark some good mail too, and the words that decide appear here.")
    return tr("Nothing in this message has been learned yet. Mark some mail, and the words that decide appear here.")


def _quoted(each: Contribution) -> str:
    word, place = bare_word(each.word, each.place), place_words(each.place)
    if each.place == "body" or not place:
        return tr("“{word}”").format(word=word)
    return tr("“{word}” ({place})").format(word=word, place=place)


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return tr("{most} and {last}").format(most=", ".join(words[:-1]), last=words[-1])


def change_words(why: Explanation) -> str:
    """What would turn the verdict."""
    texts, count = [], len(why.flip_without)
    if count > MOST_COUNTED:
        texts.append(tr("No few words decide it: a great many say the same."))
    elif count > MOST_NAMED:
        text = tr("No few words decide it: {count} would have to be missing to turn it.")
        texts.append(text.format(count=grouped(count)))
    elif count:
        words = _listed([tr("“{word}”").format(word=_bare(word)) for word in why.flip_without])
        texts.append(_other_verdict(why).format(words=words))
    if why.marks_to_flip is not None and why.marks_to_flip > 0:
        texts.append(
            tr_count("%n mark the other way would turn it.", "%n marks the other way would turn it.", why.marks_to_flip)
        )
    return " ".join(texts)


def _bare(word: str) -> str:
    return bare_word(word, word.partition(":")[0])


def _other_verdict(why: Explanation) -> str:
    """What the message would be without some words: an unsure one turns to the side they held it back from."""
    if why.verdict == "junk":
        return tr("Without {words} it would not be junk.")
    if why.verdict == "good":
        return tr("Without {words} it would not be good.")
    pull = sum(each.contribution for each in why.contributions if each.word in why.flip_without)
    return tr("Without {words} it would be good.") if pull > 0 else tr("Without {words} it would be junk.")


def sum_words(why: Explanation) -> str:
    """The last line of the ledger in words."""
    amount = phrases.signed(why.log_odds)
    if why.probability is None:
        return tr("Together {amount}: {lean}. Too few of your marks are checked yet to make that a percentage.").format(
            amount=amount, lean=phrases.lean_word(why.log_odds)
        )
    return tr("Together {amount}, which is a {percent} chance of junk.").format(
        amount=amount, percent=phrases.percent(why.probability)
    )


def alike_words(why: Explanation) -> str:
    """What the percentage rests on: what became of the messages that scored like this one."""
    count, junk = why.alike
    if count <= 0 or why.probability is None:
        return ""
    if count == 1:
        return (
            tr("The one message that scored like this was junk.")
            if junk
            else tr("The one message that scored like this was good.")
        )
    text = {
        0: tr("Of {count} messages that scored like this, none was junk."),
        1: tr("Of {count} messages that scored like this, one was junk."),
        count: tr("Of {count} messages that scored like this, all were junk."),
    }.get(junk, tr("Of {count} messages that scored like this, {junk} were junk."))
    return text.format(count=grouped(count), junk=grouped(junk))
