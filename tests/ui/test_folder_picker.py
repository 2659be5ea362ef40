"""Folders are picked from the mailbox's own list, and learning from them is paused, taken up again and stopped."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QWidget

from nbmail import values
from nbmail.errors import Trouble
from nbmail.settings import Account
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.accounts.account_form import join_names, split_names
from nbmail.ui.accounts.folder_picker import LEARN, MESSAGES, NAME, WATCH, FolderPicker, PickedFolders
from nbmail.ui.accounts.settings_search import FoldersFound, FoldersRefused
from nbmail.ui.window.app_services import AppServices
from nbmail.values import FolderLine
from nbmail.worker import protocol as say
from tests.ui.scripted import NOW
from tests.ui.test_accounts import account_entry, press

FOLDERS = (
    FolderLine("INBOX", "\\Inbox", 1234),
    FolderLine("Briefe, alte", "", 40),
    FolderLine("Müll", "\\Junk", None),
    FolderLine("Trash", "\\Trash", 3),
)


class Mailbox:
    """Answers when the test wants it to."""

    def __init__(self):
        self.told, self.cancelled, self.asked = [], 0, []

    def find(self, tell):
        self.told.append(tell)
        return self.cancel

    def cancel(self):
        self.cancelled += 1

    def list_folders(self, account, password, tell):
        self.asked.append((account, password))
        return self.find(tell)


@pytest.fixture
def mailbox():
    return Mailbox()


@pytest.fixture
def parent(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def open_picker(parent, mailbox):
    taken = []

    def make(before=PickedFolders()):  # noqa: B008
        picker = FolderPicker(parent, mailbox.find, before, taken.append)
        picker.taken = taken
        picker.show()
        return picker

    return make


def ok(picker):
    return picker.buttons.button(QDialogButtonBox.StandardButton.Ok)


def test_the_mailboxs_own_folders_are_shown_and_picked(open_picker, mailbox, qtbot):
    picker = open_picker()
    assert not ok(picker).isEnabled()
    mailbox.told[0](FoldersFound(FOLDERS))
    table = picker.table
    assert [table.item(row, NAME).text() for row in range(4)] == ["Inbox", "Briefe, alte", "Müll  (junk)", "Trash"]
    assert [table.item(row, MESSAGES).text() for row in range(4)] == ["1,234", "40", "", "3"]
    assert picker.picked() == PickedFolders()
    table.setFocus()
    table.setCurrentCell(1, WATCH)
    qtbot.keyClick(table, Qt.Key.Key_Space)
    table.cellWidget(2, LEARN).setCurrentIndex(1)
    table.cellWidget(1, LEARN).setCurrentIndex(2)
    qtbot.mouseClick(ok(picker), Qt.MouseButton.LeftButton)
    assert picker.taken == [PickedFolders(("INBOX", "Briefe, alte"), ("Müll",), ("Briefe, alte",))]


def test_what_was_picked_before_stays_even_where_it_is_not_listed(open_picker, mailbox):
    before = PickedFolders(("Trash", "INBOX", "Elsewhere"), ("Müll", "Away"), ("Briefe, alte",))
    picker = open_picker(before)
    mailbox.told[0](FoldersFound(FOLDERS))
    after = picker.picked()
    assert (after.watched, set(after.junk), after.good) == (before.watched, set(before.junk), before.good)


def test_all_can_be_picked_with_the_keyboard(open_picker, mailbox, qtbot):
    picker = open_picker()
    mailbox.told[0](FoldersFound(FOLDERS))
    picker.activateWindow()
    picker.table.setFocus()
    qtbot.waitUntil(picker.table.hasFocus)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Right):
        qtbot.keyClick(picker.table, key)
    choice = picker.table.cellWidget(1, LEARN)
    qtbot.waitUntil(choice.hasFocus)
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    assert picker.picked() == PickedFolders(("INBOX", "Briefe, alte"), ("Briefe, alte",))


def test_no_folder_at_all_means_the_inbox(open_picker, mailbox):
    picker = open_picker()
    mailbox.told[0](FoldersFound(FOLDERS))
    picker.table.item(0, WATCH).setCheckState(Qt.CheckState.Unchecked)
    assert picker.picked().watched == ("INBOX",)


def test_why_nothing_is_listed_is_said_and_it_can_be_asked_again(open_picker, mailbox, qtbot):
    picker = open_picker()
    mailbox.told[0](FoldersRefused(Trouble.WRONG_PASSWORD, "[AUTHENTICATIONFAILED] no"))
    assert "doesn't accept this user name" in picker.state.text()
    assert "AUTHENTICATIONFAILED" in picker.state.text()
    assert not ok(picker).isEnabled()
    qtbot.mouseClick(picker.again, Qt.MouseButton.LeftButton)
    mailbox.told[1](FoldersFound(FOLDERS))
    assert ok(picker).isEnabled() and not picker.again.isVisible()


def test_closing_gives_the_question_up(open_picker, mailbox):
    open_picker().reject()
    assert mailbox.cancelled == 1


def test_the_dialog_asks_with_what_was_typed_and_takes_what_was_picked(parent, mailbox, qtbot):
    given = []
    dialog = AccountDialog(parent, AppServices(list_folders=mailbox.list_folders), lambda *each: given.append(each))
    dialog.show()
    dialog.form.choose_folders.click()
    assert "name of the mail server" in dialog.problem.text()
    for field, text in ((dialog.form.server, "imap.example"), (dialog.form.user, "anna"), (dialog.form.password, "x")):
        field.setText(text)
    dialog.form.choose_folders.click()
    picker = QApplication.activeModalWidget()
    assert isinstance(picker, FolderPicker)
    assert [(account.host, account.user, password) for account, password in mailbox.asked] == [
        ("imap.example", "anna", "x")
    ]
    mailbox.told[0](FoldersFound(FOLDERS))
    picker.table.item(1, WATCH).setCheckState(Qt.CheckState.Checked)
    picker.table.cellWidget(2, LEARN).setCurrentIndex(1)
    picker.accept()
    assert dialog.form.watched.text() == 'INBOX, "Briefe, alte"'
    assert dialog.form.watched.isVisible()
    dialog.accept()
    account, password = given[0]
    assert (account.folders, account.junk_folders, account.good_folders) == (("INBOX", "Briefe, alte"), ("Müll",), ())
    assert password == "x"


@pytest.mark.parametrize("names", [(), ("INBOX",), ("a, b", 'say "hi"', "c"), ("Päck/2024", "x y")])
def test_typed_names_read_back(names):
    assert split_names(join_names(names)) == names


# ------------------------------------------------------------------------------------------ learning from folders


def teach(window):
    account = replace(window.settings.accounts[0], junk_folders=("Old",))
    window.parts.settings.change_accounts((account,))
    window.calls.clear()
    return account


def working(done, teaches="junk", folder="Old"):
    return say.AccountChanged(
        values.AccountState("home", values.Phase.WORKING, NOW, folder=folder, done=done, total=3000, teaches=teaches)
    )


def test_learning_from_a_folder_shows_how_far_it_is(window):
    teach(window)
    window.hear(working(0, teaches="", folder="INBOX"))
    assert not window.training.isVisible()
    window.hear(working(1200))
    assert window.training.isVisible()
    assert window.training.words.text() == "Learning Old as junk: 1,200 of 3,000"
    assert (window.training.progress.value(), window.training.progress.maximum()) == (1200, 3000)
    window.hear(working(3000))
    assert not window.training.isVisible()


def test_learning_is_paused_over_a_restart_and_goes_on(window):
    account = teach(window)
    window.hear(working(1200))
    window.training.pause.click()
    paused = replace(account, training_paused=True)
    assert window.settings.accounts == (paused,)
    assert window.calls == [("keep_settings", window.settings), ("pause_training", "home", True)]
    window.hear(say.AccountChanged(values.AccountState("home", values.Phase.IN_STEP, NOW)))
    assert "paused: Old" in window.training.words.text()
    assert window.training.isVisible() and not window.training.progress.isVisible()
    window.training.pause.click()
    assert window.settings.accounts == (account,)
    assert window.calls[-1] == ("pause_training", "home", False)
    assert not window.training.isVisible()


def test_learning_is_stopped_for_good(window):
    account = teach(window)
    window.hear(working(1200))
    window.training.stop.click()
    stopped = replace(account, junk_folders=())
    assert window.settings.accounts == (stopped,)
    assert ("change_account", stopped, "") in window.calls
    assert not window.training.isVisible()


def test_the_accounts_menu_pauses_and_stops_too(window):
    assert not [
        action
        for action in window.parts.sidebar_menu.make(account_entry(window)).actions()
        if "learning" in action.text()
    ]
    teach(window)
    press(window.parts.sidebar_menu.make(account_entry(window)), "Pause learning from folders")
    assert window.settings.accounts[0].training_paused
    press(window.parts.sidebar_menu.make(account_entry(window)), "Go on learning from folders")
    press(window.parts.sidebar_menu.make(account_entry(window)), "Stop learning from folders")
    assert window.settings.accounts[0] == Account("home")


# ------------------------------------------------------------------------------------------ what an account lacks


def test_a_folder_to_learn_from_that_was_never_there_is_named(window):
    window.hear(in_step(Trouble.FOLDER_MISSING, "nosuchfolder"))
    assert window.sidebar_model.state_line("home") == "Needs you: no folder “nosuchfolder”"
    assert "home has no folder “nosuchfolder”. Nothing is fetched or learned from it." in window.banner.text()


def in_step(trouble="", detail=""):
    return say.AccountChanged(values.AccountState("home", values.Phase.IN_STEP, NOW, trouble=trouble, detail=detail))


def test_a_missing_junk_folder_is_asked_for(window):
    window.hear(in_step(Trouble.FOLDER_MISSING, "\\Junk"))
    assert "no folder for junk was found" in window.banner.text()
    assert window.sidebar_model.state_line("home").startswith("Needs you")
    window.banner.dismiss()
    window.hear(in_step(Trouble.FOLDER_MISSING, "\\Junk"))
    assert not window.banner.isVisible()
    window.hear(in_step())
    window.hear(in_step(Trouble.FOLDER_MISSING, "Lists"))
    assert "no folder “Lists”" in window.banner.text()
    window.hear(in_step())
    assert not window.banner.isVisible()


def test_a_refused_move_is_said_until_it_is_read(window):
    window.hear(in_step(Trouble.SERVER_REFUSED, "the server can't move a single message"))
    window.hear(in_step())
    assert "doesn't let nbmail move" in window.banner.text()
    assert "can't move a single message" in window.banner.text()


def test_online_again_with_a_lack_says_the_lack(window):
    window.hear(say.AccountChanged(values.AccountState("home", values.Phase.OFFLINE, NOW, trouble=Trouble.SERVER_GONE)))
    assert "closed the connection" in window.banner.text()
    window.hear(in_step(Trouble.FOLDER_MISSING, "Lists"))
    assert "no folder “Lists”" in window.banner.text()
