"""Base classes of dialogs."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLayout, QPushButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.sizes import available_size, resize_to_screen

T = TypeVar("T")
MARGINS = (24, 22, 24, 18)
SPACING = 14


class BriefDialog(QDialog):
    """Dialog that is deleted when closed.

    `is_closed`: its widgets may be deleted, so that late results are dropped.
    """

    is_closed = False

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def while_open(self, act: Callable[[T], object]) -> Callable[[T], None]:
        """Return a callback that calls `act` until the dialog is closed."""

        def call(result: T) -> None:
            if not self.is_closed:
                act(result)

        return call

    def done(self, result: int) -> None:
        self.is_closed = True
        super().done(result)


class ScrollDialog(BriefDialog):
    """Modal dialog. Contents larger than the screen scroll. Subclasses call `set_contents`."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent, title)
        self.default_button: QPushButton | None = None
        """Activated by Enter.

        Becoming the default before the dialog is shown would change the tab order.
        """

    def set_contents(self, contents: QLayout, buttons: QDialogButtonBox, width: int = 0) -> None:
        """Set the contents and buttons. `width`: minimum in pixels if the screen allows it."""
        left, top, right, bottom = MARGINS
        self.buttons = buttons
        self._width = width

        contents.setContentsMargins(left, top, right, 0)
        self._content = layouts.as_widget(contents)
        self._content.installEventFilter(self)
        self.area = layouts.scroll_area(self._content, page=False)
        # Never lower than its layout requires.
        self._content.setMinimumHeight(0)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

        below = layouts.column(buttons, margins=(left, 0, right, bottom))
        self.setLayout(layouts.column((self.area, 1), below, spacing=SPACING))

    def ensure_visible(self, part: QWidget) -> None:
        QTimer.singleShot(0, self, lambda: self.area.ensureWidgetVisible(part))

    def _fit(self) -> None:
        """Grow to the size of the contents, at most to the size of the screen."""
        # With room for a scroll bar that isn't needed, Qt never has to choose between a bar and
        # fewer lines.
        bar = self.area.verticalScrollBar().sizeHint().width()
        room = available_size(self)
        least = self._content.minimumSizeHint().width() + bar
        wanted_width = max(self.width(), self._width, least, self._width_of_buttons())
        width = min(wanted_width, room.width())

        height = self._content.heightForWidth(width - bar)
        if height < 0:
            height = self._content.sizeHint().height()
        height += SPACING + self.buttons.sizeHint().height() + MARGINS[3]
        wanted = QSize(width, height)
        self.resize(self.size().expandedTo(wanted).boundedTo(room))

    def _width_of_buttons(self) -> int:
        left, _, right, _ = MARGINS
        return left + self.buttons.sizeHint().width() + right

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._width_of_buttons() > available_size(self).width():
            self.buttons.setOrientation(Qt.Orientation.Vertical)
        self._fit()
        if self.default_button is not None:
            self.default_button.setDefault(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)


class SideWindow(BriefDialog):
    """Window next to the main window."""

    def __init__(self, parent: QWidget, title: str, width: int, height: int) -> None:
        super().__init__(parent, title)
        resize_to_screen(self, width, height)


def answer_buttons(dialog: QDialog, yes: str = "", no: str = "") -> QDialogButtonBox:
    """Return OK and Cancel, connected to the dialog. `yes` and `no` replace their texts."""
    kinds = QDialogButtonBox.StandardButton
    buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
    if yes:
        buttons.button(kinds.Ok).setText(yes)
    if no:
        buttons.button(kinds.Cancel).setText(no)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


def close_button(dialog: QDialog) -> QDialogButtonBox:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    return buttons
