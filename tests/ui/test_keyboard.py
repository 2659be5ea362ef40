"""Every control is reached with the Tab key, shows its focus, and has an accessible name."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QMenu, QWidget

from tests.ui.helpers import place_of, put_away
from tests.ui.pictures import SCENES
from tests.ui.real import settle

MOST_STEPS = 60


def controls(place):
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


def press_tab(place, qtbot):
    """Return the controls that the Tab key reaches, in their order."""
    place.activateWindow()
    qtbot.waitUntil(
        lambda: (
            place.isActiveWindow() and place.focusWidget() is QApplication.focusWidget() is not None
        )
    )
    visited = []
    for _ in range(MOST_STEPS):
        visited.append(QApplication.focusWidget())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    return visited


@pytest.fixture
def place(request):
    """The top window of a scene: a dialog, or the main window."""
    window = SCENES[request.param]()
    yield place_of(window)
    put_away(window)


PLACES = (
    *(
        "light",
        "why_all",
        "everything_at_once",
        "training_over",
        "empty",
        "triage",
        "triage_end",
        "mail_files",
    ),
    *(
        "why_word",
        "why_moved",
        "reading_source",
        "misjudged",
        "password",
        "preferences",
        "keys",
        "moves",
    ),
    *(
        "account_dialog",
        "account_change",
        "folders",
        "model_import",
        "model_accuracy",
        "model_words",
        "model_compared",
    ),
    *("model_keeping", "history", "history_doubts", "history_sender", "model_folders"),
    *("sorting_window", "sorting_rehearsal", "sorted_mail", "message_menu"),
)
ROLE = QAccessible.Role
SPOKEN = {
    *(
        ROLE.Button,
        ROLE.CheckBox,
        ROLE.RadioButton,
        ROLE.ComboBox,
        ROLE.EditableText,
        ROLE.SpinBox,
        ROLE.Slider,
    ),
    *(
        ROLE.Table,
        ROLE.List,
        ROLE.Tree,
        ROLE.ButtonMenu,
        ROLE.MenuItem,
        ROLE.ProgressBar,
        ROLE.Dialog,
        ROLE.Window,
    ),
}
"""Roles of parts that a screen reader stops at."""
FLAT = {ROLE.Table, ROLE.List, ROLE.Tree, ROLE.ComboBox}
"""Roles whose parts are cells and entries."""


def spoken(part, path=""):
    """Yield role, name and path of the visible accessible parts, without table cells."""
    state = part.state()
    if state.invisible:
        return
    role = part.role()
    name = part.text(QAccessible.Text.Name)
    path = f"{path}/{type(part.object()).__name__}"
    yield role, name, path
    if role not in FLAT:
        for number in range(part.childCount()):
            if child := part.child(number):
                yield from spoken(child, path)


def check_reached(place, qtbot):
    """Check that keyboard and screen readers reach all controls, and Escape closes a dialog."""
    parts = list(spoken(QAccessible.queryAccessibleInterface(place)))
    assert len(parts) > 2
    assert [path for role, _, path in parts if role == ROLE.NoRole] == []
    assert [(role.name, path) for role, name, path in parts if role in SPOKEN and not name] == []
    if isinstance(place, QMenu):
        return
    wanted = controls(place)
    assert wanted
    visited = press_tab(place, qtbot)
    assert visited[0] in wanted, "the first focus is on a control"
    assert [each for each in wanted if each not in visited] == []
    for each in wanted:
        accessible = QAccessible.queryAccessibleInterface(each)
        assert accessible.text(QAccessible.Text.Name), each
        # On Linux the name of a combo box is its current entry. Its purpose is in its label or its
        # description.
        assert (
            not isinstance(each, QComboBox)
            or each.accessibleDescription()
            or accessible.relations()
        ), each
    if isinstance(place, QDialog):
        closed = QSignalSpy(place.finished)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        assert closed.count() == 1


@pytest.mark.parametrize("place", ["account_dialog"], indirect=True)
def test_a_missing_entry_is_named_and_gets_focus(place):
    form = place.form
    for field, text in (
        (form.server, "imap.example"),
        (form.user, "anna"),
        (form.password, "secret"),
    ):
        place.accept()
        assert place.problem.isVisible()
        assert form.focusWidget() is field
        field.setText(text)
    assert form.port.accessibleName() == "Port"


def test_the_list_needs_no_mouse(mailbox, qtbot):
    """Down, spam, not spam, undo, clear, why, search: each has a key."""
    window = mailbox.window
    marks = partial(window.engine.requests, "mark")
    window.activateWindow()
    window.table.setFocus()
    qtbot.waitUntil(window.table.hasFocus)
    numbers = [int(window.model.message_at(row)) for row in range(6)]
    for key in ("j", "j", "k", "!", "n"):
        qtbot.keyClicks(window.table, key)
    assert marks() == [[(numbers[1],), "spam"], [(numbers[2],), "ham"]]
    assert window.table.current_message() == numbers[3]
    # Possible before the engine has confirmed the mark.
    qtbot.keyClick(window.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(mailbox)
    assert window.table.current_message() == numbers[2]
    qtbot.keyClick(window.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(window.table, "!")
    assert marks()[-1] == [(numbers[2], numbers[3]), "spam"]
    window.table.go_to_message(numbers[1])
    qtbot.keyClicks(window.table, "u")
    assert marks()[-1] == [(numbers[1],), None]
    assert window.table.current_message() == numbers[1]
    settle(mailbox)
    for key, reached in (("e", window.evidence.table), ("/", window.search)):
        qtbot.keyClicks(QApplication.focusWidget(), key)
        assert reached.hasFocus()
    qtbot.keyClick(window.search, Qt.Key.Key_Escape)
    assert window.table.hasFocus()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_focus_is_visible(theme, open_mailbox, qtbot):
    window = open_mailbox(theme=theme).window
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
def test_the_first_button_of_the_welcome_page_has_focus(place, qtbot):
    place.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is place.welcome.button)
