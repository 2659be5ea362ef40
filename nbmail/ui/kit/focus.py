"""Keyboard focus of parts that are hidden."""

from PySide6.QtWidgets import QWidget

MAIL_TABLE = "messages"
"""Name of the list of messages among the widgets."""


def release_focus(part: QWidget) -> None:
    """Give the focus of a part that is about to be hidden to the list.

    Qt would choose a button of the tool bar.
    """
    window = part.window()
    table = window.findChild(QWidget, MAIL_TABLE)
    has_focus = part.isAncestorOf(window.focusWidget() or window)
    if isinstance(table, QWidget) and has_focus:
        table.setFocus()
