"""The window about the model, the welcome, and the end of a training: states to make pictures of."""

from nbmail.ui.model.model_window import ModelWindow
from nbmail.worker.protocol.own_model import CompareMethods
from tests.ui import scenes
from tests.ui.scenes import open_history, wait


def model_window(window):
    return scenes.wait_for(lambda: window.findChild(ModelWindow))


def model_accuracy():
    return open_history("accuracy")


def model_curve():
    window = open_history("accuracy")
    page = model_window(window).accuracy
    page.draw.click()
    wait(150)
    area = page.stack.widget(1)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    return window


def _words_listed():
    window = open_history("words")
    page = model_window(window).words
    scenes.wait_for(page.table.current)
    return window, page


def model_words():
    window, page = _words_listed()
    page.table.go_to(2)
    return window


def model_ignored():
    window, page = _words_listed()
    page.turn_current()
    wait(50)
    page.ignored.setChecked(True)
    return window


def model_methods():
    return open_history("methods")


def model_compared():
    window = open_history("methods")
    page = model_window(window).methods
    page.compare.click()
    wait(150)
    page.table.go_to(1)
    return window


def model_comparing():
    window = open_history("methods")
    window.engine.silent = (CompareMethods,)
    model_window(window).methods.compare.click()
    return window


def model_keeping():
    return open_history("keeping")


def model_start_over():
    window = open_history("keeping")
    model_window(window).keeping.start_over.click()
    return window


def model_started_over():
    window = open_history("keeping")
    model_window(window).keeping._start_over()
    return window


def training_over():
    window = scenes.open_window()
    window.parts.training_end.ask()
    return window


def misjudged():
    window = training_over()
    wait(50)
    window.parts.training_end.see.click()
    return window


SCENES = scenes.all_scenes(globals())
