"""Suggestions of folders, and the record of past ones, on which their probabilities rest.

Each filed message is scored before it is learned. Two logistic lines are fitted online to whether
the first folder was right, and whether any of the first three was. Older suggestions count less, so
that the lines follow the model while it learns.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nbmail.core.scoring.explanation import Proportion

SHOWN = 3
"""Folders suggested for a message."""
SURE = 0.99
"""Probability from which on mail may be filed automatically."""
# Automatic filing needs these lower ends of the intervals of right sure suggestions: of all
# folders, and of one.
_CARRIES = 0.98
_CARRIES_FOLDER = 0.9

# Standard deviations of the prior of intercept and slope, and the decay of a suggestion's weight
# with each later one.
_SPREADS = (1.0, 0.5)
_FADING = 0.99
_SURE = 1e-4
_FARTHEST = 30.0
_SMALLEST = 1e-9
_LEAST_WEIGHT = 1e-3


class Suggestion(NamedTuple):
    """The likeliest folders of a message, with their probabilities, and the probability that one of
    them is right.
    """

    folders: tuple[str, ...]
    probabilities: tuple[float, ...]
    together: float


class PastSuggestion(NamedTuple):
    """Suggestion for a message that was filed in `filed` afterwards. `place`: that of the right
    folder, -1 for none.
    """

    filed: str
    first: str
    probability: float
    together: float
    place: int


class FilingRecord(NamedTuple):
    """Past suggestions of at least `SURE`. Automatically filed mail that a person moved away counts
    as wrong.
    """

    total: Proportion
    folders: Mapping[str, Proportion]

    def carries(self, folder: str) -> bool:
        """True if mail may be filed into this folder automatically."""
        own = self.folders.get(folder, Proportion(0, 0))
        return self.total.lowest >= _CARRIES and own.lowest >= _CARRIES_FOLDER


def filing_record(past: Iterable[PastSuggestion], put_back: Mapping[str, int]) -> FilingRecord:
    """Return the record. `put_back`: number of automatically filed messages that a person moved
    away, by folder.
    """
    sure = [one for one in past if one.probability >= SURE]
    right = Counter(one.first for one in sure if one.place == 0)
    count = Counter(one.first for one in sure) + Counter(put_back)
    folders = {folder: Proportion(right[folder], count[folder]) for folder in sorted(count)}
    return FilingRecord(Proportion(right.total(), len(sure)), folders)


class SuggestionLine(NamedTuple):
    """Logistic line: log-odds = intercept + slope * x. `precision`: inverse covariance (xx, x1, 11
    in this order).
    """

    intercept: float = 0.0
    slope: float = 1.0
    precision: tuple[float, float, float] = (_SPREADS[1] ** -2, 0.0, _SPREADS[0] ** -2)

    def probability(self, x: float) -> float:
        return 1 / (1 + math.exp(-max(-_FARTHEST, min(_FARTHEST, self.intercept + self.slope * x))))

    def learn(self, x: float, right: bool) -> "SuggestionLine":
        """Return the line after one Newton step for one more suggestion."""
        line = self._faded()
        chance = line.probability(x)
        weight = max(chance * (1 - chance), _LEAST_WEIGHT)
        square, both, ones = line.precision
        precision = square + weight * x * x, both + weight * x, ones + weight
        gradient = (right - chance) * x, right - chance
        return line._moved(precision, gradient)

    def _faded(self) -> "SuggestionLine":
        """Return the line closer to the prior."""
        prior = SuggestionLine()
        square, both, ones = (_FADING * one for one in self.precision)
        pulls = ((1 - _FADING) * prior.precision[0], (1 - _FADING) * prior.precision[2])
        precision = square + pulls[0], both, ones + pulls[1]
        gradient = (
            pulls[0] * (prior.slope - self.slope),
            pulls[1] * (prior.intercept - self.intercept),
        )
        return self._moved(precision, gradient)

    def _moved(
        self, precision: tuple[float, float, float], gradient: tuple[float, float]
    ) -> "SuggestionLine":
        square, both, ones = precision
        area = square * ones - both * both
        slope = (ones * gradient[0] - both * gradient[1]) / area
        intercept = (square * gradient[1] - both * gradient[0]) / area
        return SuggestionLine(self.intercept + intercept, self.slope + slope, precision)


class SuggestionLines(NamedTuple):
    """The line of the first folder, and that of the three together."""

    first: SuggestionLine = SuggestionLine()
    three: SuggestionLine = SuggestionLine()

    def suggestion(self, folders: Sequence[str], chances: Sequence[float]) -> Suggestion:
        """Return a calibrated suggestion. `chances`: uncalibrated probabilities of `folders`,
        highest first.
        """
        probability = self.first.probability(_log_odds(chances[0]))
        together = max(probability, self.three.probability(_log_odds(sum(chances))))
        rest = (together - probability) / max(sum(chances[1:]), _SMALLEST)
        others = (max(_SMALLEST, min(probability, rest * chance)) for chance in chances[1:])
        return Suggestion(tuple(folders), (probability, *others), together)

    def learn(self, chances: Sequence[float], place: int) -> "SuggestionLines":
        """Return the lines after a message that belonged into the folder at `place` of the
        suggested ones.
        """
        return SuggestionLines(
            self.first.learn(_log_odds(chances[0]), place == 0),
            self.three.learn(_log_odds(sum(chances)), place >= 0),
        )


def _log_odds(chance: float) -> float:
    chance = min(max(chance, _SURE), 1 - _SURE)
    return math.log(chance / (1 - chance))


ALL_OWN = "*"
"""Choice of all folders of the user's own, in place of names."""
MOST_FOLDERS = 100
"""Largest number of folders of an account that are learned, those with the newest mail, unless the
user names more.

The tables of a model have a column for each word in each folder.
"""

