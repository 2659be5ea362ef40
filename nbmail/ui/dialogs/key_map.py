"""Which key does what."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from nbmail.ui.dialogs.form_dialog import FormDialog, close_button
from nbmail.ui.kit.language import key_text, tr
from nbmail.ui.kit.plain_text import plain_label
from nbmail.ui.list.list_choice import Kind


def key_lines(actions: Sequence[QAction]) -> list[tuple[str, str]]:
    """Each action that has a key: its name and its keys."""
    native = QKeySequence.SequenceFormat.NativeText
    lines = [
        (action.text().rstrip("…"), "  ".join(key.toString(native) for key in action.shortcuts()))
        for action in actions
        if action.shortcuts() and not action.objectName().startswith("list-")
    ]
    return [
        *lines,
        (tr("Smart lists"), f"{key_text('Ctrl+1')} … {key_text(f'Ctrl+{len(Kind)}')}"),
        (tr("Extend the selection"), f"{key_text('Shift+Up')}  {key_text('Shift+Down')}"),
        (tr("Leave the search field"), tr("Enter")),
        (tr("Clear the search"), tr("Esc")),
    ]


class KeyMapDialog(FormDialog):
    """The map of keys. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, actions: Sequence[QAction]) -> None:
        super().__init__(parent, tr("Keys"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(8)
        for row, (name, keys) in enumerate(key_lines(actions)):
            key = plain_label(keys, "title")
            key.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(key, row, 0)
            grid.addWidget(plain_label(name), row, 1)
        grid.setColumnStretch(1, 1)
        self.hold(grid, close_button(self))
