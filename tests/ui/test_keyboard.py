"""Everything can be reached with the Tab key, shows that it has been, and has a name that can be read out."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QWidget

from nbmail.settings import Settings
from tests.ui.helpers import heard, place_of, put_away
from tests.ui.pictures import SCENES
from tests.ui.say import Mark, Undo

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


@pytest.fixture
def place(request, qtbot):
    """What a scene shows on top: a dialog, or the window itself."""
    window = SCENES[request.param]()
    yield place_of(window)
    put_away(window)


PLACES = (
    *("light", "why_all", "everything_at_once", "training_over", "empty", "triage", "triage_end", "mail_files"),
    *("why_word", "why_moved", "reading_source", "misjudged", "password", "preferences", "keys", "moves"),
    *("account_dialog", "account_change", "folders", "model_import", "model_accuracy", "model_words", "model_compared"),
    *("model_keeping", "history", "history_doubts", "history_sender"),
)


@pytest.mark.parametrize("place", PLACES, indirect=True)
def test_the_tab_key_reaches_everything_which_has_a_name_and_escape_closes_a_dialog(place, qtbot):
    wanted = controls(place)
    assert wanted
    visited = walk(place, qtbot)
    assert visited[0] in wanted, "the keyboard is where something can be done"
    assert [each for each in wanted if each not in visited] == []
    for each in wanted:
        spoken = QAccessible.queryAccessibleInterface(each)
        assert spoken.text(QAccessible.Text.Name), each
        # On Linux the name of a choice is what is chosen: what it is about comes from its label, or its description.
        assert not isinstance(each, QComboBox) or each.accessibleDescription() or spoken.relations(), each
    if isinstance(place, QDialog):
        closed = QSignalSpy(place.finished)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        assert closed.count() == 1


@pytest.mark.parametrize("place", ["account_dialog"], indirect=True)
def test_what_is_missing_is_said_where_it_is_missing(place):
    form = place.form
    for field, text in ((form.server, "imap.example"), (form.user, "anna"), (form.password, "secret")):
        place.accept()
        assert place.problem.isVisible()
        assert form.focusWidget() is field
        field.setText(text)
    assert form.port.accessibleName() == "Port"


def test_triage_needs_no_mouse(open_window, qtbot):
    """Down, junk, good, undo, redo, clear: each key does it, and the next message comes by itself."""
    window = open_window(30)
    window.activateWindow()
    window.table.setFocus()
    window.table.go_to(0)
    numbers = [int(window.model.message_at(row)) for row in range(6)]
    for key in ("j", "j", "k", "!", "n"):
        qtbot.keyClicks(window.table, key)
    assert heard(window, Mark) == [Mark((numbers[1],), "junk"), Mark((numbers[2],), "good")]
    assert window.table.current_message() == numbers[3]
    # At once, before the engine has said that there is something to be taken back.
    qtbot.keyClick(window.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.table.current_message() == numbers[2])
    assert len(heard(window, Undo)) == 1
    qtbot.keyClick(window.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(window.table, "!")
    assert heard(window, Mark)[-1] == Mark((numbers[2], numbers[3]), "junk")
    window.table.go_to_message(numbers[1])
    qtbot.keyClicks(window.table, "u")
    assert heard(window, Mark)[-1] == Mark((numbers[1],), None)
    assert window.table.current_message() == numbers[1]
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


@pytest.mark.parametrize("place", ["empty"], indirect=True)
def test_what_a_newcomer_needs_has_the_keyboard(place, qtbot):
    place.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is place.welcome.button)
