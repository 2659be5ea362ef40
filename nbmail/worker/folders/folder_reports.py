"""How well folders were suggested, and the words that speak for a folder: from the models in use."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.folders.suggestions import PastSuggestion
from nbmail.core.methods.balanced import SMOOTHING_OF_MANY
from nbmail.core.reading.word_splitting import place_of
from nbmail.core.scoring.explanation import Proportion
from nbmail.worker.protocol.folders import FolderCurvePoint, FolderFigures, FolderReport, FolderWord

# Points of the curve, as ends of intervals.
CURVE = (50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000, 50_000)


def report_of(account: str, model: FolderModel) -> FolderReport:
    """Return the figures of all folders with messages, by name."""
    counts = model.counts
    names = sorted(name for name, messages in zip(counts.classes, counts.messages, strict=True) if messages)
    past = [one for one in model.past if one.filed in names and one.first in names]
    pairs = Counter((one.filed, one.first) for one in past)
    return FolderReport(
        account,
        tuple(_figures(name, model, [one for one in past if one.filed == name]) for name in names),
        tuple(tuple(pairs[filed, first] for first in names) for filed in names),
        tuple(_curve(model.past)),
        *_rates(model.past),
    )


def words_of(model: FolderModel, folder: str, limit: int) -> tuple[FolderWord, ...]:
    """Return the words that contribute most to a folder altogether, and those that contribute most against it."""
    row, counts = model.counts.row(folder), model.counts
    if row is None or not counts.messages[row]:
        return ()
    inside = counts.documents[row]
    numbers = np.flatnonzero(counts.holders)
    outside = counts.holders[numbers] - inside[numbers]
    totals = counts.messages[row], sum(counts.messages) - counts.messages[row]
    shares = [
        np.log((found + SMOOTHING_OF_MANY) / (total + 2 * SMOOTHING_OF_MANY))
        for found, total in zip((inside[numbers], outside), totals, strict=True)
    ]
    ratios = shares[0] - shares[1]
    weights = np.abs(ratios) * np.sqrt(np.maximum(inside[numbers], outside * totals[0] / max(1, totals[1])))
    order = np.argsort(-weights, kind="stable")[:limit]
    return tuple(
        FolderWord(word, place_of(word), int(inside[numbers[one]]), int(outside[one]), float(ratios[one]))
        for one in order.tolist()
        for word in [model.vocabulary.word(int(numbers[one]))]
    )


def _figures(name: str, model: FolderModel, past: Sequence[PastSuggestion]) -> FolderFigures:
    row = model.counts.row_to_be(name)
    words = int(np.count_nonzero(model.counts.documents[row]))
    return FolderFigures(name, model.counts.messages[row], words, *_rates(past))


def _rates(past: Sequence[PastSuggestion]) -> tuple[Proportion, Proportion]:
    places = [one.place for one in past]
    return Proportion(places.count(0), len(places)), Proportion(sum(place >= 0 for place in places), len(places))


def _curve(past: Sequence[PastSuggestion]) -> Iterable[FolderCurvePoint]:
    first = 0
    for end in (*(end for end in CURVE if end < len(past)), len(past)):
        if end > first:
            yield FolderCurvePoint(end, *_rates(past[first:end]))
        first = end
