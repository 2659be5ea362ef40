"""Accounts in the window: adding, changing, removing, states, learning from folders."""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from nbmail import values
from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.worker.protocol.marks import Marked
from tests.ui.helpers import said
from tests.ui.helpers import show_account as tell
from tests.ui.scenes import settle


def needs_you(window, error_code, **more):
    """Report an error of an account, click the banner's button, and return the opened dialog."""
    tell(window, values.Phase.NEEDS_YOU, error_code=error_code, **more)
    window.banner.remedy.click()
    return QApplication.activeModalWidget()


def account_menu(window):
    entry = next(
        entry
        for entry in window.sidebar_model.entries
        if entry.account == "home" and entry.choice is None
    )
    return window.parts.sidebar_menu.make(entry)


def press(menu, text):
    next(action for action in menu.actions() if action.text() == text).trigger()


def test_a_changed_account_is_stored_and_a_new_training_folder_is_learned_immediately(window):
    window.script.label_folder = lambda folder, label, only_unlabelled: Marked((), None)
    press(account_menu(window), "Account settings…")
    assert QApplication.activeModalWidget().windowTitle() == "Account settings: home"
    wanted = replace(Account("home"), host="imap.example", user="anna", spam_folders=("Spam",))
    window.accounts.change(wanted, "secret")
    assert window.settings.accounts == (wanted,)
    assert window.calls == [("save_settings", window.settings), ("change", wanted, "secret")]
    spam = values.FolderName("home", "Spam")
    assert window.engine.requests("label_folder") == [[spam, "spam", {"only_unlabelled": True}]]
    window.calls.clear()
    window.accounts.change(wanted, "")
    assert window.calls == []
    window.accounts.ask_change("gone")


def test_an_account_on_this_computer_has_no_password(open_window):
    window = open_window(accounts=(Account("home", path="/home/anna/mail"),))
    words = [action.text() for action in account_menu(window).actions()]
    assert "Account settings…" in words
    assert "Enter password…" not in words


def test_late_events_do_not_bring_back_a_removed_account(window):
    window.show_choice(Choice(Kind.ALL, values.FolderName("home", "INBOX")))
    window.accounts.remove("home")
    assert window.model.arrangement.choice == Choice()
    tell(window, values.Phase.STOPPED)
    tell(window, values.Phase.NEEDS_YOU, error_code=ErrorCode.WRONG_PASSWORD)
    window.parts.figures.count()
    assert [entry.text for entry in window.sidebar_model.entries if entry.account] == []
    assert not window.banner.isVisible()
    window.accounts.add(Account("home"), "secret")
    tell(window)
    assert "home" in [entry.text for entry in window.sidebar_model.entries]
    assert window.sidebar_model.state_line("home").startswith("Up to date")


def test_the_line_under_the_cursor_stays_the_same_when_lines_above_it_go(window):
    model = window.sidebar_model
    sidebar = window.sidebar
    window.parts.figures.count()
    model.show_accounts(("a", "home"))
    folder = values.FolderName("home", "Sorted")
    chosen = []
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


@pytest.mark.parametrize(
    ("error_code", "title", "words"),
    [
        (ErrorCode.WRONG_PASSWORD, "Password", "rejected the user name or password"),
        (ErrorCode.NO_PASSWORD, "Password", "nbmail needs the password"),
        (ErrorCode.CERTIFICATE, "Account settings: home", "can't be verified"),
        (ErrorCode.SIGN_IN_AGAIN, "Sign in: home", "needs a new sign-in"),
    ],
)
def test_the_remedy_fits_the_error(window, error_code, title, words):
    dialog = needs_you(window, error_code)
    assert (dialog.windowTitle(), words in said(window.banner)) == (title, True)
    if error_code == ErrorCode.CERTIFICATE:
        assert dialog.form.authority.isVisible()
    dialog.reject()


def test_an_account_cannot_be_added_twice(window):
    window.actions_by_name["account"].trigger()
    dialog = QApplication.activeModalWidget()
    for field in (dialog.form.server, dialog.form.user, dialog.form.password):
        field.setText("home")
    dialog.accept()
    assert "already exists" in dialog.problem.text()
    dialog.reject()


