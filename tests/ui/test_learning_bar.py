"""The bar glows when something was learned, and keeps calm in a stream of lessons."""

import pytest
from PySide6.QtCore import QVariantAnimation

from nbmail.ui.window.learning_bar import LearningBar
from nbmail.worker.protocol import ClassFigures, Learned


@pytest.fixture
def learn(qtbot):
    """Tells a bar how much is known, and whether it then glows anew."""
    bar = LearningBar()
    qtbot.addWidget(bar)
    bar.show()

    def tell(junk):
        bar._glow.stop()
        bar.show_learned(Learned((ClassFigures("junk", junk, 9), ClassFigures("good", 5, 9)), 100))
        return bar._glow.state() == QVariantAnimation.State.Running

    yield tell
    bar._glow.stop()


def test_each_mark_by_hand_glows(learn):
    assert [learn(junk) for junk in (3, 4, 5, 4, 4)] == [False, True, True, True, False]


def test_of_a_stream_the_first_lesson_glows(learn):
    assert [learn(junk) for junk in (3, 103, 240, 410, 411)] == [False, True, False, False, True]
