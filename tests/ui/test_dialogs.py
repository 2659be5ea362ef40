"""Dialogs ask in plain words, say what is missing, and hand over what was typed."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from nbmail.core.verdict import VERDICTS, Costs, judge
from nbmail.settings import Account, Security, Settings
from nbmail.ui.account_dialog import AccountDialog, guess_server, split_names
from nbmail.ui.preferences import COSTS, PreferencesDialog, junk_line
from nbmail.ui.questions import ask_link, ask_password


@pytest.fixture
def parent(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def account(parent):
    given = []
    dialog = AccountDialog(parent, lambda *each: given.append(each))
    dialog.given = given
    dialog.show()
    return dialog


def press_ok(qtbot, dialog):
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


def test_an_address_suggests_the_rest(account, qtbot):
    qtbot.keyClicks(account.address, "anna@mail.example")
    assert account.server.text() == "imap.mail.example"
    assert account.user.text() == "anna@mail.example"
    account.server.clear()
    qtbot.keyClicks(account.server, "post.example")
    qtbot.keyClicks(account.address, "x")
    assert account.server.text() == "post.example"


def test_what_is_missing_is_said_one_by_one(account, qtbot):
    for field, words in (
        (account.server, "name of the mail server"),
        (account.user, "user name"),
        (account.password, "password"),
    ):
        press_ok(qtbot, account)
        assert words in account.problem.text()
        qtbot.keyClicks(field, "value")
    assert account.given == []
    press_ok(qtbot, account)
    assert account.given == [(Account("value", "value", user="value"), "value")]


def test_the_whole_account(account, qtbot):
    qtbot.keyClicks(account.address, "anna@mail.example")
    qtbot.keyClicks(account.password, "secret")
    account.security.setCurrentIndex(1)
    qtbot.keyClicks(account.junk, "Junk, Spam ")
    qtbot.keyClicks(account.good, "Archive")
    press_ok(qtbot, account)
    wanted = Account(
        "anna@mail.example",
        "imap.mail.example",
        143,
        Security.STARTTLS,
        "anna@mail.example",
        good_folders=("Archive",),
        junk_folders=("Junk", "Spam"),
    )
    assert account.given == [(wanted, "secret")]


def test_a_port_is_a_number(account, qtbot):
    qtbot.keyClicks(account.address, "anna@mail.example")
    qtbot.keyClicks(account.password, "secret")
    account.port.clear()
    qtbot.keyClicks(account.port, "x")
    press_ok(qtbot, account)
    assert "port is a number" in account.problem.text()
    qtbot.keyClicks(account.port, "1993")
    press_ok(qtbot, account)
    assert account.given[0][0].port == 1993


def test_plain_text_is_the_last_choice_and_warns(account):
    assert account.security.currentData() == Security.TLS
    assert account.security.itemData(account.security.count() - 1) == Security.PLAIN
    assert "everyone" in account.security.itemText(account.security.count() - 1)


def test_a_mailbox_on_this_computer(account, qtbot):
    account.kind.setCurrentIndex(1)
    assert not account.server.isVisible()
    press_ok(qtbot, account)
    assert "folder or file" in account.problem.text()
    qtbot.keyClicks(account.path, "/home/anna/Mail/")
    press_ok(qtbot, account)
    assert account.given == [(Account("Mail", path="/home/anna/Mail/"), "")]


@pytest.mark.parametrize(("text", "names"), [("", ()), (" , ", ()), ("A, B c ,", ("A", "B c"))])
def test_names_between_commas(text, names):
    assert split_names(text) == names


@pytest.mark.parametrize(("address", "server"), [("a@b.example", "imap.b.example"), ("a", ""), ("a@b", "")])
def test_server_guesses(address, server):
    assert guess_server(address) == server


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
