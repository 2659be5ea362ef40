"""Shown texts of the features of a message. Every feature of `core` has one."""

from nbmail.core.explaining.explanation import Contribution
from nbmail.ui.evidence.features.fact_texts import fact_text
from nbmail.ui.evidence.features.measure_texts import measure_text, quantity_text, value_text
from nbmail.ui.evidence.features.odd_features import odd_feature_text
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import visible

LONGEST_FEATURE = 200
"""Maximum number of shown letters of a feature."""


def feature_text(word: str) -> str:
    """Return a feature without its place prefix; a phrase for features that are not plain words."""
    place, _, rest = word.partition(":") if ":" in word else ("", "", word)
    bare = visible(rest, LONGEST_FEATURE)
    name, _, value = bare.partition("=")
    if place == "fact":
        return fact_text(name, value)
    if place == "measure":
        return measure_text(name, value)
    if place == "absent":
        return tr("absent words")
    return odd_feature_text(bare, place) or bare or tr("(empty)")


def contribution_text(each: Contribution) -> str:
    """Return the text of a part of a score: a feature, a pair, or a measure with its value."""
    if each.pair:
        one, other = each.pair
        text = tr("{one} with {other}")
        return text.format(one=feature_text(one), other=feature_text(other))
    if each.written and not each.word.endswith("=me"):
        return _acquaintance_text(each.written, is_verified=each.word.endswith("=verified"))
    if each.measure is not None:
        return value_text(each.word.removeprefix("measure:"), each.measure.value)
    return feature_text(each.word)


def _acquaintance_text(written: int, *, is_verified: bool) -> str:
    """Return how often the user wrote to the sender.

    `is_verified`: the user's mail server confirmed that the sender is this address.
    """
    if is_verified:
        one = tr("you wrote to this address once, and your mail server confirmed the sender")
        many = tr("you wrote to this address %n times, and your mail server confirmed the sender")
    else:
        one = tr("you wrote to this address once")
        many = tr("you wrote to this address %n times")
    return one if written == 1 else many.replace("%n", format_count(written))


def class_texts(each: Contribution) -> tuple[str, str]:
    """Return the counts of a feature in spam and in good mail.

    For a measure, return its means and standard deviations.
    """
    measure = each.measure
    if measure is None:
        return format_count(each.spam), format_count(each.ham)
    name = each.word.removeprefix("measure:")
    _, spam, spam_spread, ham, ham_spread = measure
    return (
        _spread_text(name, float(spam), float(spam_spread)),
        _spread_text(name, float(ham), float(ham_spread)),
    )


def _spread_text(name: str, mean: float, deviation: float) -> str:
    return f"{quantity_text(name, mean)} ± {quantity_text(name, deviation)}"
