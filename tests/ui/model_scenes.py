"""Scenes of the window about the model and of the result of a training."""

from nbmail.core.evaluation.proportion import Proportion
from nbmail.worker.protocol.folders import FolderCurvePoint, FolderFigures, FolderReport
from nbmail.worker.protocol.quality import TrainingReport
from nbmail.worker.protocol.words import WordFigures, WordPage
from tests.ui.helpers import answer, model_window, wait_for
from tests.ui.scenes import all_scenes, open_page, settle


def model_curve(window):
    page = open_page(window, "accuracy")
    page.learning_curve.draw.click()
    settle(window)
    area = page.stack.widget(1)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())


def model_words(window):
    words = tuple(
        WordFigures(word, "body", 61, 4, 3.9, 0.0) for word in ("free", "claim", "rewards", "click")
    )
    window.script.list_words = lambda *_, **__: WordPage(len(words), words)
    table = open_page(window, "words").table
    wait_for(table.current)
    table.go_to(2)


def model_ignored(window):
    page = open_page(window, "words")
    wait_for(page.table.current)
    page.ignore_current()
    settle(window)
    page.ignored.setChecked(True)


def model_phrases(window):
    page = open_page(window, "words")
    page.search.setText("Be your own boss")
    page.add.click()
    page.phrases.setChecked(True)
    wait_for(page.table.current)


def model_compared(window):
    page = open_page(window, "methods")
    page.compare.click()
    settle(window)
    page.table.go_to(1)


def model_comparing(window):
    window.engine.held.add("compare_methods")
    open_page(window, "methods").compare.click()


def report_folders():
    """Four folders: filed messages, and how many of them were suggested first."""
    filed = {
        "Archive/2026/Allotment society and harbour library": (211, 187),
        "Lists/choir": (87, 80),
    }
    filed |= {"Papers": (40, 22), "Trips": (3, 0)}
    folders = tuple(
        FolderFigures(
            name, count, Proportion(right, count), Proportion((right + count) // 2, count)
        )
        for name, (count, right) in filed.items()
    )
    table = ((187, 20, 4, 0), (5, 80, 2, 0), (16, 2, 22, 0), (2, 1, 0, 0))
    curve = tuple(
        FolderCurvePoint(50 * step, Proportion(5 + step, 10), Proportion(8, 10))
        for step in range(1, 5)
    )
    return (
        FolderReport("home", folders, table, curve, Proportion(289, 341), Proportion(315, 341)),
    )


def model_folders(window):
    window.script.report_folders = report_folders
    open_page(window, "folders")


def model_reset(window):
    open_page(window, "files").reset.click()


def model_was_reset(window):
    model_reset(window)
    answer(model_window(window), yes=True)


def training_over(window):
    window.script.report_training = lambda *_: TrainingReport(
        40, 123, 39, false_positives=(3, 9), false_negatives=(5,)
    )
    window.parts.training_result.load()


def misjudged(window):
    training_over(window)
    settle(window)
    window.parts.training_result.see.click()


BRIEF_SCENES = {
    "model_accuracy": lambda window: open_page(window, "accuracy"),
    "model_methods": lambda window: open_page(window, "methods"),
    "model_keeping": lambda window: open_page(window, "files"),
}
SCENES = all_scenes(globals() | BRIEF_SCENES)
