"""Accounts on a real server, managed in the window: folders, training, read flags."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from nbmail.sync import folder_sync
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.accounts.folder_table import LEARN, NAME, WATCH
from nbmail.ui.list.list_choice import Choice
from nbmail.ui.message.read_timer import DELAYS
from nbmail.values import FolderName, Phase
from tests.dovecot import PASSWORDS
from tests.e2e.test_errors import letters, said

# Qt's platforms without a screen say so of every dialog.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def count_of(window):
    """The messages of all folders."""
    return int(window.parts.model.mail.present.sum()) if hasattr(window, "parts") else 0


def dialog_of(kind, qtbot):
    def there():
        assert isinstance(QApplication.activeModalWidget(), kind)

    qtbot.waitUntil(there)
    return QApplication.activeModalWidget()


def row_of(table, name):
    return next(row for row in range(table.rowCount()) if table.item(row, NAME).toolTip() == name)


def test_a_new_account_is_tried_and_its_selected_folders_are_learned(
    open_program, dovecot, qtbot, monkeypatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.authority))
    client = dovecot.client()
    mail = letters(60)
    for name, raws in (("Werbung, alt", mail[:20]), ("Lists", mail[20:25]), ("INBOX", mail[25:30])):
        if name != "INBOX":
            client.create_folder(name)
        for raw in raws:
            client.append(name, raw)
    driver = open_program()
    window = driver.window
    window.parts.actions.by_name["account"].trigger()
    dialog = dialog_of(AccountDialog, qtbot)
    account = dovecot.account()
    form = dialog.form
    for field, text in (
        (form.address, "alice"),
        (form.server, account.host),
        (form.port, str(account.port)),
    ):
        field.setText(text)
    form.user.setText("alice")
    form.password.setText("wrong")
    dialog.accept()
    qtbot.waitUntil(lambda: "rejected the user name" in dialog.test.steps.text())
    assert dialog.test.steps.text().count("✓") == 2
    dialog.form.password.setText(PASSWORDS["alice"])
    dialog.accept()
    table = dialog.folders
    qtbot.waitUntil(lambda: table.rowCount() > 0)
    assert table.item(row_of(table, "Werbung, alt"), 1).text() == "20"
    table.item(row_of(table, "Lists"), WATCH).setCheckState(Qt.CheckState.Checked)
    table.cellWidget(row_of(table, "Werbung, alt"), LEARN).setCurrentIndex(1)
    dialog.accept()
    assert (window.settings.accounts[0].folders, window.settings.accounts[0].spam_folders) == (
        ("INBOX", "Lists"),
        ("Werbung, alt",),
    )
    qtbot.waitUntil(lambda: count_of(window) == 30)
    qtbot.waitUntil(window.parts.training_result.isVisible)
    client.append("Lists", mail[30])
    qtbot.waitUntil(lambda: count_of(window) == 31)
    before = window.settings.accounts[0]
    driver.program.accounts.change(replace(before, folders=("INBOX",), suggested_folders=()), "")
    qtbot.waitUntil(lambda: count_of(window) == 25)


@pytest.fixture
def hold_training(monkeypatch):
    """Folders are fetched no further than their first slice until this event is set."""
    go = threading.Event()
    slices = folder_sync.slices

    def held(uids):
        for number, chunk in enumerate(slices(uids)):
            if number:
                go.wait(60.0)
            yield chunk

    monkeypatch.setattr(folder_sync, "slices", held)
    yield go
    go.set()


def test_training_is_paused_and_resumes_after_a_restart(
    open_program, dovecot, qtbot, hold_training
):
    client = dovecot.client()
    client.create_folder("Old")
    mail = letters(300)
    dovecot.put(mail, folder="Old")
    account = dovecot.account(ham_folders=("Old",))
    window = open_program(account).window
    qtbot.waitUntil(lambda: count_of(window) > 0 and window.parts.training.isVisible())
    window.parts.training.pause.click()
    hold_training.set()
    qtbot.waitUntil(
        lambda: (
            getattr(window.parts.sidebar_model.states.get("alice"), "phase", None) == Phase.SYNCED
        )
    )
    held = count_of(window)
    assert held < len(mail)
    qtbot.waitUntil(lambda: "paused: Old" in said(window))
    paused = window.settings.accounts[0]
    open_program.end()
    window = open_program(paused).window
    qtbot.waitUntil(lambda: "paused: Old" in said(window))
    window.parts.training.pause.click()
    qtbot.waitUntil(lambda: count_of(window) == len(mail))
    qtbot.waitUntil(lambda: not window.parts.training.isVisible())


def seen_on(client, folder):
    """The UIDs of a folder's messages that are read on the server."""
    client.select_folder(folder, readonly=True)
    return set(client.search("SEEN"))


def test_only_a_message_that_the_user_chooses_is_marked_read_on_the_server(
    open_program, make_dovecot, qtbot
):
    """A message that the window selects itself stays unread."""
    server = make_dovecot()
    client = server.client()
    mail = letters(7)
    client.create_folder("Lists")
    server.put(mail[:3], folder="INBOX")
    server.put(mail[3:6], folder="Lists")
    account = server.account(folders=("INBOX", "Lists"))

    def wait_longer_than_reading():
        qtbot.wait(3 * DELAYS["at-once"])

    def start():
        driver = open_program(account)
        driver.parts.settings.change(replace(driver.window.settings, opened_is_read="at-once"))
        driver.window.activateWindow()
        qtbot.waitUntil(lambda: driver.synced and driver.window.isActiveWindow())
        return driver

    def shown_message(driver, count):
        qtbot.waitUntil(lambda: driver.parts.model.rowCount() == count)
        current = driver.parts.table.current_message
        qtbot.waitUntil(lambda: driver.has_read(current()))
        wait_longer_than_reading()

    driver = start()
    for folder in ("INBOX", "Lists"):
        driver.parts.updates.show_choice(Choice(folder=FolderName("alice", folder)))
        shown_message(driver, 3)
    open_program.end()
    driver = start()
    shown_message(driver, 3)
    client.append("Lists", mail[6])
    shown_message(driver, 4)
    opened = driver.parts.table.current_message()
    subject = driver.mail.subjects[int(driver.mail.find([opened])[0])]
    client.select_folder("Lists")
    client.delete_messages(client.search(["SUBJECT", subject]))
    client.expunge()
    shown_message(driver, 3)
    assert driver.parts.table.current_message() != opened
    assert seen_on(client, "INBOX") == seen_on(client, "Lists") == set()
    qtbot.keyClick(driver.parts.table, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: len(seen_on(client, "Lists")) == 1)
    qtbot.keyClick(driver.parts.table, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: len(seen_on(client, "Lists")) == 2)
    assert seen_on(client, "INBOX") == set()
