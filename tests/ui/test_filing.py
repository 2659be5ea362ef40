"""Filing in the window: the field of folders, and what the keys do."""

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from nbmail.ui.filing import mail_programs, other_programs
from nbmail.ui.filing.folder_field import FolderField, find_folders
from nbmail.ui.filing.other_programs import message_address, reply_address
from nbmail.ui.filing.sender_rules import RuleDialog, RulesDialog
from nbmail.ui.list.list_choice import Choice, Column, Kind
from nbmail.ui.list.message_drag import DRAGGED
from nbmail.ui.list.table import mail_table
from nbmail.values import Arrival, Delivery, FolderName, ServerFolderUse
from nbmail.worker.protocol.events import MoveRefused
from nbmail.worker.protocol.senders import UnsubscribeOffer
from tests.ui.helpers import said
from tests.ui.real import settle


def folders(*names, **used):
    return [ServerFolderUse(FolderName("home", name), "", used.get(name, 0.0)) for name in names]


def found(listed, text):
    return [each.name.folder for each in find_folders(listed, text)]


def test_folders_are_found_by_their_parts():
    listed = folders(
        "Lists/linux/kernel", "Lists/python", "Travel", "travel", "Re/Sales", "Bücher", Travel=5.0
    )
    assert found(listed, "")[0] == "Travel"
    assert found(listed, "li ke") == found(listed, "l/l/k") == ["Lists/linux/kernel"]
    assert found(listed, "ke li") == []
    assert found(listed, "tra") == ["Travel", "travel"]
    assert found(listed, "vel") == ["Travel", "travel"]
    assert found(listed, "BÜ") == ["Bücher"]
    many = folders(*(f"Year {number}/Project {number % 40}" for number in range(2000)))
    assert found(many, "1999 p 39") == ["Year 1999/Project 39"]


@pytest.fixture
def connected(mailbox):
    """A window whose account has listed its folders."""
    uses = {name: f"\\{name}" for name in ("Junk", "Archive", "Trash")} | {
        "INBOX": "\\Inbox",
        "Travel": "",
    }
    mailbox.backend.list_folders(
        "home", [ServerFolderUse(FolderName("home", name), use) for name, use in uses.items()]
    )
    settle(mailbox)
    mailbox.window.table.setFocus()
    return mailbox


def pending(mailbox):
    return [
        (action.kind, action.target)
        for action in mailbox.backend.pending_actions("home")
        if action.kind == "move"
    ]


def press(window, qtbot, key, modifiers=Qt.KeyboardModifier.NoModifier):
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    qtbot.keyClick(QApplication.focusWidget(), key, modifiers)


@pytest.mark.parametrize(
    ("key", "target", "is_last"), [("A", "Archive", False), ("Delete", "Trash", True)]
)
def test_a_key_moves_a_message_and_opens_the_next_one_or_the_last_one_left(
    connected, qtbot, key, target, is_last
):
    window = connected.window
    rows = window.model.rowCount()
    row, after = (rows - 1, rows - 2) if is_last else (2, 3)
    window.table.go_to(row)
    message, following = (window.model.message_at(each) for each in (row, after))
    press(window, qtbot, Qt.Key[f"Key_{key}"])
    settle(connected)
    assert (window.model.rowCount(), window.table.current_message()) == (rows - 1, following)
    assert pending(connected) == [("move", target)]
    window.parts.undoing.undo()
    settle(connected)
    assert (window.model.rowCount(), window.table.current_message()) == (rows, message)
    assert pending(connected) == []


def test_the_field_moves_to_the_folder_that_is_completed(connected, qtbot):
    window = connected.window
    window.table.go_to(0)
    press(window, qtbot, Qt.Key.Key_V)
    settle(connected)
    field = window.findChild(FolderField)
    qtbot.keyClicks(field.field, "trav")
    assert [field.list.item(row).text() for row in range(field.list.count())] == ["Travel"]
    qtbot.keyClick(field.field, Qt.Key.Key_Return)
    settle(connected)
    assert pending(connected) == [("move", "Travel")]


def test_keys_of_messages_act_only_where_messages_are(connected, qtbot):
    connected.window.show_choice(Choice(Kind.UNREAD))
    shown = connected.window.model.arrangement
    connected.window.sidebar.setFocus()
    press(connected.window, qtbot, Qt.Key.Key_A)
    settle(connected)
    assert pending(connected) == []
    assert connected.window.model.arrangement == shown, (
        "no list is chosen by the first letter of its name"
    )


def test_a_refused_move_is_reported(window):
    window.parts.receive(
        MoveRefused(1, FolderName("home", "Travel"), "[TRYCREATE] no such mailbox")
    )
    assert "Travel" in said(window.banner)


def test_flags_and_read_folders_are_undone(connected, qtbot):
    window = connected.window
    mail = connected.window.model.mail
    window.table.go_to(1)
    message = window.table.current_message()
    press(window, qtbot, Qt.Key.Key_S)
    settle(connected)
    assert mail.flagged[mail.find([message])[0]]
    window.parts.undoing.undo()
    settle(connected)
    assert not mail.flagged[mail.find([message])[0]]
    inbox = FolderName("home", "INBOX")
    before = mail.count_folders()[inbox][1]
    assert before
    window.parts.folder_menu.mark_read(inbox)
    settle(connected)
    assert mail.count_folders()[inbox][1] == 0
    window.parts.undoing.undo()
    settle(connected)
    assert mail.count_folders()[inbox][1] == before


