"""Everything can be reached with the Tab key, shows that it has been, and has a name that can be read out."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from nbmail.settings import Account, Settings
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.evidence.word_window import WordWindow
from nbmail.ui.files.file_window import FileWindow
from nbmail.ui.message.source_window import SourceWindow
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.window.app_services import FoundMail
from nbmail.values import FolderLine, FolderName
from nbmail.worker.protocol import Mark, PlannedMove, Relearn, Undo
from nbmail.worker.protocol.reading import MessageSource
from nbmail.worker.protocol.report import TrainingReport
from nbmail.worker.protocol.words import Moved
from tests.ui.folders_page import open_folders
from tests.ui.scripted import make_rows

MOST_STEPS = 60


def controls(place):
    """What a user can act on."""
    return [
        each
        for each in place.findChildren(QWidget)
        if each.window() is place
        and each.isVisible()
        and each.isEnabled()
        and each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and each.focusProxy() is None
        and each.objectName() != "qt_spinbox_lineedit"
    ]


def walk(place, qtbot):
    """Where the Tab key leads."""
    place.activateWindow()
    qtbot.waitUntil(lambda: place.isActiveWindow() and place.focusWidget() is QApplication.focusWidget() is not None)
    visited = []
    for _ in range(MOST_STEPS):
        visited.append(QApplication.focusWidget())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    return visited


def main_window(open_window, qtbot):
    window = open_window(30)
    window.table.go_to(0)
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    return window


def why_place(open_window, qtbot):
    window = main_window(open_window, qtbot)
    window.actions_by_name["explain"].trigger()
    return window


def one_word(open_window, qtbot):
    window = why_place(open_window, qtbot)
    window.reasons.open_words(["meeting"])
    dialog = window.findChild(WordWindow)
    qtbot.waitUntil(dialog.suppose.isVisible)
    return dialog


def moved_messages(open_window, qtbot):
    window = main_window(open_window, qtbot)
    window.reasons.show_moved("Moved", [Moved(1, "unsure", "junk")], 1)
    return window.findChild(MessagesWindow)


def source(open_window, qtbot):
    window = main_window(open_window, qtbot)
    window.parts.reading._show_source(MessageSource(1, (("subject", "Minutes"),), "Subject: Minutes"))
    return window.findChild(SourceWindow)


def narrow_window(open_window, qtbot):
    window = open_window(30, size=(800, 600))
    ticket = window.requests.ask(Relearn())
    window.status.show_work("Learning anew", 3, 9, lambda: window.requests.cancel(ticket))
    return window


def newcomers_window(open_window, qtbot):
    window = open_window(0, settings=Settings())
    qtbot.waitUntil(window.welcome.isVisible)
    return window


def triage(open_window, qtbot):
    window = open_window(30)
    window.engine.do_ReportTraining = lambda _: TrainingReport()
    window.actions_by_name["triage"].trigger()
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    return window


def end_of_triage(open_window, qtbot):
    window = triage(open_window, qtbot)
    for _ in window.model.mail.undecided():
        window.actions_by_name["next"].trigger()
    return window


def mail_files(open_window, qtbot):
    window = open_window(3)
    files = FileWindow(window, window.requests, lambda _: None, FoundMail((("a.eml", b"a"), ("b.eml", b"b"))))
    files.show()
    qtbot.waitUntil(lambda: files.evidence.why is not None)
    return files


def preferences(open_window, qtbot):
    open_window(3).actions_by_name["preferences"].trigger()
    return QApplication.activeModalWidget()


def keys(open_window, qtbot):
    open_window(3).actions_by_name["keys"].trigger()
    return QApplication.activeModalWidget()


def moves(open_window, qtbot):
    planned = [PlannedMove(number, "anna", "hello", FolderName("home", "INBOX"), "junk") for number in range(9)]
    dialog = MovesDialog(open_window(3), planned, lambda on: None)
    dialog.open()
    return dialog


def new_mailbox(open_window, qtbot):
    open_window(3).actions_by_name["account"].trigger()
    return QApplication.activeModalWidget()


def changed_mailbox(open_window, qtbot):
    open_window(3, settings=Settings((Account("home", "imap.example"),))).accounts.ask_change("home")
    return QApplication.activeModalWidget()


def folders(open_window, qtbot):
    return open_folders(open_window(3), (FolderLine("INBOX", "", 12), FolderLine("Junk"), FolderLine("Lists")))


def model_page(page):
    def find(open_window, qtbot):
        window = open_window(rows=make_rows(30, labelled=0.5))
        window.parts.show_model()
        dialog = window.findChild(ModelWindow)
        dialog.go_to(getattr(dialog, page))
        qtbot.waitUntil(lambda: dialog.page.stack.currentIndex() == 1)
        return dialog

    find.__name__ = page
    return find


ABOUT_THE_MODEL = [
    model_page(page) for page in ("accuracy", "words", "methods", "marks", "doubts", "one_sender", "keeping")
]


def model_import(open_window, qtbot):
    window = open_window(3)
    window.model_files.import_from(Path("words.txt"))
    qtbot.waitUntil(lambda: window.findChild(ImportDialog) is not None)
    return window.findChild(ImportDialog)


BESIDE = (one_word, moved_messages, source)
ASKING = (new_mailbox, changed_mailbox, folders, preferences, keys, moves, model_import)
PLACES = (
    main_window,
    why_place,
    narrow_window,
    newcomers_window,
    triage,
    end_of_triage,
    mail_files,
    *BESIDE,
    *ASKING,
    *ABOUT_THE_MODEL,
)


@pytest.mark.parametrize("find", PLACES)
def test_the_tab_key_reaches_everything_and_everything_has_a_name(find, open_window, qtbot):
    place = find(open_window, qtbot)
    wanted = controls(place)
    assert wanted
    visited = walk(place, qtbot)
    assert visited[0] in wanted, "the keyboard is where something can be done"
    assert [each for each in wanted if each not in visited] == []
    for each in wanted:
        assert QAccessible.queryAccessibleInterface(each).text(QAccessible.Text.Name), each
    if place.isModal():
        place.close()


@pytest.mark.parametrize("find", [*BESIDE, *ASKING, *ABOUT_THE_MODEL])
def test_escape_closes(find, open_window, qtbot):
    place = find(open_window, qtbot)
    place.activateWindow()
    qtbot.waitUntil(place.isActiveWindow)
    shown = QSignalSpy(place.finished)
    qtbot.keyClick(place.focusWidget() or place, Qt.Key.Key_Escape)
    assert shown.count() == 1


def test_a_choice_says_what_it_is_about(open_window, qtbot):
    """On Linux the name of a choice is what is chosen: what it is about comes from its label, or its description."""
    for find in (new_mailbox, changed_mailbox, folders, preferences):
        place = find(open_window, qtbot)
        for choice in place.findChildren(QComboBox):
            relations = QAccessible.queryAccessibleInterface(choice).relations()
            assert choice.accessibleDescription() or relations, choice.currentText()
        place.close()


def test_what_is_missing_is_said_where_it_is_missing(open_window, qtbot):
    dialog = new_mailbox(open_window, qtbot)
    form = dialog.form
    for field, text in ((form.server, "imap.example"), (form.user, "anna"), (form.password, "secret")):
        dialog.accept()
        assert dialog.problem.isVisible()
        assert form.focusWidget() is field
        field.setText(text)
    assert form.port.accessibleName() == "Port"
    dialog.close()


def test_triage_needs_no_mouse(open_window, qtbot):
    """Down, junk, good, undo, redo, clear: each key does it, and the next message comes by itself."""
    window = open_window(30)
    window.activateWindow()
    window.table.setFocus()
    window.table.go_to(0)
    heard = window.engine.heard
    numbers = [int(window.model.message_at(row)) for row in range(6)]
    for key in ("j", "j", "k", "!", "n"):
        qtbot.keyClicks(window.table, key)
    marks = [each for each in heard if isinstance(each, Mark)]
    assert marks == [Mark((numbers[1],), "junk"), Mark((numbers[2],), "good")]
    assert window.table.current_message() == numbers[3]
    # At once, before the engine has said that there is something to be taken back.
    qtbot.keyClick(window.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.table.current_message() == numbers[2])
    assert sum(isinstance(each, Undo) for each in heard) == 1
    qtbot.keyClick(window.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(window.table, "!")
    assert [each for each in heard if isinstance(each, Mark)][-1] == Mark((numbers[2], numbers[3]), "junk")
    qtbot.waitUntil(window.evidence.table.isVisible)
    for key, reached in (("e", window.evidence.table), ("/", window.search)):
        qtbot.keyClicks(QApplication.focusWidget(), key)
        assert reached.hasFocus()
    qtbot.keyClick(window.search, Qt.Key.Key_Escape)
    assert window.table.hasFocus()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_where_the_keyboard_is_can_be_seen(theme, open_window, qtbot):
    window = open_window(30, settings=Settings(theme=theme))
    window.table.go_to(0)
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    window.activateWindow()
    for control in controls(window):
        other = window.search if control is not window.search else window.table
        other.setFocus()
        without = control.grab().toImage()
        control.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(control.hasFocus)
        assert control.grab().toImage() != without, control


def test_what_a_newcomer_needs_has_the_keyboard(open_window, qtbot):
    window = newcomers_window(open_window, qtbot)
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.welcome.button)
