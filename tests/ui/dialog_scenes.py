"""More states to make pictures of: questions, the past, folders, what goes on, and what goes wrong."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from nbmail import values
from nbmail.errors import Trouble
from nbmail.settings import Account
from nbmail.ui.accounts import settings_search
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.dialogs import questions
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.window.window_layout import make_message_menu
from nbmail.worker import protocol as say
from tests.ui import scripted
from tests.ui.helpers import tell_account, wait, wait_for
from tests.ui.scenes import all_scenes, dialog, junk_row, open_dialog, open_history, open_window

FOLDERS = (
    values.FolderLine("INBOX", "", 1234),
    values.FolderLine("Archive/2026/Allotment society and harbour library", "\\Archive", 20_345),
    values.FolderLine("Drafts", "\\Drafts", 3),
    values.FolderLine("Junk", "\\Junk", 611),
    values.FolderLine("Lists/choir", "", 87),
    values.FolderLine("Sent", "\\Sent", 4_012),
    values.FolderLine("Papierkorb", "\\Trash", None),
)


def past(window):
    """The window about the past."""
    return wait_for(lambda: window.findChild(ModelWindow))


def lines(window):
    """The lines of its page, once they are there."""
    return wait_for(lambda: past(window).page.table.list.lines)


def history_nothing():
    window = open_window(0, rows=scripted.make_rows(5), learned=(0, 0))
    window.engine.do_ShowJournal = lambda _: ()
    window.actions_by_name["history"].trigger()
    return window


def history_waiting():
    window = open_window()
    window.engine.silent = (say.FindSuspicious,)
    window.actions_by_name["history"].trigger()
    past(window).go_to(past(window).doubts)
    return window


def history_failed():
    window = open_window()
    window.engine.silent = (say.FindSuspicious,)
    window.actions_by_name["history"].trigger()
    past(window).go_to(past(window).doubts)
    past(window).page._fail(say.Failed(0, Trouble.DISK_FULL, "/home/anna/.local/share/nbmail"))
    return window


def history_older():
    """More marks than are listed, and something just done."""
    window = open_history("marks")
    page = past(window).marks
    lines(window)
    page._wanted = page.table.list.rowCount()
    page._list([line.about for line in page.table.list.lines])
    past(window).tell("2 marks changed. 14 other messages changed their verdict.", undo=True)
    return window


def history_ends():
    """The right end of the foot: turned marks, told with the way back."""
    window = open_history("doubts")
    lines(window)
    past(window).page.turn_current()
    return window


def history_question():
    window = open_history("marks")
    lines(window)
    past(window).marks.ask_to_go_back()
    return window


def history_keyboard():
    """The keyboard on the pages' names."""
    window = open_history("doubts")
    past(window).activateWindow()
    past(window).names.setFocus(Qt.FocusReason.TabFocusReason)
    return window


def account_missing():
    window = open_dialog("account")
    dialog(AccountDialog).accept()
    return window


def account_not_found():
    window = open_dialog("account")
    shown = dialog(AccountDialog)
    shown.search._find = lambda address, tell: lambda: None
    shown.form.address.setText("anna@mail.example")
    shown.search.look("anna@mail.example")
    shown.search._hear(settings_search.Refused())
    return window


def trial(*news):
    """A new account is tried, and these news of it have come."""
    window = open_dialog("account")
    shown = dialog(AccountDialog)
    for field, text in zip(
        (shown.form.address, shown.form.server, shown.form.user, shown.form.password),
        ("anna@mail.example", "imap.mail.example", "anna@mail.example", "secret"),
        strict=True,
    ):
        field.setText(text)
    shown.trial._list_folders = lambda account, password, tell: [tell(each) for each in news] and (lambda: None)
    shown.accept()
    return window


def folders():
    return trial(tuple(FOLDERS))


def folders_asked():
    return trial(values.TryStep.PROTECTED)


def folders_refused():
    said = "[AUTHENTICATIONFAILED] Authentication failed."
    refused = settings_search.Refused(Trouble.WRONG_PASSWORD, said)
    return trial(values.TryStep.PROTECTED, refused)


