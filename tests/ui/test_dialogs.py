"""Preferences, dry run of moving, link question and password prompt."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from nbmail.core.scoring.verdict import Costs, judge
from nbmail.settings import Account
from nbmail.ui.dialogs.cost_setting import COSTS, CostSetting
from nbmail.ui.dialogs.link_question import ask_link
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.dialogs.password_dialog import PasswordDialog
from nbmail.ui.dialogs.preferences import PreferencesDialog
from nbmail.ui.lab.cost_table import CostTable
from nbmail.ui.window.services import LoginStart
from nbmail.values import FolderName
from nbmail.worker.protocol.marks import PlannedMove
from nbmail.worker.protocol.quality import Accuracy
from tests.ui.helpers import dialog, ticket_of, trigger
from tests.ui.real import settle


@pytest.fixture
def parent(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def preferences(window):
    """The dialog of a window, with a tested accuracy."""
    accuracy = Accuracy((2, 0, 0), (0, 0, 2), (), (0.99, 0.995), (0.1, 0.2))
    window.script.measure_accuracy = lambda: accuracy
    trigger(window, "preferences")
    return dialog(PreferencesDialog)


def test_start_at_login_shows_the_system_entry_and_why_a_change_failed(window, preferences):
    (_, wanted, show) = window.calls[-1]
    assert wanted is None
    assert not preferences.login.isEnabled()
    show(LoginStart(False))
    assert (preferences.login.isEnabled(), preferences.login.isChecked()) == (True, False)
    preferences.login.click()
    (_, wanted, show) = window.calls[-1]
    assert (wanted, window.settings.tray) == (True, "icon")
    show(LoginStart(False, "No space left on device"))
    assert (preferences.login.isChecked(), preferences.login_note.isVisible()) == (False, True)
    assert "No space left" in preferences.login_note.text()
    show(LoginStart(True))
    assert (preferences.login.isChecked(), preferences.login_note.isVisible()) == (True, False)
    show(None)
    assert not preferences.login.isVisible()
    preferences.close()
    show(LoginStart(True))


def test_the_cost_slider_has_an_accessible_description(window, preferences, qtbot):
    dial = preferences.cost
    assert "as much as checking 100 messages" in dial.meaning.text()
    qtbot.waitUntil(lambda: dial.hint.text().endswith("of spam caught, 0 of 2 good messages lost."))
    assert dial.hint.text().startswith(
        "Spam threshold: messages with a chance of spam above 98.02\u202f%."
    )
    qtbot.keyClick(dial.slider, Qt.Key.Key_Right)
    assert "as much as checking 200 messages" in dial.meaning.text()
    qtbot.waitUntil(lambda: window.settings.spam_seen_per_lost == 200.0)
    qtbot.keyClick(dial.slider, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: window.settings.spam_seen_per_lost == COSTS[-1])
    assert "above 99.96\u202f%" in dial.hint.text()
    assert "until you have marked many" in dial.hint.text(), (
        "the reason for few spam verdicts there"
    )
    qtbot.keyClick(dial.slider, Qt.Key.Key_Home)
    assert dial.meaning.text().endswith("as much as checking 1 message yourself")
    preferences.reject()
    assert window.settings.spam_seen_per_lost == COSTS[0]


@pytest.fixture
def dial(parent, qtbot):
    """A dial on its own; `seen`: its changes."""
    made = CostSetting(Costs(), lambda line: (345, 1000) if line > 0.9 else (0, 0))
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show()
    made.seen = []
    made.changed.connect(made.seen.append)
    return made


def test_the_cost_setting_states_its_present_effect(dial):
    assert dial.hint.text().endswith("That is 345 of your 1,000 unmarked messages now.")
    dial.show_tested([0.5, 0.985, 0.999], [0.1, 0.99, 0.2, 0.3])
    assert dial.hint.text().endswith("of spam caught, 1 of 4 good messages lost.")


def test_a_run_of_keys_is_one_change(dial, qtbot):
    for _ in range(3):
        qtbot.keyClick(dial.slider, Qt.Key.Key_Left)
    assert "checking 10 messages" in dial.meaning.text() and dial.seen == []
    qtbot.waitUntil(lambda: dial.seen == [Costs(10.0)])
    qtbot.keyClick(dial.slider, Qt.Key.Key_Right)
    dial.hide()
    assert dial.seen == [Costs(10.0), Costs(20.0)]


def test_a_click_on_the_track_goes_to_that_place(dial, qtbot):
    width = dial.slider.width()
    middle = dial.slider.height() // 2
    for share, cost in ((0.99, 5000), (0.01, 1), (6 / 11, 100)):
        qtbot.mouseClick(
            dial.slider, Qt.MouseButton.LeftButton, pos=QPoint(round(share * width), middle)
        )
        assert dial.seen[-1] == Costs(float(cost))


def test_the_table_of_costs_is_that_of_the_lecture(dial):
    """UBC CPSC 340: 100 for a lost good message, 10 for missed spam: threshold 0.909."""
    dial.edit_table()
    table = dial.findChild(CostTable)
    assert (
        "above a chance of 98.02" in table.thresholds.text()
        and "up to 12.5" in table.thresholds.text()
    )
    for field in (table.missed, table.unsure_ham, table.unsure_spam):
        field.setValue(10.0)
    assert "No message is unsure" in table.thresholds.text()
    table.accept()
    (costs,) = dial.seen
    assert costs.spam_from == pytest.approx(100 / 110) == pytest.approx(0.909, abs=5e-4)
    assert judge(np.array([0.905, 0.91]), costs).tolist() == [1, 2]
    assert "A false alarm costs 100, missed spam 10, an unsure message 10" in dial.meaning.text()


def test_choices_take_effect_one_by_one(window, preferences):
    before = window.settings
    choices = {"theme": "dark", "after_mark": "stay", "keys": "thunderbird"}
    for count, (field, value) in enumerate(choices.items(), 1):
        combo = preferences.combos[field]
        combo.setCurrentIndex(combo.findData(value))
        changed = dict([*choices.items()][:count])
        assert window.calls[-1] == ("save_settings", replace(before, **changed))


MOVES = tuple(
    PlannedMove(number, "Prize Department", f"Prize {number}", FolderName("home", "INBOX"), "spam")
    for number in range(14)
)


def test_moving_is_turned_on_only_after_its_dry_run(window, preferences):
    window.script.preview_moves = lambda: (
        *MOVES,
        MOVES[0]._replace(folder=FolderName("disk", "INBOX")),
    )
    disk = Account("disk", path="/mail")
    window.parts.settings.change_accounts((*window.settings.accounts, disk))
    before = window.settings
    preferences.moving.click()
    assert not preferences.moving.isChecked()
    moves = dialog(MovesDialog)
    assert "would have moved these 14 messages" in moves.sentence.text()
    assert moves.table.rows[3].cells == ("Prize Department", "Prize 3", "Inbox", "Spam folder")
    moves.reject()
    assert window.settings == before
    window.script.preview_moves = tuple
    preferences.moving.click()
    moves = dialog(MovesDialog)
    assert "would not have moved any messages" in moves.sentence.text()
    assert not moves.table.isVisible()
    moves.accept()
    assert (preferences.moving.isChecked(), window.settings) == (
        True,
        replace(before, move_mail=True),
    )
    preferences.moving.click()
    assert window.settings == before
    window.engine.held.add("preview_moves")
    preferences.moving.click()
    preferences.accept()
    ticket_of(window, "preview_moves").finish(MOVES)
    settle(window.mailbox)
    assert QApplication.activeModalWidget() is None, "a dry run that comes too late opens nothing"


def test_a_link_is_shown_in_full_and_the_default_is_not_to_open_it(parent):
    followed = []
    box = ask_link(parent, "http://rewards.example/claim?id=1", followed.append)
    assert "rewards.example" in box.text()
    assert box.informativeText() == "http://rewards.example/claim?id=1"
    assert box.defaultButton() is box.escapeButton()
    box.defaultButton().click()
    assert followed == []
    box = ask_link(parent, "http://x.example/" + "y" * 100_000, followed.append)
    assert len(box.informativeText()) < 1000


def test_a_password_is_handed_over_and_hidden(parent, qtbot):
    given = []
    prompt = PasswordDialog(parent, "home", given.append)
    assert prompt.field.echoMode() == prompt.field.EchoMode.Password
    qtbot.keyClicks(prompt.field, "secret")
    prompt.accept()
    assert given == ["secret"]
