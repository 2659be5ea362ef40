"""Answers about the model as a whole, for the scripted engine."""

import math
from pathlib import Path

from nbmail.core.scoring.explanation import Proportion
from nbmail.method_spec import METHODS
from nbmail.worker.protocol.folders import FolderCurvePoint, FolderFigures, FolderReport
from nbmail.worker.protocol.quality import (
    Accuracy,
    CurvePoint,
    MeasuredRates,
    MethodComparison,
    MethodFigures,
    ReliabilityBin,
)
from nbmail.worker.protocol.results import ModelReset, TrainingReport, WordFigures, WordOrder, WordPage

WORDS = (
    ("free", "body", 61, 4, 3.9),
    ("subject:claim", "subject", 38, 0, 4.6),
    ("link:rewards.example", "link", 22, 0, 4.1),
    ("click", "body", 55, 9, 2.4),
    ("thank", "body", 12, 71, -2.1),
    ("from:anna", "from", 0, 31, -4.2),
    ("meeting", "body", 2, 52, -3.3),
    ("html:font", "html", 40, 11, 1.6),
    ("please", "body", 31, 66, -0.8),
)


def rates(recall, false_positives):
    """Return the figures of a test with these shares."""
    right = Proportion(
        recall.found + false_positives.count - false_positives.found, recall.count + false_positives.count
    )
    own = Proportion(right.found - 2, right.count)
    return MeasuredRates(right, own, recall, false_positives)


FILED = (
    ("Archive/2026/Allotment society and harbour library", 211, 187),
    ("Lists/choir", 87, 80),
    ("Papers", 40, 22),
    ("Trips", 3, 0),
)
"""Folders with their filed messages, and how many of them were suggested first."""

CHANCES = ((0.99,) * 84 + (0.5,) * 29 + (0.05,) * 7, (0.99,) * 2 + (0.5,) * 31 + (0.01,) * 175)
"""Held-out chances of junk messages and of good messages."""


class ModelAnswers:
    """Results about the model. `learned`, `rows`, `ignored` and `report_learned` are those of the engine."""

    method = "balanced"

    def report_folders(self):
        folders = tuple(
            FolderFigures(name, count, 20 * count, Proportion(right, count), Proportion((right + count) // 2, count))
            for name, count, right in FILED
        )
        table = ((187, 20, 4, 0), (5, 80, 2, 0), (16, 2, 22, 0), (2, 1, 0, 0))
        curve = tuple(
            FolderCurvePoint(count, Proportion(6 + number, 10), Proportion(8 + number // 2, 10))
            for number, count in enumerate((50, 100, 200, 338))
        )
        return (FolderReport("home", folders, table, curve, Proportion(289, 341), Proportion(315, 341)),)

    def measure_accuracy(self):
        bands = (
            (0.004, 1, 140),
            (0.03, 1, 40),
            (0.2, 5, 22),
            (0.5, 8, 17),
            (0.8, 11, 14),
            (0.97, 25, 26),
            (0.998, 69, 69),
        )
        promises = tuple(ReliabilityBin(promised, Proportion(found, count)) for promised, found, count in bands)
        return Accuracy((84, 29, 7), (2, 31, 175), Proportion(84, 120), Proportion(2, 208), promises, *CHANCES)

    def draw_learning_curve(self, own_classes=False):
        steps = ((10, 12), (20, 25), (50, 44), (100, 55), (200, 60), (260, 62))
        return tuple(
            CurvePoint(
                labels,
                rates(Proportion(caught, 68), Proportion(0 if labels > 20 else 1, 52)),
                Proportion(labels - labels // 40, labels),
            )
            for labels, caught in steps
        )

    def compare_methods(self, methods=METHODS, split=None):
        figures = tuple(
            MethodFigures(
                name, rates(Proportion(31 - 3 * place, 32), Proportion(place // 3, 30)), 0.04 + 0.6 * place * place
            )
            for place, name in enumerate(methods)
        )
        best = MethodFigures(methods[0], rates(Proportion(32, 33), Proportion(0, 29)), 0.02)
        return MethodComparison(262, 32, figures, best, 0.012, split.seed if split else None)

    def reset(self):
        return ModelReset(sum(self.learned), Path("/home/anna/.local/share/nbmail/before-import-20261118.nbmodel"))

    def report_training(self, limit=0, among=()):
        junk, good = self.learned
        if not (junk and good):
            return TrainingReport()
        caught = math.ceil(0.96 * junk)
        return TrainingReport(junk, good, caught, false_positives=(3, 9), false_negatives=(5,))

    def select_queries(self, limit=2, exclude=()):
        left = [int(each) for each in self.rows.messages if each not in exclude]
        return tuple(left[:limit])

    def list_words(self, search="", order=WordOrder.STRONGEST, *, limit=200, ignored=False, phrases=False):
        if phrases:
            found = [WordFigures(f"phrase:{each}", "phrase", 12, 0, 3.18, 0.0) for each in sorted(self.phrases)]
            return WordPage(len(found), tuple(found))
        found = [
            WordFigures(word, place, junk, good, weight, 0.0, word in self.ignored)
            for word, place, junk, good, weight in WORDS
            if search.lower() in word and (not ignored or word in self.ignored)
        ]
        keys = {WordOrder.NAME: lambda one: one.word, WordOrder.GOOD: lambda one: -one.good}
        found.sort(key=keys.get(order, lambda one: -abs(one.log_ratio)))
        return WordPage(len(found), tuple(found[:limit]))
