"""Reports on how well folders were suggested."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.folders.suggestions import PastSuggestion
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.protocol.folders import FolderCurvePoint, FolderFigures, FolderReport

CURVE = (50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000, 50_000)
"""Points of the curve, as ends of intervals."""


class FolderReports:
    """Reports on all accounts."""

    def __init__(self, models: FolderModels) -> None:
        self._models = models

    def report_folders(self) -> tuple[FolderReport, ...]:
        """Report how well folders were suggested, for each account."""
        reports = list[FolderReport]()
        for name in self._models.names:
            model = self._models.model(name)
            if model:
                reports.append(_report_of(name, model))
        return tuple(reports)


def _report_of(account: str, model: FolderModel) -> FolderReport:
    messages = dict[str, int]()
    for name, count in zip(model.counts.classes, model.counts.messages, strict=True):
        if count:
            messages[name] = count
    names = sorted(messages)
    known = [one for one in model.past if one.filed in messages and one.first in messages]

    figures = list[FolderFigures]()
    for name in names:
        first, three = _rates([one for one in known if one.filed == name])
        figures.append(FolderFigures(name, messages[name], first, three))
    first, three = _rates(model.past)
    return FolderReport(
        account, tuple(figures), _table(model.past, names), _curve(model.past), first, three
    )


def _table(past: Sequence[PastSuggestion], names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of messages by the folder they were filed in, and the suggested one."""
    pairs = Counter((one.filed, one.first) for one in past)
    return tuple(tuple(pairs[filed, first] for first in names) for filed in names)


def _curve(past: Sequence[PastSuggestion]) -> tuple[FolderCurvePoint, ...]:
    ends = [0, *(end for end in CURVE if end < len(past)), len(past)]
    points = list[FolderCurvePoint]()
    for begin, end in pairwise(ends):
        if end > begin:
            first, three = _rates(past[begin:end])
            points.append(FolderCurvePoint(end, first, three))
    return tuple(points)


def _rates(past: Sequence[PastSuggestion]) -> tuple[Proportion, Proportion]:
    """Return how often the first suggestion was right, and one of all that were shown."""
    first = sum(one.place == 0 for one in past)
    any_shown = sum(one.place >= 0 for one in past)
    return Proportion(first, len(past)), Proportion(any_shown, len(past))
