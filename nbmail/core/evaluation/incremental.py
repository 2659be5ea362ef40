"""Evaluation of suggested folders: each message is scored by all before it, then learned.

All messages count after the first `after`: those of a folder without earlier messages as wrong.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.evaluation.trials import Case, Figures, calibration_error, interval, percent
from nbmail.core.folders.folder_model import FiledMail, FolderModel
from nbmail.core.folders.suggestions import PastSuggestion


def evaluate_suggestions(vocabulary: Vocabulary, cases: Iterable[Case], after: int) -> Figures:
    """Return how often the first folder was right, or any of the first three, and the calibration errors of both."""
    model, read = FolderModel(vocabulary), 0
    for case in cases:
        model.learn(FiledMail(case.sample), [case.label])
        read += 1
    return suggestion_figures(model.past[max(0, after - read + len(model.past)) :], max(0, read - after))


def suggestion_figures(past: Sequence[PastSuggestion], count: int) -> Figures:
    """Return the figures of `count` messages, for which these suggestions were made."""
    first = np.array([one.place == 0 for one in past], np.bool_)
    three = np.array([one.place >= 0 for one in past], np.bool_)
    found: Figures = {"reported": count}
    for name, right in (("first", first), ("among_three", three)):
        share = float(right.sum()) / count if count else np.nan
        found |= {f"{name}_percent": percent(share), f"{name}_interval": interval(share, count)}
    chances = np.array([(one.probability, one.together) for one in past], np.float64).reshape(-1, 2)
    return found | {
        "calibration_first": percent(calibration_error(chances[:, 0], first)),
        "calibration_three": percent(calibration_error(chances[:, 1], three)),
    }
