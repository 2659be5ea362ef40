"""What screen readers say."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QComboBox, QWidget


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say a text that has changed."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def name_combo(choice: QComboBox, name: str) -> None:
    """Set the accessible name of a combo box.

    On Linux its name is its current text, so the description has the name as well.
    """
    choice.setAccessibleName(name)
    choice.setAccessibleDescription(name)
