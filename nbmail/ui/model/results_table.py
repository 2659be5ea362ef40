"""Table of marked messages by mark and verdict."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.kit.theme import set_style
from nbmail.ui.texts.language import format_count, tr
from nbmail.worker.protocol.quality import Accuracy

SPAM_STYLES = ("ham", "unsure", "spam")
HAM_STYLES = ("spam", "unsure", "ham")
"""Styles of the cells of a row: the color separates correct verdicts from wrong ones."""


class ResultsTable(QWidget):
    """Number of messages by mark, in rows, and verdict, in columns."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(4)
        verdicts = (tr("verdict spam"), tr("unsure"), tr("verdict not spam"))
        for column, verdict in enumerate(verdicts, 1):
            heading = plain_label(verdict, "muted")
            self._grid.addWidget(heading, 0, column, Qt.AlignmentFlag.AlignCenter)
            self._grid.setColumnStretch(column, 1)
        self.spam = self._add_row(1, tr("spam"), verdicts)
        self.ham = self._add_row(2, tr("good mail"), verdicts)

    def _add_row(self, row: int, mark: str, verdicts: tuple[str, ...]) -> list[QLabel]:
        self._grid.addWidget(plain_label(mark), row, 0)
        cells = []
        for column, verdict in enumerate(verdicts, 1):
            cell = plain_label("", "title")
            cell.setAlignment(Qt.AlignmentFlag.AlignCenter)
            cell.setMargin(8)
            cell.setToolTip(f"{mark}, {verdict}")
            self._grid.addWidget(cell, row, column)
            cells.append(cell)
        return cells

    def show_counts(self, accuracy: Accuracy) -> None:
        for cell, count, style in zip(self.spam, accuracy.spam, SPAM_STYLES, strict=True):
            _show_count(cell, count, style)
        for cell, count, style in zip(self.ham, accuracy.ham, HAM_STYLES, strict=True):
            _show_count(cell, count, style)


def _show_count(cell: QLabel, count: int, style: str) -> None:
    text = format_count(count)
    cell.setText(text)
    cell.setAccessibleName(f"{cell.toolTip()}: {text}")
    set_style(cell, "cell", style if count else "empty")
