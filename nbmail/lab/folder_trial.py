"""Trial of folder suggestions: each message is suggested folders before it is learned."""

from collections.abc import Iterable

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.metrics import calibration_error, interval, percent
from nbmail.core.evaluation.trials import Case, Figures
from nbmail.core.folders.filed_mail import FiledMail
from nbmail.core.folders.folder_model import FolderModel
from nbmail.values import BoolArray


def evaluate_suggestions(vocabulary: Vocabulary, cases: Iterable[Case], after: int) -> Figures:
    """Return how often the first folder was right, or any of three, and both calibration errors.

    `after`: number of messages that are only learned.
    """
    model = FolderModel(vocabulary)
    learned = 0
    for case in cases:
        model.learn(FiledMail(case.sample), [case.label])
        learned += 1
    reported = max(0, learned - after)
    without_suggestion = learned - len(model.past)
    past = model.past[max(0, after - without_suggestion) :]
    first_right = np.array([one.place == 0 for one in past], np.bool_)
    any_right = np.array([one.place >= 0 for one in past], np.bool_)
    chances = np.array([one.probability for one in past], np.float64)
    chances_together = np.array([one.together for one in past], np.float64)
    return {
        "reported": reported,
        **_share("first", first_right, reported),
        **_share("among_three", any_right, reported),
        "calibration_first": _calibration(chances, first_right),
        "calibration_three": _calibration(chances_together, any_right),
    }


def _share(name: str, right: BoolArray, reported: int) -> Figures:
    share = float(right.sum()) / reported if reported else np.nan
    return {f"{name}_percent": percent(share), f"{name}_interval": interval(share, reported)}


def _calibration(chances: FloatArray, right: BoolArray) -> float | None:
    return percent(calibration_error(chances, right))
