"""Trial of folder suggestions."""

import numpy as np
import pytest

from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.trials import Case
from nbmail.lab.folder_trial import evaluate_suggestions
from tests.core.material import text_sample


def test_incremental_figures():
    known = Vocabulary()
    random = np.random.default_rng(1)
    cases = []
    for _ in range(150):
        folder = int(random.integers(4))
        words = [f"w{4 * int(one) + folder}" for one in random.integers(0, 8, 5)]
        cases.append(Case(f"folder{folder}", text_sample(known, sorted(set(words)))))
    cases.append(Case("new", text_sample(known, ["w1"])))
    figures = evaluate_suggestions(known, cases, 100)
    assert figures["reported"] == 51
    # The only message of a new folder is put wrong.
    assert figures["first_percent"] == pytest.approx(100 * 50 / 51)
    assert figures["among_three_percent"] == pytest.approx(100 * 50 / 51)
    assert figures["calibration_first"] < 10
    assert evaluate_suggestions(known, [], 100)["first_percent"] is None
