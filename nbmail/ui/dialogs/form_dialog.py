"""Dialogs whose contents may be taller than the screen: then they scroll, and the buttons stay in sight."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLayout, QPushButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.sizes import available_size

MARGINS = (24, 22, 24, 18)
SPACING = 14


def answer_buttons(dialog: QDialog, yes: str = "", no: str = "") -> QDialogButtonBox:
    """OK and Cancel, in these words where some are given, connected to the dialog."""
    kinds = QDialogButtonBox.StandardButton
    buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
    for kind, words in ((kinds.Ok, yes), (kinds.Cancel, no)):
        if words:
            buttons.button(kind).setText(words)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


def close_button(dialog: QDialog) -> QDialogButtonBox:
    """The one button of a dialog that asks nothing."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    return buttons


class FormDialog(QDialog):
    """Is as high as its contents need, as far as the screen goes; gone once closed. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.preferred: QPushButton | None = None
        """What Enter presses. Set before the dialog is shown it would take other buttons out of the tab order."""

    def hold(self, contents: QLayout, buttons: QDialogButtonBox, width: int = 0) -> None:
        """Show these contents with the buttons below them, at least `width` pixels wide where the screen is."""
        left, top, right, bottom = MARGINS
        self.buttons = buttons
        self._inside = layouts.as_widget(contents)
        contents.setContentsMargins(left, top, right, 0)
        self._inside.installEventFilter(self)
        self.area = layouts.scroll_area(self._inside, page=False)
        # A form is never lower than its layout asks for.
        self._inside.setMinimumHeight(0)
        below = layouts.column(buttons, margins=(left, 0, right, bottom))
        self.setLayout(layouts.column((self.area, 1), below, spacing=SPACING))
        least, room = contents.minimumSize().width(), available_size(self).width()
        kinds = Qt.ScrollBarPolicy
        self.area.setHorizontalScrollBarPolicy(kinds.ScrollBarAsNeeded if least > room else kinds.ScrollBarAlwaysOff)
        self.setMinimumWidth(min(max(width, least), room))

    def fit(self) -> None:
        """Be as high as what is shown needs. Qt alone forgets that long sentences take several lines."""
        contents, width = self._inside.layout(), max(self.width(), self.minimumWidth())
        if contents is None:
            return
        wanted = contents.totalHeightForWidth(width) if contents.hasHeightForWidth() else contents.sizeHint().height()
        whole = wanted + SPACING + self.buttons.sizeHint().height() + MARGINS[3]
        height = min(whole, available_size(self).height())
        # Left to itself a bar may come to stay: it takes room, and so sentences need more lines.
        bar = Qt.ScrollBarPolicy.ScrollBarAsNeeded if height < whole else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.area.setVerticalScrollBarPolicy(bar)
        self.setMinimumHeight(height)
        self.resize(width, height)

    def show_part(self, part: QWidget) -> None:
        """Bring what is said into view, where not all has room, once it has been laid out."""
        QTimer.singleShot(0, self, lambda: self.area.ensureWidgetVisible(part))

    def showEvent(self, event: QShowEvent) -> None:
        # Not in `event`, which hears too when the dialog is deleted: Python that reaches for what is gone crashes.
        super().showEvent(event)
        self._stack_buttons()
        self.fit()
        if self.preferred is not None:
            self.preferred.setDefault(True)

    def _stack_buttons(self) -> None:
        """Where the screen is too narrow for the buttons beside each other they stand below each other."""
        left, _, right, _ = MARGINS
        needed = self.buttons.sizeHint().width() + left + right
        if needed > available_size(self).width():
            self.buttons.setOrientation(Qt.Orientation.Vertical)
        else:
            self.setMinimumWidth(max(self.minimumWidth(), needed))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)
