"""Mailboxes are added and changed from the window; what needs the user leads to where it can be mended."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from nbmail import values
from nbmail.errors import Trouble
from nbmail.settings import Account, Settings
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.worker import protocol as say
from tests.ui.scripted import NOW


def account_entry(window):
    return next(entry for entry in window.sidebar_model.entries if entry.account == "home" and entry.choice is None)


def press(menu, text):
    next(action for action in menu.actions() if action.text() == text).trigger()


def test_a_mailbox_is_changed_from_its_menu(window):
    window.engine.do_LabelFolder = lambda command: say.Marked((), None)
    press(window.parts.sidebar_menu.make(account_entry(window)), "Change this mailbox…")
    dialog = QApplication.activeModalWidget()
    dialog.form.server.setText("imap.example")
    dialog.form.user.setText("anna")
    dialog.form.password.setText("secret")
    dialog.form.junk.setText("Spam")
    dialog.accept()
    wanted = replace(Account("home"), host="imap.example", user="anna", junk_folders=("Spam",))
    assert window.settings.accounts == (wanted,)
    assert window.calls == [("keep_settings", window.settings), ("change_account", wanted, "secret")]
    learned = [command for command in window.engine.heard if isinstance(command, say.LabelFolder)]
    assert learned == [say.LabelFolder(values.FolderName("home", "Spam"), "junk", spare=True)]


def test_saving_without_a_change_asks_nothing_of_anybody(window):
    window.accounts.change(window.settings.accounts[0], "")
    assert window.calls == []


def test_a_removed_mailbox_stays_away_whatever_is_still_heard_of_it(window, qtbot):
    folder = values.FolderName("home", "INBOX")
    window.show_choice(Choice(Kind.ALL, folder))
    window.accounts.remove("home")
    assert window.model.arrangement.choice == Choice()
    window.hear(say.AccountChanged(values.AccountState("home", values.Phase.STOPPED, NOW)))
    trouble = values.AccountState("home", values.Phase.NEEDS_YOU, NOW, trouble=Trouble.WRONG_PASSWORD)
    window.hear(say.AccountChanged(trouble))
    window.parts.figures.count()
    assert [entry.text for entry in window.sidebar_model.entries if entry.account] == []
    assert not window.banner.isVisible()
    window.accounts.add(Account("home"), "secret")
    window.hear(say.AccountChanged(values.AccountState("home", values.Phase.IN_STEP, NOW)))
    assert "home" in [entry.text for entry in window.sidebar_model.entries]
    assert window.sidebar_model.state_line("home").startswith("In step")


def test_the_line_under_the_cursor_stays_the_same_when_lines_above_it_go(window, qtbot):
    model, sidebar = window.sidebar_model, window.sidebar
    window.parts.figures.count()
    model.show_accounts(("a", "home"))
    folder, chosen = values.FolderName("home", "Lists"), []
    sidebar.show_choice(Choice(Kind.ALL, folder))
    sidebar.chosen.connect(chosen.append)
    model.show_accounts(("home",))
    assert model.entries[sidebar.currentIndex().row()].choice.folder == folder
    model.show_accounts(())
    assert not sidebar.currentIndex().isValid()
    assert chosen == []
    stale = model.createIndex(40, 0)
    assert model.flags(stale) == Qt.ItemFlag.ItemIsEnabled
    assert model.data(stale) is None


def test_an_account_that_is_not_there_any_more_opens_no_dialog(window):
    window.accounts.ask_change("gone")
    assert QApplication.activeModalWidget() is None


@pytest.mark.parametrize(
    ("trouble", "title"),
    [(Trouble.WRONG_PASSWORD, "Password"), (Trouble.NO_PASSWORD, "Password"), (Trouble.CERTIFICATE, "Change home")],
)
def test_the_remedy_fits_the_trouble(window, trouble, title):
    window.hear(say.AccountChanged(values.AccountState("home", values.Phase.NEEDS_YOU, NOW, trouble=trouble)))
    window.banner._mend()
    dialog = QApplication.activeModalWidget()
    assert dialog.windowTitle() == title
    dialog.reject()


def test_a_password_that_nobody_typed_yet_is_not_called_a_wrong_one(window):
    window.hear(
        say.AccountChanged(values.AccountState("home", values.Phase.NEEDS_YOU, NOW, trouble=Trouble.NO_PASSWORD))
    )
    assert "needs the password" in window.banner.text()
    assert "accept" not in window.banner.text()
    assert window.sidebar_model.state_line("home") == "Needs your password"


def test_adding_knows_which_mailboxes_are_there(window):
    window.actions_by_name["account"].trigger()
    dialog = QApplication.activeModalWidget()
    dialog.form.address.setText("home")
    dialog.form.server.setText("imap.example")
    dialog.form.user.setText("home")
    dialog.form.password.setText("x")
    dialog.accept()
    assert "there already" in dialog.problem.text()
    dialog.reject()


@pytest.mark.parametrize("page", ["", "https://large.example/passwords"])
def test_where_a_provider_gives_out_passwords_the_way_there_is_offered(window, page):
    state = values.AccountState("home", values.Phase.NEEDS_YOU, NOW, trouble=Trouble.WRONG_PASSWORD, page=page)
    window.hear(say.AccountChanged(state))
    window.banner._mend()
    dialog = QApplication.activeModalWidget()
    assert dialog.page_button.isVisible() == bool(page)
    if page:
        dialog.page_button.click()
        assert window.calls == [("open_address", page)]
    dialog.reject()


def test_the_certificate_of_a_server_of_ones_own_is_named_in_its_settings(window):
    window.hear(
        say.AccountChanged(values.AccountState("home", values.Phase.NEEDS_YOU, NOW, trouble=Trouble.CERTIFICATE))
    )
    window.banner._mend()
    dialog = QApplication.activeModalWidget()
    assert dialog.form.authority.isVisible()
    for field, text in ((dialog.form.server, "imap.example"), (dialog.form.user, "anna"), (dialog.form.password, "x")):
        field.setText(text)
    dialog.form.authority.setText("/etc/ours.pem")
    dialog.accept()
    assert window.settings.accounts[0].authority_file == "/etc/ours.pem"


@pytest.mark.parametrize(("names", "told"), [(("home",), ""), (("home", "work"), "work: ")])
def test_of_several_mailboxes_a_banner_says_which_it_is_about(names, told, open_window, qtbot):
    window = open_window(3, settings=Settings(accounts=tuple(Account(name) for name in names)))
    state = values.AccountState(names[-1], values.Phase.NEEDS_YOU, NOW, trouble=Trouble.NO_PASSWORD)
    window.bridge.emit_event(say.AccountChanged(state))
    qtbot.waitUntil(window.banner.isVisible)
    assert window.banner.text().startswith(f"{told}nbmail needs the password")
