"""Words of a reason, by the part of the message pane that shows them."""

from collections.abc import Collection
from typing import NamedTuple

from PySide6.QtWidgets import QLabel

from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine

TEXT = frozenset(("body", "start"))
PEOPLE = frozenset(("from", "to", "reply", "return", "sender"))
LINKS = frozenset(("link", "path"))


class PointedWords(NamedTuple):
    """Words in text, subject, names of people and addresses of links."""

    text: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()


def pointed_words(line: BreakdownLine | None) -> PointedWords:
    """Return the words of a breakdown line, none for None."""
    text = set[str]()
    subject = set[str]()
    people = set[str]()
    links = set[str]()
    for feature in line.features if line is not None else ():
        word = feature.word.removeprefix(f"{feature.place}:").lower()
        if feature.place == "pair":
            text.update(word.split())
        elif feature.place in TEXT:
            text.add(word)
        elif feature.place == "subject":
            subject.add(word)
        elif feature.place in PEOPLE:
            people.add(word)
        elif feature.place in LINKS:
            links.add(word.strip("@"))
    links.discard("")
    return PointedWords(frozenset(text), frozenset(subject), frozenset(people), frozenset(links))


class LabelSelections:
    """Selects words in labels."""

    def __init__(self) -> None:
        self._selected = set[QLabel]()

    def forget(self) -> None:
        """Forget the labels, which get new texts or are deleted."""
        self._selected.clear()

    def select(self, label: QLabel, words: Collection[str]) -> None:
        """Select the longest of these words in a label.

        Without a match, the user's selection stays.
        """
        text = label.text().lower()
        word = max((each for each in words if each in text), key=len, default="")
        if word:
            label.setSelection(text.find(word), len(word))
            self._selected.add(label)
        elif label in self._selected:
            label.setSelection(0, 0)
            self._selected.discard(label)
