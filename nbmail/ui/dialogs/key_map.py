"""Which key does what."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from nbmail.ui.dialogs.form_dialog import MARGINS, FormDialog, close_button
from nbmail.ui.kit.language import tr, written
from nbmail.ui.kit.letter_sizes import room_for, widest
from nbmail.ui.kit.plain_text import plain_label
from nbmail.ui.list.list_choice import Kind

GAP, BETWEEN = 18, 24
"""Pixels between keys and their names, and more of them between two columns of both."""


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
        (tr("Smart lists"), f"{written('Ctrl+1')} … {written(f'Ctrl+{len(Kind)}')}"),
        (tr("Extend the selection"), f"{written('Shift+Up')}  {written('Shift+Down')}"),
        (tr("Leave the search field"), tr("Enter")),
        (tr("Clear the search"), tr("Esc")),
    ]


class KeyMapDialog(FormDialog):
    """The map of keys. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, actions: Sequence[QAction]) -> None:
        super().__init__(parent, tr("Keys"))
        lines = key_lines(actions)
        columns = 2 if self._width_of_two(lines) <= room_for(self).width() else 1
        self.hold(self._make_grid(lines, columns), close_button(self))

    def _width_of_two(self, lines: list[tuple[str, str]]) -> int:
        half = -(-len(lines) // 2)
        bold = QFont(self.font())
        bold.setBold(True)
        texts = [
            widest(QFontMetrics(bold), (keys for _, keys in part))
            + widest(self.fontMetrics(), (name for name, _ in part))
            for part in (lines[:half], lines[half:])
        ]
        return sum(texts) + 4 * GAP + BETWEEN + MARGINS[0] + MARGINS[2]

    def _make_grid(self, lines: list[tuple[str, str]], columns: int) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(8)
        length = -(-len(lines) // columns)
        for number, (name, keys) in enumerate(lines):
            row, column = number % length, 3 * (number // length)
            key = plain_label(keys, "title")
            key.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(key, row, column)
            grid.addWidget(plain_label(name), row, column + 1)
            grid.setColumnStretch(column + 1, 1)
        if columns > 1:
            grid.setColumnMinimumWidth(2, BETWEEN)
        return grid