def test_only_the_listed_spam_is_deleted_and_only_in_the_spam_folder(connected):
    window = connected.window
    spam = FolderName("home", "Junk")
    window.parts.folder_menu.ask_to_empty(spam)
    settle(connected)
    (box,) = window.findChildren(QMessageBox)
    assert len(box.informativeText().splitlines()) == 6
    connected.backend.deliver(
        Delivery(spam, 1, arrivals=(Arrival(9000, frozenset(), 1.0, b"Subject: new\r\n\r\nx", 20),))
    )
    next(each for each in box.buttons() if "permanently" in each.text()).click()
    settle(connected)
    folders = {
        (action.folder.folder, action.uid) for action in connected.backend.pending_actions("home")
    }
    assert {name for name, _ in folders} == {"Junk"} and ("Junk", 9000) not in folders


def test_addresses_of_a_message_and_of_an_answer():
    assert message_address("<a+b/c?d#e%f@x.org>", "linux") == "mid:a%2Bb%2Fc%3Fd%23e%25f%40x.org"
    assert message_address(" <1@x.org> ", "darwin") == "message://%3C1%40x.org%3E"
    headers = {"from": "Anna <a@x.org>", "subject": "Tea & cake?", "message-id": "<1@x.org>"}
    assert (
        reply_address(headers)
        == "mailto:a@x.org?subject=Re%3A%20Tea%20%26%20cake%3F&In-Reply-To=%3C1%40x.org%3E"
    )
    headers = {"reply-to": "L <l@x.org>", "from": "a@x.org", "subject": "RE: Tea"}
    assert reply_address(headers) == "mailto:l@x.org?subject=RE%3A%20Tea"
    assert reply_address({"from": "nobody"}) == ""


def test_open_and_reply_hand_the_message_to_another_program(
    connected, qtbot, opened_urls, monkeypatch
):
    window = connected.window
    programs = {mail_programs.MID: ["thunderbird.desktop"]}
    monkeypatch.setattr(other_programs, "programs_for", lambda kind: programs.get(kind, []))
    window.table.go_to(1)
    press(window, qtbot, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(opened_urls) == 1)
    programs[mail_programs.MID] = ["nbmail.desktop"]
    press(window, qtbot, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(opened_urls) == 2)
    press(window, qtbot, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: len(opened_urls) == 3)
    assert opened_urls[0].startswith("mid:") and opened_urls[1].endswith(".eml")
    assert opened_urls[2].startswith("mailto:")
    programs[mail_programs.MAIL_FILE] = ["nbmail.desktop"]
    press(window, qtbot, Qt.Key.Key_O)
    settle(connected)
    assert len(opened_urls) == 3


def test_programs_of_the_desktop(tmp_path, monkeypatch):
    for place in ("CONFIG_HOME", "CONFIG_DIRS", "DATA_HOME", "DATA_DIRS"):
        monkeypatch.setenv(f"XDG_{place}", str(tmp_path))
    (tmp_path / "mimeapps.list").write_text(
        "[Removed Associations]\nmessage/rfc822=a.desktop\n[Default "
        "Applications]\nmessage/rfc822=b.desktop;c\n"
    )
    assert mail_programs.programs_for(mail_programs.MAIL_FILE) == ["b.desktop", "c"]


def drop(window, choice, messages):
    """Drop messages on an entry of the sidebar, as the end of a drag does."""
    sidebar = window.sidebar
    data = QMimeData()
    data.setData(DRAGGED, ",".join(map(str, messages)).encode())
    row = next(row for row, entry in enumerate(sidebar.lines.entries) if entry.choice == choice)
    point = sidebar.visualRect(sidebar.lines.index(row, 0)).center()
    left = Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(point, Qt.DropAction.MoveAction, data, left, none)
    QApplication.sendEvent(sidebar.viewport(), entered)
    dropped = QDropEvent(point, Qt.DropAction.MoveAction, data, left, none)
    if entered.isAccepted():
        QApplication.sendEvent(sidebar.viewport(), dropped)
    return entered.isAccepted()


def test_selected_rows_are_dragged_onto_folders_and_smart_lists(connected, qtbot, monkeypatch):
    window = connected.window
    dragged = []
    monkeypatch.setattr(mail_table, "start_drag", lambda table, messages: dragged.append(messages))
    window.table.go_to(1)
    window.table.go_to(3, extend=True)
    viewport = window.table.viewport()
    left = Qt.MouseButton.LeftButton
    start = window.table.visualRect(window.model.index(2, 4)).center()
    qtbot.mousePress(viewport, left, pos=start)
    where = QPointF(start + QPoint(0, 40))
    none = Qt.KeyboardModifier.NoModifier
    move = QMouseEvent(QEvent.Type.MouseMove, where, viewport.mapToGlobal(where), left, left, none)
    QApplication.sendEvent(viewport, move)
    messages = tuple(window.model.message_at(row) for row in (1, 2, 3))
    assert dragged == [messages]
    assert not drop(window, Choice(Kind.UNSURE), messages)
    assert drop(window, Choice(folder=FolderName("home", "Junk")), messages[:1])
    settle(connected)
    assert pending(connected) == [("move", "Junk")]
    assert drop(window, Choice(Kind.HAM), messages[1:])
    settle(connected)
    assert [window.model.source_of(message)[0] for message in messages] == ["spam", "ham", "ham"]