@pytest.mark.parametrize("page", ["", "https://large.example/passwords"])
def test_where_a_provider_gives_out_passwords_the_way_there_is_offered(window, page, opened_urls):
    dialog = needs_you(window, ErrorCode.WRONG_PASSWORD, page=page)
    assert dialog.page_button.isVisible() == bool(page)
    dialog.page_button.click()
    assert opened_urls == ([page] if page else [])
    dialog.reject()


@pytest.mark.parametrize(("names", "told"), [(("home",), ""), (("home", "work"), "work: ")])
def test_with_several_accounts_a_banner_names_the_account(names, told, open_window):
    window = open_window(accounts=tuple(Account(name) for name in names))
    tell(window, values.Phase.NEEDS_YOU, names[-1], error_code=ErrorCode.NO_PASSWORD)
    assert said(window.banner).startswith(f"{told}nbmail needs the password")


# ------------------------------------------------------------------------------------------
# learning from folders


def work(window, done, teaches="spam", folder="Old"):
    tell(window, values.Phase.WORKING, folder=folder, done=done, total=3000, teaches=teaches)


@pytest.mark.parametrize(
    ("teaches", "folder", "chosen", "learning", "paused"),
    [
        (
            "spam",
            "Old",
            {"spam_folders": ("Old",)},
            "Learning Old as spam: 1,200 of 3,000",
            "paused: Old",
        ),
        (
            *("folder", "Travel", {"suggested_folders": ("*",)}),
            *("Learning what belongs in Travel: 1,200 of 3,000", "paused: suggested folders"),
        ),
    ],
)
def test_learning_shows_how_far_it_is_and_is_paused_and_stopped(
    window, teaches, folder, chosen, learning, paused
):
    before = window.settings.accounts[0]
    account = replace(before, **chosen)
    bar = window.training
    window.parts.settings.change_accounts((account,))
    work(window, 0, teaches="", folder="INBOX")
    assert not bar.isVisible()
    work(window, 1200, teaches, folder)
    assert bar.text.text() == learning
    assert (bar.progress.value(), bar.progress.maximum()) == (1200, 3000)
    bar.pause.click()
    assert window.settings.accounts == (replace(account, training_paused=True),)
    assert window.calls[-2:] == [
        ("save_settings", window.settings),
        ("pause_training", "home", True),
    ]
    tell(window)
    assert paused in bar.text.text()
    assert bar.isVisible() and not bar.progress.isVisible()
    bar.pause.click()
    assert (window.settings.accounts, window.calls[-1]) == (
        (account,),
        ("pause_training", "home", False),
    )
    work(window, 3000, teaches, folder)
    assert not bar.isVisible()
    work(window, 1200, teaches, folder)
    bar.stop.click()
    assert window.settings.accounts == (before,)
    assert ("change", before, "") in window.calls
    assert not bar.isVisible()


def test_learning_is_paused_and_stopped_in_the_menu_of_the_account(window):
    before = window.settings.accounts[0]
    account = replace(before, spam_folders=("Old",))
    window.parts.settings.change_accounts((account,))
    press(account_menu(window), "Pause learning from folders")
    assert window.settings.accounts == (replace(account, training_paused=True),)
    press(account_menu(window), "Resume learning from folders")
    assert window.settings.accounts == (account,)
    press(account_menu(window), "Stop learning from folders")
    assert window.settings.accounts == (before,)


# ------------------------------------------------------------------------------------------ what an
# account lacks


def test_a_missing_folder_is_reported_once_until_it_was_found_in_between(window):
    tell(window, error_code=ErrorCode.FOLDER_MISSING, detail="\\Junk")
    assert "no spam folder was found" in said(window.banner)
    assert window.sidebar_model.state_line("home").startswith("Action needed")
    window.banner.dismiss()
    tell(window, error_code=ErrorCode.FOLDER_MISSING, detail="\\Junk")
    assert not window.banner.isVisible()
    tell(window)
    tell(window, error_code=ErrorCode.FOLDER_MISSING, detail="Lists")
    assert window.sidebar_model.state_line("home") == "Action needed: folder “Lists” not found"
    assert "The folder “Lists” was not found in home. Choose another folder" in said(window.banner)
    tell(window)
    assert not window.banner.isVisible()


