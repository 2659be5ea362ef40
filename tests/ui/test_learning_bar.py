"""The learning bar glows after a mark, and seldom while many messages are learned."""

import pytest

from nbmail.ui.window.learning_bar import LearningBar
from nbmail.worker.protocol.events import ClassFigures, Learned


@pytest.fixture
def learn(qtbot, monkeypatch):
    """Sets the number of learned spam messages, and returns whether the bar starts to glow."""
    monkeypatch.setattr("nbmail.ui.window.learning_bar.GLOW_MILLISECONDS", 1)
    monkeypatch.setattr("nbmail.ui.window.learning_bar.CALM_MILLISECONDS", 600_000)
    bar = LearningBar()
    qtbot.addWidget(bar)
    bar.show()

    def learn(spam):
        bar.show_learned(Learned((ClassFigures("spam", spam, 9), ClassFigures("ham", 5, 9)), 100))
        glows = bar.is_glowing
        qtbot.waitUntil(lambda: not bar.is_glowing)
        return glows

    return learn


def test_each_single_mark_glows(learn):
    assert [learn(spam) for spam in (3, 4, 5, 4, 4)] == [False, True, True, True, False]


def test_the_first_of_many_messages_glows(learn):
    assert [learn(spam) for spam in (3, 103, 240, 410, 411)] == [False, True, False, False, True]


def test_during_the_first_training_no_marks_are_asked_for(qtbot):
    bar = LearningBar()
    qtbot.addWidget(bar)
    classes = (ClassFigures("spam", 300, 9), ClassFigures("ham", 2, 9))
    bar.show_learned(Learned(classes, 100, held_out=(299, 1), is_training=True))
    assert bar.calibration.text() == "Learning from your folders. The chance of spam follows."
    bar.show_learned(Learned(classes, 100, held_out=(299, 1), calibrated=True))
    assert "mark 29 more good messages" in bar.calibration.text()
