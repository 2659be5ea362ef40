"""Filing in the window: the field of folders, and what the keys do."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from nbmail.ui.filing.folder_field import FolderField, find_folders
from nbmail.values import Arrival, Delivery, FolderName, ServerFolderUse
from nbmail.worker.protocol.events import MoveRefused
from tests.ui.real import PATIENCE, settle


def folders(*names, **used):
    return [ServerFolderUse(FolderName("home", name), "", used.get(name, 0.0)) for name in names]


def found(listed, text):
    return [each.name.folder for each in find_folders(listed, text)]


def test_folders_are_found_by_their_parts():
    listed = folders("Lists/linux/kernel", "Lists/python", "Travel", "travel", "Re/Sales", "Bücher", Travel=5.0)
    assert found(listed, "")[0] == "Travel"
    assert found(listed, "li ke") == found(listed, "l/l/k") == ["Lists/linux/kernel"]
    assert found(listed, "ke li") == []
    assert found(listed, "tra") == ["Travel", "travel"]
    assert found(listed, "vel") == ["Travel", "travel"]
    assert found(listed, "BÜ") == ["Bücher"]
    many = folders(*(f"Year {number}/Project {number % 40}" for number in range(2000)))
    assert found(many, "1999 p 39") == ["Year 1999/Project 39"]


@pytest.fixture
def connected(mailbox, qtbot):
    """A window whose account has listed its folders."""
    listed = [
        ServerFolderUse(FolderName("home", name), use)
        for name, use in (
            *(("INBOX", "\\Inbox"), ("Junk", "\\Junk"), ("Archive", "\\Archive"), ("Trash", "\\Trash"), ("Travel", "")),
        )
    ]
    mailbox.backend.list_folders("home", listed)
    mailbox.window.table.setFocus()
    return mailbox


def pending(mailbox):
    return [(action.kind, action.target) for action in mailbox.backend.pending_actions("home") if action.kind == "file"]


def press(window, qtbot, key, modifiers=Qt.KeyboardModifier.NoModifier):
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    qtbot.keyClick(QApplication.focusWidget(), key, modifiers)


def test_a_key_archives_and_goes_to_the_next_message(connected, qtbot):
    window = connected.window
    window.table.go_to(2)
    before, rows = [window.model.message_at(row) for row in (2, 3)], window.model.rowCount()
    press(window, qtbot, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: window.model.rowCount() == rows - 1, timeout=PATIENCE)
    settle(connected, qtbot)
    assert window.table.current_message() == before[1]
    assert pending(connected) == [("file", "Archive")]
    window.parts.undoing.undo()
    qtbot.waitUntil(lambda: window.model.rowCount() == rows, timeout=PATIENCE)
    qtbot.waitUntil(lambda: window.table.current_message() == before[0], timeout=PATIENCE)
    assert pending(connected) == []


def test_the_last_message_leaves_the_one_before(connected, qtbot):
    window = connected.window
    last = window.model.rowCount() - 1
    window.table.go_to(last)
    before = window.model.message_at(last - 1)
    press(window, qtbot, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: window.model.rowCount() == last, timeout=PATIENCE)
    assert window.table.current_message() == before
    assert pending(connected) == [("file", "Trash")]


def test_the_field_moves_to_the_folder_that_is_completed(connected, qtbot):
    window = connected.window
    window.table.go_to(0)
    press(window, qtbot, Qt.Key.Key_V)
    field = None
    qtbot.waitUntil(lambda: window.findChild(FolderField) is not None, timeout=PATIENCE)
    field = window.findChild(FolderField)
    qtbot.keyClicks(field.field, "trav")
    assert [field.list.item(row).text() for row in range(field.list.count())] == ["Travel"]
    qtbot.keyClick(field.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pending(connected) == [("file", "Travel")], timeout=PATIENCE)


def test_keys_of_messages_act_only_where_messages_are(connected, qtbot):
    window = connected.window
    window.sidebar.setFocus()
    press(window, qtbot, Qt.Key.Key_A)
    settle(connected, qtbot)
    assert pending(connected) == []


def test_a_refused_move_is_told(window):
    window.parts.receive(MoveRefused(1, FolderName("home", "Travel"), "[TRYCREATE] no such mailbox"))
    assert "Travel" in window.banner._sentence.text()


def test_flags_and_read_folders_are_undone(connected, qtbot):
    window, mail = connected.window, connected.window.model.mail
    window.table.go_to(1)
    message = window.table.current_message()
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: mail.unflagged([message]) == (), timeout=PATIENCE)
    window.parts.undoing.undo()
    qtbot.waitUntil(lambda: mail.unflagged([message]) == (message,), timeout=PATIENCE)
    inbox = FolderName("home", "INBOX")
    before = mail.count_folders()[inbox][1]
    assert before
    window.parts.filing.read_folder(inbox)
    qtbot.waitUntil(lambda: mail.count_folders()[inbox][1] == 0, timeout=PATIENCE)
    window.parts.undoing.undo()
    qtbot.waitUntil(lambda: mail.count_folders()[inbox][1] == before, timeout=PATIENCE)


def test_only_the_listed_junk_is_deleted_and_only_in_the_junk_folder(connected, qtbot):
    window, junk = connected.window, FolderName("home", "Junk")
    window.parts.filing.ask_to_empty(junk)
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)), timeout=PATIENCE)
    box = window.findChildren(QMessageBox)[0]
    assert len(box.informativeText().splitlines()) == 6
    connected.backend.deliver(
        Delivery(junk, 1, arrivals=(Arrival(9000, frozenset(), 1.0, b"Subject: new\r\n\r\nx", 20),))
    )
    next(each for each in box.buttons() if "permanently" in each.text()).click()
    qtbot.waitUntil(lambda: any(action.kind == "expunge" for action in connected.backend.pending_actions("home")))
    settle(connected, qtbot)
    folders = {(action.folder.folder, action.uid) for action in connected.backend.pending_actions("home")}
    assert {name for name, _ in folders} == {"Junk"} and ("Junk", 9000) not in folders