# Folders that show what remains to be done with a message, and folders of mail programs.
_STATES = frozenset((
    "to do", "to-do", "todo", "follow up", "follow-up", "followup", "waiting", "waiting for", "pending", "later",
    "snoozed", "scheduled", "action", "read later", "reply", "answered", "unread", "zu erledigen", "erledigt", "offen",
    "wiedervorlage", "warten", "später", "à faire", "en attente", "pendiente", "por hacer", "da fare", "te doen",
    "outbox", "postausgang", "templates", "vorlagen",
    "drafts", "draft", "entwürfe", "brouillons", "borradores", "bozze",
    "sent", "sent items", "sent mail", "sent messages", "gesendet", "gesendete objekte", "gesendete elemente",
    "envoyés", "éléments envoyés", "enviados", "inviata", "posta inviata", "notes", "notizen",
    "all mail", "alle e-mails",
    "trash", "deleted items", "papierkorb", "spam", "spam", "archive", "archives", "archiv",
))  # fmt: skip
# Folders below these are computed by the server.
_VIRTUAL = ("[gmail]/", "[google mail]/", "virtual/")
_SEPARATORS = re.compile(r"[/.\\]")
_YEAR = re.compile(r"(?:19|20)\d\d")


def own_folders(
    folders: Iterable[tuple[str, str]], chosen: Collection[str] = (ALL_OWN,)
) -> list[str]:
    """Return the folders to suggest. `folders`: name and special use of each; `chosen`: names, or
    `ALL_OWN`.
    """
    listed = list(folders)
    if ALL_OWN not in chosen:
        return [name for name, _ in listed if name in chosen]
    parents = {
        name[: -len(year) - 1]
        for name, _ in listed
        if _YEAR.fullmatch(year := _leaf(name)) and year != name
    }
    own = ((name, name.lower()) for name, special in listed if not special and name not in parents)
    return sorted(
        name
        for name, lower in own
        if lower != "inbox" and _leaf(lower) not in _STATES and not lower.startswith(_VIRTUAL)
    )


def _leaf(name: str) -> str:
    return _SEPARATORS.split(name)[-1]
