"""A window beside the mailbox."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from nbmail.ui.kit.sizes import resize_to_screen


class SideWindow(QDialog):
    """Stays open while one goes on in the mailbox, and is gone once it is closed. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, title: str, width: int, height: int) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        resize_to_screen(self, width, height)
