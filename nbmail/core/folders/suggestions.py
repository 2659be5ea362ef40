"""Suggested folders of a message."""

from typing import NamedTuple

SHOWN = 3
"""Folders suggested for a message."""


class Suggestion(NamedTuple):
    """The likeliest folders of a message, with their probabilities.

    `together`: probability that one of them is right.
    """

    folders: tuple[str, ...]
    probabilities: tuple[float, ...]
    together: float


class PastSuggestion(NamedTuple):
    """Suggestion for a message that was filed in `filed` afterwards.

    `place`: that of the right folder, -1 for none.
    """

    filed: str
    first: str
    probability: float
    together: float
    place: int
