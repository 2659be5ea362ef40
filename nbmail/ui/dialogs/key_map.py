"""List of all keys."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from nbmail.ui.kit.dialogs import ScrollDialog, close_button
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.texts.language import key_text, tr

BETWEEN = "  "
"""Separator of the keys of one action."""


def key_rows(actions: Sequence[QAction]) -> list[tuple[str, str]]:
    """Return the name and the keys of each action that has some."""
    native = QKeySequence.SequenceFormat.NativeText
    rows = []
    for action in actions:
        keys = [key.toString(native) for key in action.shortcuts()]
        is_list = action.objectName().startswith("list-")
        if keys and not is_list:
            rows.append((action.iconText().rstrip("…"), BETWEEN.join(keys)))

    lists = f"{key_text('Ctrl+1')} … {key_text(f'Ctrl+{len(Kind)}')}"
    extend = BETWEEN.join((key_text("Shift+Up"), key_text("Shift+Down")))
    return [
        *rows,
        (tr("Smart lists"), lists),
        (tr("Extend selection"), extend),
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
