"""Scenes of the window about the model and of the result of a training."""

from tests.ui.helpers import answer, model_window, wait_for
from tests.ui.scenes import all_scenes, open_page, settle


def model_curve(window):
    page = open_page(window, "accuracy")
    page.draw.click()
    settle(window)
    area = page.stack.widget(1)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())


def model_words(window):
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


def model_reset(window):
    open_page(window, "files").reset.click()


def model_was_reset(window):
    model_reset(window)
    answer(model_window(window), yes=True)


def training_over(window):
    window.parts.training_result.load()


def misjudged(window):
    training_over(window)
    settle(window)
    window.parts.training_result.see.click()


BRIEF_SCENES = {
    "model_accuracy": lambda window: open_page(window, "accuracy"),
    "model_methods": lambda window: open_page(window, "methods"),
    "model_folders": lambda window: open_page(window, "folders"),
    "model_keeping": lambda window: open_page(window, "files"),
}
SCENES = all_scenes(globals() | BRIEF_SCENES)
