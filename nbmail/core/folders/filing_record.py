"""Record of past suggestions, which permits automatic filing."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.folders.suggestions import PastSuggestion

SURE = 0.99
"""Probability from which on mail may be filed automatically."""
# Least lower ends of the intervals of right sure suggestions: of all folders, and of one.
_CARRIES = 0.98
_CARRIES_FOLDER = 0.9


class FilingRecord(NamedTuple):
    """Past suggestions of at least `SURE`.

    Automatically filed mail that a person moved away counts as wrong.
    """

    total: Proportion
    folders: Mapping[str, Proportion]

    def carries(self, folder: str) -> bool:
        """True if mail may be filed into this folder automatically."""
        own = self.folders.get(folder, Proportion(0, 0))
        return self.total.lowest >= _CARRIES and own.lowest >= _CARRIES_FOLDER


def filing_record(past: Iterable[PastSuggestion], put_back: Mapping[str, int]) -> FilingRecord:
    """Return the record.

    `put_back`: number of automatically filed messages that a person moved away, by folder.
    """
    sure = [one for one in past if one.probability >= SURE]
    right = Counter(one.first for one in sure if one.place == 0)
    count = Counter(one.first for one in sure) + Counter(put_back)
    folders = {folder: Proportion(right[folder], count[folder]) for folder in sorted(count)}
    return FilingRecord(Proportion(right.total(), len(sure)), folders)
