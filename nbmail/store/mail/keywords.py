"""Keywords of messages on servers, and the labels that they imply."""

from collections.abc import Iterable

from nbmail.values import HAM, SPAM

KEYWORDS = {
    SPAM: frozenset({"$Junk", "Junk"}),
    HAM: frozenset({"$NotJunk", "NonJunk"}),
}
"""Keywords that imply a label: the registered one and that of Thunderbird.

Programs read and set both, and remove those of the other label. If two programs do so at the same
moment, or one knows only two of the four, keywords may contradict each other. Then the newest
keyword counts; of all four at once the ham ones, so that wanted mail isn't lost.
"""
ALL = KEYWORDS[SPAM] | KEYWORDS[HAM]
_LABELS = {keyword.lower(): label for label, both in KEYWORDS.items() for keyword in both}


def keywords_of(label: str | None) -> frozenset[str]:
    """Return the keywords of a label; none for other labels or without a label."""
    return KEYWORDS.get(label or "", frozenset())


def labels_in(flags: Iterable[str]) -> frozenset[str]:
    """Return the labels that keywords imply: none, one, or two that contradict each other."""
    keywords = {flag.lower() for flag in flags} & _LABELS.keys()
    return frozenset(_LABELS[keyword] for keyword in keywords)


def agree(label: str | None, flags: Iterable[str]) -> bool:
    """True if the keywords imply this label and no other."""
    return labels_in(flags) == labels_in(keywords_of(label))


def label_in(flags: Iterable[str]) -> str | None:
    """Return the label that keywords imply when they are seen first."""
    return label_given((), flags) or None


def label_given(before: Iterable[str], now: Iterable[str], meant: str = "") -> str | None:
    """Return the label that changed keywords imply, "" for none, None if unchanged.

    `meant` decides between two.
    """
    was = labels_in(before)
    says = labels_in(now)
    if len(says) < 2:
        if says == was:
            return None
        return next(iter(says), "")

    keywords = {flag.lower() for flag in now} & _LABELS.keys()
    if len(keywords) == len(_LABELS):
        return HAM
    if meant:
        return meant
    new = labels_in(keywords - {flag.lower() for flag in before})
    if len(new) != 1:
        return None
    return next(iter(new))
