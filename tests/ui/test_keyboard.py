"""Everything can be reached with the Tab key, shows that it has been, and has a name that can be read out."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from nbmail.settings import Settings
from nbmail.ui import deeds
from nbmail.ui.moves_dialog import MovesDialog
from nbmail.worker.protocol import FolderName, PlannedMove

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


def narrow_window(open_window, qtbot):
    window = open_window(30, size=(800, 600))
    ticket = window.talk.ask(deeds.Relearn())
    window.status.show_work("Learning anew", 3, 9, lambda: window.talk.cancel(ticket))
    return window


def newcomers_window(open_window, qtbot):
    window = open_window(0, settings=Settings())
    qtbot.waitUntil(window.welcome.isVisible)
    return window


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


PLACES = (main_window, narrow_window, newcomers_window, preferences, keys, moves)


@pytest.mark.parametrize("find", PLACES)
def test_the_tab_key_reaches_everything_and_everything_has_a_name(find, open_window, qtbot):
    place = find(open_window, qtbot)
    wanted = controls(place)
    assert wanted
    visited = walk(place, qtbot)
    assert [each for each in wanted if each not in visited] == []
    for each in wanted:
        assert QAccessible.queryAccessibleInterface(each).text(QAccessible.Text.Name), each
    if place.isModal():
        place.close()


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
