"""Which key does what."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from nbmail.ui.choice import Kind
from nbmail.ui.language import tr
from nbmail.ui.plain import plain_label


def key_lines(actions: dict[str, QAction]) -> list[tuple[str, str]]:
    """Each action that has a key: its name and its keys."""
    native = QKeySequence.SequenceFormat.NativeText
    lines = [
        (action.text().rstrip("…"), "  ".join(key.toString(native) for key in action.shortcuts()))
        for name, action in actions.items()
        if action.shortcuts() and not name.startswith("list-")
    ]
    return [
        *lines,
        (tr("Smart lists"), f"Ctrl+1 … Ctrl+{len(Kind)}"),
        (tr("Extend the selection"), "Shift+↑  Shift+↓"),
        (tr("Leave the search field"), tr("Enter")),
        (tr("Clear the search"), tr("Esc")),
    ]


class KeyMapDialog(QDialog):
    """The map of keys. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, actions: dict[str, QAction]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keys"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(8)
        lines = key_lines(actions)
        half = (len(lines) + 1) // 2
        for number, (name, keys) in enumerate(lines):
            row, column = number % half, 3 * (number // half)
            key = plain_label(keys)
            key.setProperty("title", True)
            key.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(key, row, column)
            grid.addWidget(plain_label(name), row, column + 1)
        grid.setColumnMinimumWidth(2, 24)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(26, 22, 26, 18)
        whole.setSpacing(18)
        whole.addLayout(grid)
        whole.addWidget(buttons)
