"""Accuracy of suggested folders, and the words that indicate a folder, from the models in use."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from nbmail.core.counting.sample import Sample, Vocabulary
from nbmail.core.evaluation.trials import Case, ScoredCase, Trial
from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.folders.suggestions import PastSuggestion
from nbmail.core.methods.balanced import SMOOTHING_OF_MANY
from nbmail.core.methods.registry import NAMES
from nbmail.core.reading.words import place_of
from nbmail.core.scoring.explanation import Proportion
from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.protocol.folders import FolderCurvePoint, FolderFigures, FolderMethod, FolderReport, FolderWord

# Points of the curve, as ends of intervals.
FEWEST = 40
"""Filed messages to learn from without which methods are not compared."""
MOST_COMPARED = 1000
# Messages learned or scored in one time slice of a comparison: the slower methods take 8 ms for them.
_COMPARED = 4
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


def comparing(
    model: FolderModel, filed: Sequence[tuple[str, Sample]], words: Vocabulary
) -> JobSteps[list[FolderMethod]]:
    """Train each method on the older filed messages and test it on the newest fifth, as the suggestions were."""
    cases = [Case(folder, sample) for folder, sample in filed]
    last, trial = len(cases) * 4 // 5, Trial(junk_or_good=False)
    if last < FEWEST:
        raise KnownError(ErrorCode.NOT_ENOUGH_YET)
    past = model.past[last - len(cases) :]
    found = [FolderMethod("", Proportion(sum(one.place == 0 for one in past), len(past)))]
    for place, name in enumerate(NAMES):
        tried, outcomes = Model(words, name), list[ScoredCase]()
        for first in range(0, last, _COMPARED):
            tried.learn_many(
                *zip(*((one.sample, one.label) for one in cases[first : min(first + _COMPARED, last)]), strict=True)
            )
            yield Pause(place * len(cases) + first, len(NAMES) * len(cases))
        for first in range(last, len(cases), _COMPARED):
            outcomes += trial.judge(tried, cases[first : first + _COMPARED])
            yield Pause(place * len(cases) + first, len(NAMES) * len(cases))
        found.append(FolderMethod(name, Proportion(sum(bool(one.right) for one in outcomes), len(outcomes))))
    return found


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
