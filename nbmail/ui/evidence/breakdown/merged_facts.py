"""Merging of lines that are about the same fact."""

from collections.abc import Sequence
from dataclasses import replace

from nbmail.core.explaining.explanation import Contribution
from nbmail.ui.evidence.breakdown.breakdown_lines import GROUP_OF, BreakdownLine, Group

PARTED = frozenset(
    [
        "from",
        "sender",
        "reply",
        "return",
        "signed",
        "list-id",
        "received",
        "origin",
        "id",
        "link",
        "to",
    ]
)
"""Places whose addresses, servers and networks are features as a whole and in parts."""
SHORTEST_PART = 3
ORDER = {place: number for number, place in enumerate(GROUP_OF)}


def merge_same_facts(found: Sequence[BreakdownLine]) -> list[BreakdownLine]:
    """Merge the lines of one fact.

    The sender's server in several headers is one fact, as is a word in several places of the text.
    An address and its server and name, or a network of three sizes, are merged if they always
    occurred together.
    """
    lines = _merge_equal_texts(found)
    parted = [line for line in lines if line.features[0].place in PARTED]
    others = [line for line in lines if line.features[0].place not in PARTED]
    return [*_merge_parts(parted), *others]


def _merge_equal_texts(found: Sequence[BreakdownLine]) -> list[BreakdownLine]:
    """Merge the lines of each group that have the same text."""
    joined: dict[tuple[object, str], BreakdownLine] = {}
    for line in found:
        text = line.text.removeprefix("@")
        key = (_group_of_fact(line, text), text)
        if key in joined:
            joined[key] = _merged(joined[key], line)
        else:
            joined[key] = line
    return list(joined.values())


def _group_of_fact(line: BreakdownLine, text: str) -> Group | None:
    """Return the group of a line. A server of the route merges with the sender's own server."""
    is_server = "." in text and " " not in text
    if is_server and line.group is Group.WAY:
        return Group.SENDER
    return line.group


def _merge_parts(lines: Sequence[BreakdownLine]) -> list[BreakdownLine]:
    """Merge each line into a longer one that contains its word and has the same counts."""
    wholes: list[BreakdownLine] = []
    for line in sorted(lines, key=lambda line: -len(_core(line.features[0]))):
        for place, whole in enumerate(wholes):
            if _is_part(line, whole):
                wholes[place] = _merged(whole, line)
                break
        else:
            wholes.append(line)
    return wholes


def _is_part(line: BreakdownLine, whole: BreakdownLine) -> bool:
    """True if a line's word is contained in another's, and both have equal counts."""
    part = line.features[0]
    other = whole.features[0]
    core = _core(part)
    are_equal = other.spam == part.spam and other.ham == part.ham
    return (
        are_equal
        and whole.group is line.group
        and len(core) >= SHORTEST_PART
        and core in _core(other)
    )


def _core(feature: Contribution) -> str:
    """Return the address, server or network of a feature."""
    return feature.word.removeprefix(f"{feature.place}:").removeprefix("by ").strip("@.*")


def _merged(one: BreakdownLine, other: BreakdownLine) -> BreakdownLine:
    """Merge two lines: the text of the first, the places of both, the sender's first."""
    is_other_named = other.group is Group.SENDER and one.group is not Group.SENDER
    first = other if is_other_named else one
    features = [*one.features, *other.features]
    features.sort(key=lambda each: ORDER.get(each.place, len(ORDER)))
    return replace(
        first,
        text=first.text.removeprefix("@"),
        counted=one.counted + other.counted,
        learned=one.learned + other.learned,
        features=tuple(features),
        count=len(features),
    )
