"""List of all keys."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from nbmail.ui.kit.dialogs import ScrollDialog, close_button
from nbmail.ui.kit.labels import plain_label
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.texts.language import key_text, tr


def key_rows(actions: Sequence[QAction]) -> list[tuple[str, str]]:
    native = QKeySequence.SequenceFormat.NativeText
    rows = [
        (
            action.iconText().rstrip("…"),
            "  ".join(key.toString(native) for key in action.shortcuts()),
        )
        for action in actions
        if action.shortcuts() and not action.objectName().startswith("list-")
    ]
    return [
        *rows,
        (tr("Smart lists"), f"{key_text('Ctrl+1')} … {key_text(f'Ctrl+{len(Kind)}')}"),
        (tr("Extend selection"), f"{key_text('Shift+Up')}  {key_text('Shift+Down')}"),
        (tr("Leave search field"), tr("Enter")),
        (tr("Clear search"), tr("Esc")),
    ]


class KeyMapDialog(ScrollDialog):
    """List of all keys."""

    def __init__(self, parent: QWidget, actions: Sequence[QAction]) -> None:
        super().__init__(parent, tr("Keyboard shortcuts"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(8)
        for row, (name, keys) in enumerate(key_rows(actions)):
            key = plain_label(keys, "title")
            key.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(key, row, 0)
            grid.addWidget(plain_label(name), row, 1)
        grid.setColumnStretch(1, 1)
        self.set_contents(grid, close_button(self))
