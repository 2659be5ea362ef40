"""Buttons below the message in triage."""

from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFont, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr

KEY_SIZE = 22
LARGE_WIDTH = 150
ROOMY = "{words}   {key}"
"""Text of a button with room for its key."""


class FootButton(NamedTuple):
    """Button with its action, its words, and the sign that replaces them; large ones have none."""

    button: QAbstractButton
    words: str
    sign: str
    action: QAction

    @property
    def is_large(self) -> bool:
        return not self.sign

    def show_text(self, pattern: str) -> None:
        key = self.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.button.setText(pattern.format(words=self.words, sign=self.sign, key=key))


class TriageFoot(QWidget):
    """Two large buttons with their keys, and three small ones.

    Each button triggers an action of the window.
    """

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._actions = actions
        self._buttons: list[FootButton] = []
        self.spam = self._large("spam")
        self.ham = self._large("ham")
        back = self._small("previous", tr("Previous"), "‹")
        skip = self._small("next", tr("Skip"), "›")
        self.undo = self._small("undo", tr("Undo"), "↶")
        self._row = layouts.row(None, back, self.spam, self.ham, skip, None, self.undo)
        self._row.setContentsMargins(16, 10, 16, 10)
        self.setLayout(self._row)
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the small buttons of a narrow window without keys, then without texts."""
        for pattern in (ROOMY, "{words}", "{sign} {key}", "{sign}"):
            roomy = pattern == ROOMY
            self._row.setSpacing(12 if roomy else 2)
            for each in self._buttons:
                if each.is_large:
                    each.show_text(ROOMY)
                    each.button.setMinimumWidth(scaled(self, LARGE_WIDTH) if roomy else 0)
                else:
                    each.show_text(pattern)
            if self._row.minimumSize().width() <= self.width():
                return

    def _large(self, name: str) -> QToolButton:
        action = self._actions[name]
        button = QToolButton()
        button.setIcon(action.icon())
        action.changed.connect(lambda: button.setIcon(action.icon()))
        button.setProperty("mark", name)
        button.setProperty("large", True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(KEY_SIZE, KEY_SIZE))
        button.setMinimumHeight(scaled(self, 44))
        font = QFont(button.font())
        font.setWeight(QFont.Weight.DemiBold)
        button.setFont(font)
        self._add(button, action, action.text(), "", action.toolTip())
        return button

    def _small(self, name: str, words: str, sign: str) -> QWidget:
        button = quiet_button(words)
        action = self._actions[name]
        self._add(button, action, words, sign, words)
        button.setEnabled(action.isEnabled())
        return button

    def _add(
        self, button: QAbstractButton, action: QAction, words: str, sign: str, tip: str
    ) -> None:
        self._buttons.append(FootButton(button, words, sign, action))
        button.setAccessibleName(words)
        button.setToolTip(tip)
        button.clicked.connect(action.trigger)
        action.enabledChanged.connect(button.setEnabled)