def folders_unproved():
    return trial(settings_search.Refused(Trouble.CERTIFICATE, "self-signed certificate"))


def password():
    window = open_window()
    questions.PasswordDialog(window, "anna.lindqvist@mail.example", lambda _: None, lambda: None).open()
    return window


def removal():
    window = open_window()
    questions.ask_removal(window, "anna.lindqvist@mail.example", lambda: None)
    return window


def about():
    return open_dialog("about")


def broken_link():
    window = open_window()
    questions.ask_link(window, "http://[broken", lambda _: None)
    return window


def odd_link():
    window = open_window()
    address = "https://login.bank.example.xn--80ak6aa92e.com/a/very/long/way/" + "x" * 500
    questions.ask_link(window, address, lambda _: None)
    return window


def training():
    return learning_from("Junk")


def learning_from(folder):
    """A folder is learned."""
    window = open_window()
    account = Account("home", "imap.example", junk_folders=(folder,), good_folders=("Archive",))
    window.parts.settings.change_accounts((account,))
    tell_account(window, values.Phase.WORKING, done=1234, total=5678, folder=folder, teaches="junk")
    return window


def training_paused():
    window = learning_from("Lists/allotment society and harbour library/2026/choir practice and weekend at the lake")
    account = replace(window.settings.accounts[0], training_paused=True)
    window.parts.settings.change_accounts((account,))
    return window


def long_error():
    window = open_window()
    detail = "imap.mail.example: [SERVERBUG] Internal error occurred. Refer to server log for more information. " * 3
    window.hear(say.Failed(say.NO_COMMAND, Trouble.DISK_FULL, detail))
    return window


def everything_at_once():
    """A banner, an offer and a training."""
    window = training()
    window.hear(say.Failed(say.NO_COMMAND, Trouble.DISK_FULL, "/home/anna/.local/share/nbmail"))
    window.bridge.emit_event(say.MovedByOthers((1, 2, 3), "good"))
    window.table.go_to(junk_row(window))
    return window


def two_accounts():
    window = open_window()
    both = (Account("home", "imap.example"), Account("anna.lindqvist@mail.example"))
    window.parts.settings.change_accounts(both)
    tell_account(window, values.Phase.NEEDS_YOU, "anna.lindqvist@mail.example", trouble=Trouble.NO_PASSWORD)
    return window


def stale_order():
    window = open_window()
    window.table.sort_by(0)
    window.table.go_to(6)
    wait(50)
    for _ in range(3):
        window.actions_by_name["junk"].trigger()
        wait(50)
    window.head.sort.show()
    return window


def part_of_text():
    window = open_window()
    window.table.go_to(junk_row(window))
    wait(200)
    window.reader._note_body(say.Body.PART, ())
    return window


def message_menu():
    window = open_window()
    menu = make_message_menu(window, window.actions_by_name)
    menu.popup(window.mapToGlobal(window.rect().center()))
    return window


def account_menu():
    window = open_window()
    heading = next(each for each in window.sidebar_model.entries if each.choice is None)
    window.parts.sidebar_menu.make(heading).popup(window.mapToGlobal(window.rect().center()))
    return window


def menus():
    window = open_window()
    menu = window.menuBar().findChildren(QMenu)[3]
    menu.popup(window.mapToGlobal(window.rect().center()))
    return window


def keyboard_on_marks():
    """The keyboard on the first button."""
    window = open_window()
    window.activateWindow()
    wait(50)
    button = next(each for each in window.findChildren(type(window.head.button)) if each.property("mark") == "junk")
    button.setFocus(Qt.FocusReason.TabFocusReason)
    return window


def keyboard_on_lists():
    window = open_window()
    window.activateWindow()
    wait(50)
    window.sidebar.setFocus(Qt.FocusReason.TabFocusReason)
    return window


def keyboard_on_evidence():
    window = open_window()
    window.table.go_to(junk_row(window))
    window.activateWindow()
    wait(50)
    window.actions_by_name["explain"].trigger()
    return window


SCENES = all_scenes(globals())
