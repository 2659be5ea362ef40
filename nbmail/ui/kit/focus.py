"""Announcements for screen readers, and the keyboard focus of parts that are hidden."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

MAIL_TABLE = "messages"
"""Name of the list of messages among the widgets."""


def announce(widget: QWidget, text: str) -> None:
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def release_focus(part: QWidget) -> None:
    """Give the focus of a part that is about to be hidden to the list. Qt would choose a button of
    the tool bar.
    """
    window = part.window()
    table = window.findChild(QWidget, MAIL_TABLE)
    if isinstance(table, QWidget) and part.isAncestorOf(window.focusWidget() or window):
        table.setFocus()