def test_unsubscribing_asks_once_and_stores_the_answer(connected, qtbot):
    window = connected.window
    window.table.go_to(1)
    message = window.table.current_message()
    press(window, qtbot, Qt.Key.Key_U, Qt.KeyboardModifier.ShiftModifier)
    settle(connected)
    assert not window.findChildren(QMessageBox)
    offer = UnsubscribeOffer(message, "news@shop.org", "https://shop.org/out", "")
    window.parts.unsubscribing.ask(offer)
    assert not [call for call in connected.calls if call[0] == "unsubscribe"]
    next(
        each
        for each in window.findChildren(QMessageBox)[0].buttons()
        if each.text() == "Unsubscribe"
    ).click()
    (take,) = [each for name, *_, each in connected.calls if name == "unsubscribe"]
    take(200)
    settle(connected)
    again = []
    window.parts.engine.read_unsubscribe(message).then(again.append)
    qtbot.waitUntil(lambda: bool(again))
    assert again[0].moment and "shop.org" in again[0].answer


def test_a_rule_is_shown_as_the_reason_and_listed(connected, qtbot):
    window = connected.window
    window.table.go_to(1)
    message = window.table.current_message()
    position = window.model.mail.find([message])[0]
    press(window, qtbot, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    settle(connected)
    window.findChild(RuleDialog).accept()
    settle(connected)
    labelled = window.model.mail.label_source(position) is not None
    assert labelled or window.model.texts.text(position, Column.DECIDED) == "your rule"
    assert window.model.mail.verdicts[position] == 2
    assert labelled or window.evidence.sourced_label.label_source.by == "rule"
    window.actions_by_name["rules"].trigger()
    settle(connected)
    dialog = window.findChild(RulesDialog)
    assert len(dialog.table.rows) == 1
    dialog.button.click()
    settle(connected)
    assert not window.model.mail.ruled[position] and not dialog.table.rows
    dialog.accept()


def test_a_conversation_is_shown_and_selected(connected):
    window = connected.window
    spam = FolderName("home", "INBOX")
    letters = [
        b"From: Anna <a@x.org>\r\nSubject: tea\r\nMessage-ID: <t1@x>\r\n\r\nTea?",
        (
            b"From: Ben <b@x.org>\r\nSubject: Re: tea\r\nMessage-ID: <t2@x>\r\nReferences: "
            b"<t1@x>\r\n\r\nYes."
        ),
    ]
    known = connected.backend.stored_folder(spam)
    arrivals = tuple(
        Arrival(8000 + n, frozenset(), 2e9 + n, raw, len(raw)) for n, raw in enumerate(letters)
    )
    connected.backend.deliver(Delivery(spam, known.validity, arrivals=arrivals))
    settle(connected)
    message = next(
        m
        for m, s in zip(window.model.mail.messages, window.model.mail.subjects, strict=True)
        if s == "Re: tea"
    )
    window.table.go_to_message(int(message))
    settle(connected)
    lines = window.parts.conversation
    assert lines.isVisible() and lines.lines[1].isVisible()
    assert lines.lines[0].text().startswith("Anna") and lines.lines[1].text().startswith("Ben")
    lines.all.click()
    assert len(window.table.selected_messages()) == 2
    # A message that the current list lacks.
    window.parts.updates.show_choice(Choice(folder=spam))
    raw = (
        b"From: Cleo <c@x.org>\r\nSubject: Re: tea\r\nMessage-ID: <t3@x>\r\nReferences: "
        b"<t1@x>\r\n\r\nMilk?"
    )
    other = Delivery(
        FolderName("home", "Travel"), 1, arrivals=(Arrival(1, frozenset(), 2e9 + 9, raw, len(raw)),)
    )
    connected.backend.deliver(other)
    settle(connected)
    window.parts.conversation.load(int(message))
    settle(connected)
    assert "3" in lines.all.text()
    lines.all.click()
    selected = window.table.selected_messages()
    assert len(selected) == 3 and all(window.model.row_of(each) >= 0 for each in selected)


def test_the_tool_bar_shows_words_where_they_fit(window):
    bar = window.panes.toolbar
    archive = window.parts.actions.by_name["archive"]
    icons = Qt.ToolButtonStyle.ToolButtonIconOnly
    words = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    bar.fit(1400)
    assert bar.widgetForAction(archive).toolButtonStyle() == icons
    bar.show_words(True)
    assert bar.widgetForAction(archive).toolButtonStyle() == words
    bar.fit(900)
    assert bar.widgetForAction(archive).toolButtonStyle() == icons
