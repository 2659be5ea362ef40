"""Dialogs ask in plain words, say what is missing, and hand over what was typed."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.core.verdict import VERDICTS, Costs, judge
from nbmail.settings import Settings
from nbmail.ui.preferences import COSTS, PreferencesDialog, junk_line
from nbmail.ui.questions import ask_link, ask_password


@pytest.fixture
def parent(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def preferences(parent):
    chosen = []
    dialog = PreferencesDialog(parent, Settings(), chosen.append)
    dialog.chosen = chosen
    dialog.show()
    return dialog


def test_the_cost_dial_speaks(preferences, qtbot):
    assert "as bad as 100 junk messages" in preferences.dial_words.text()
    assert "above 99.5" in preferences.dial_hint.text()
    qtbot.keyClick(preferences.dial, Qt.Key.Key_Right)
    assert preferences.chosen == [replace(Settings(), junk_seen_per_lost=200.0)]
    assert "as bad as 200 junk messages" in preferences.dial_words.text()
    qtbot.keyClick(preferences.dial, Qt.Key.Key_End)
    assert preferences.chosen[-1].junk_seen_per_lost == COSTS[-1]


@pytest.mark.parametrize("cost", COSTS)
def test_the_dial_tells_the_line_that_the_verdicts_follow(cost):
    line = junk_line(cost)
    around = np.array([line - 1e-6, line + 1e-6])
    assert [VERDICTS[number] == "junk" for number in judge(around, Costs(false_junk=cost))] == [False, True]


def test_choices_take_effect_one_by_one(preferences):
    preferences.moving.setChecked(True)
    preferences.theme.setCurrentIndex(preferences.theme.findData("dark"))
    preferences.after.setCurrentIndex(preferences.after.findData("stay"))
    preferences.keys.setCurrentIndex(preferences.keys.findData("thunderbird"))
    wanted = replace(Settings(), move_mail=True, theme="dark", after_mark="stay", keys="thunderbird")
    assert preferences.chosen[-1] == wanted
    assert len(preferences.chosen) == 4


def test_a_link_is_shown_whole_and_not_opening_is_the_default(parent, qtbot):
    followed = []
    box = ask_link(parent, "http://rewards.example/claim?id=1", followed.append)
    assert "rewards.example" in box.text()
    assert box.informativeText() == "http://rewards.example/claim?id=1"
    assert box.defaultButton() is box.escapeButton()
    box.defaultButton().click()
    assert followed == []
    box = ask_link(parent, "http://rewards.example/", followed.append)
    next(button for button in box.buttons() if button is not box.escapeButton()).click()
    assert followed == ["http://rewards.example/"]


def test_an_endless_link_is_cut(parent):
    box = ask_link(parent, "http://x.example/" + "y" * 100_000, lambda _: None)
    assert len(box.informativeText()) < 1000
    box.close()


def test_a_password_is_handed_over_and_hidden(parent, qtbot):
    given = []
    dialog = ask_password(parent, "home", given.append)
    assert dialog.field.echoMode() == dialog.field.EchoMode.Password
    qtbot.keyClicks(dialog.field, "secret")
    dialog.accept()
    assert given == ["secret"]
