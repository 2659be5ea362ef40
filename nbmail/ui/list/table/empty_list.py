"""Text in place of the rows of an empty list, and a button for another list."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import wrapping_label

MARGIN = 20
SPACING = 4
"""Pixels beside and between text and button."""


class EmptyList:
    """Text and button in the middle of `place`, the viewport of the list."""

    def __init__(self, place: QWidget) -> None:
        self._place = place
        self._label = wrapping_label(kind="muted")
        self._label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = quiet_button("")
        button = (self.button, Qt.AlignmentFlag.AlignHCenter)
        margins = (MARGIN, 0, MARGIN, 0)
        place.setLayout(
            layouts.column(None, self._label, button, None, spacing=SPACING, margins=margins)
        )
        self.show_text("", "")

    def show_text(self, text: str, offer: str) -> None:
        """Show a text; "" hides it. `offer`: text of the button."""
        self._label.setText(text)
        self._label.setVisible(bool(text))
        self.button.setText(offer)
        self.fit()

    def fit(self) -> None:
        """Show the button if there is room for it. The header of the list has it as well."""
        text = self._label.heightForWidth(self._place.width() - 2 * MARGIN)
        height = text + SPACING + self.button.sizeHint().height()
        self.button.setVisible(bool(self.button.text()) and height <= self._place.height())
