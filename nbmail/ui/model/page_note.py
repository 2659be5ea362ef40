"""Sentence that a page shows instead of its content."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QProgressBar,
    QWidget,
)

from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.texts.language import tr


class PageNote(QWidget):
    """Sentence shown instead of the content, with a progress bar and a button."""

    def __init__(self) -> None:
        super().__init__()
        self.text = wrapping_label(kind="muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(220)
        self.bar.setAccessibleName(tr("Progress"))
        self._act: Callable[[], None] = lambda: None
        self.button = make_button("", self._click)
        middle = Qt.AlignmentFlag.AlignHCenter
        parts = (None, self.text, (self.bar, middle), (self.button, middle), None)
        self.setLayout(layouts.column(*parts, spacing=14, margins=(40, 20, 40, 20)))

    def show_text(
        self, text: str, button: str = "", act: Callable[[], None] = lambda: None
    ) -> None:
        """Show a sentence, and a button with this text that calls `act`."""
        self.text.setText(text)
        self.bar.hide()
        self._act = act
        self.button.setText(button)
        self.button.setVisible(bool(button))
        announce(self, text)

    def _click(self) -> None:
        self._act()

    def show_work(self, text: str, cancel: Callable[[], None]) -> None:
        self.show_text(text, tr("Cancel"), cancel)
        self.bar.setRange(0, 0)
        self.bar.show()
