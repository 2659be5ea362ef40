"""What keywords on a server say of a message's label.

Of each label there are two keywords, the registered one and Thunderbird's. Both are read and set, and whoever sets
those of one label takes away those of the other. Where that went wrong, because two programs did it at the same
moment or one knows only two of the four, the keyword that came last speaks; of all four at once the good ones do, for
every program alike: mail that is wanted must not be lost.
"""

from collections.abc import Iterable

from nbmail.core.scoring.model import GOOD, JUNK

KEYWORDS = {JUNK: frozenset({"$Junk", "Junk"}), GOOD: frozenset({"$NotJunk", "NonJunk"})}
ALL = KEYWORDS[JUNK] | KEYWORDS[GOOD]
_LABELS = {keyword.lower(): label for label, both in KEYWORDS.items() for keyword in both}


def keywords_of(label: str | None) -> frozenset[str]:
    """The keywords of a message with this label; none where it has another or no label."""
    return KEYWORDS.get(label or "", frozenset())


def labels_in(flags: Iterable[str]) -> frozenset[str]:
    """The labels that keywords speak of: none, one, or two that contradict each other."""
    return frozenset(_LABELS[flag.lower()] for flag in flags if flag.lower() in _LABELS)


def agree(label: str | None, flags: Iterable[str]) -> bool:
    """Whether the keywords say just this label."""
    return labels_in(flags) == labels_in(keywords_of(label))


def label_in(flags: Iterable[str]) -> str | None:
    """The label that keywords speak of when they are seen for the first time."""
    return label_given((), flags) or None


def label_given(before: Iterable[str], now: Iterable[str], meant: str = "") -> str | None:
    """The label that someone gave by making these keywords of those; "" where it was taken away, None for no news.

    Of two labels it is the one that is known to be `meant`.
    """
    was, says = labels_in(before), labels_in(now)
    if len(says) < 2:
        return next(iter(says), "") if says != was else None
    spoken = {flag.lower() for flag in now} & _LABELS.keys()
    new = labels_in(spoken - {flag.lower() for flag in before})
    if len(spoken) == len(_LABELS):
        return GOOD
    if meant:
        return meant
    return next(iter(new)) if len(new) == 1 else None