@pytest.mark.parametrize(
    ("error_code", "detail", "words", "state"),
    [
        (
            ErrorCode.SERVER_REFUSED,
            "it can't move a single message",
            "refused to move a message.",
            "Up to date",
        ),
        (
            ErrorCode.NO_KEYWORDS,
            "",
            "can't store marks.",
            "Up to date; marks stay on this computer",
        ),
        (
            ErrorCode.FOLDER_MISSING,
            "Lists",
            "The folder “Lists” was not found",
            "Action needed: folder “Lists”",
        ),
    ],
)
def test_a_limitation_of_an_account_is_reported_also_after_it_was_offline(
    window, error_code, detail, words, state
):
    tell(window, values.Phase.OFFLINE, error_code=ErrorCode.SERVER_GONE)
    assert "closed the connection" in said(window.banner)
    tell(window, error_code=error_code, detail=detail)
    assert window.sidebar_model.state_line("home").startswith(state)
    assert words in said(window.banner) and detail in said(window.banner)
    tell(window)
    refused = error_code == ErrorCode.SERVER_REFUSED
    assert window.banner.isVisible() == refused, "a refused move stays until it is read"


def places(window):
    """Return the positions of all visible widgets."""
    return [(part, part.geometry()) for part in window.findChildren(QWidget) if part.isVisible()]


def test_a_short_outage_moves_nothing_and_a_lasting_one_is_reported(open_window, qtbot):
    window = open_window()
    now = time.time()
    tell(window, at=now)
    settle(window)
    before = places(window)

    def report_outages():
        """Let the time pass in which a connection must be broken."""
        for timer in window.sidebar.findChildren(QTimer):
            timer.setInterval(0)
            qtbot.waitUntil(lambda timer=timer: not timer.isActive())

    for phase in (values.Phase.OFFLINE, values.Phase.CONNECTING):
        tell(
            window,
            phase,
            at=now,
            error_code=ErrorCode.SERVER_GONE if phase == values.Phase.OFFLINE else "",
        )
        assert (
            "ffline" in window.sidebar_model.state_line("home") or phase == values.Phase.CONNECTING
        )
        settle(window)
        assert places(window) == before
    tell(window, at=now)
    report_outages()
    assert places(window) == before
    tell(window, values.Phase.OFFLINE, at=now, error_code=ErrorCode.SERVER_GONE)
    report_outages()
    assert "closed the connection" in said(window.banner)


def test_a_check_for_mail_ends_when_all_accounts_have_ended_it(open_window):
    window = open_window(accounts=(Account("home"), Account("work")))
    tell(window, account="home")
    tell(window, account="work")
    window.actions_by_name["check"].trigger()
    assert window.status.text() == "Checking for new mail…"
    assert not any(timer.isActive() for timer in window.status.findChildren(QTimer)), (
        "it stays until the end"
    )
    for phase in (values.Phase.CONNECTING, values.Phase.WORKING, values.Phase.SYNCED):
        tell(window, phase, "home")
        assert window.status.text() == "Checking for new mail…"
    tell(window, account="work")
    assert window.status.text() == "Checked for new mail."
    window.actions_by_name["check"].trigger()
    tell(window, account="home")
    tell(window, values.Phase.OFFLINE, "work", error_code=ErrorCode.NO_NETWORK)
    assert window.status.text() == "Checked for new mail. Not reached: work"


def test_the_next_account_that_needs_something_is_shown_when_the_first_is_solved(open_window):
    window = open_window(accounts=(Account("home"), Account("work")))
    for name in ("home", "work"):
        tell(window, values.Phase.NEEDS_YOU, name, error_code=ErrorCode.NO_PASSWORD)
    tell(window, account="work")
    assert said(window.banner).startswith("home: nbmail needs the password")
    tell(window, account="home")
    assert not window.banner.isVisible()
