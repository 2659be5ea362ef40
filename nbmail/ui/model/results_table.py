"""Table of marked messages by mark and verdict."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from nbmail.ui.kit.labels import plain_label
from nbmail.ui.kit.theme import set_style
from nbmail.ui.texts.language import format_count, tr
from nbmail.worker.protocol.quality import Accuracy


class ResultsTable(QWidget):
    """Number of messages by mark and verdict."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        verdicts = (tr("verdict spam"), tr("unsure"), tr("verdict not spam"))
        for column, verdict in enumerate(verdicts, 1):
            grid.addWidget(plain_label(verdict, "muted"), 0, column, Qt.AlignmentFlag.AlignCenter)
            grid.setColumnStretch(column, 1)
        self.cells: list[QLabel] = []
        for row, kind in enumerate((tr("spam"), tr("good mail")), 1):
            grid.addWidget(plain_label(kind), row, 0)
            for column, verdict in enumerate(verdicts, 1):
                cell = plain_label("", "title")
                cell.setAlignment(Qt.AlignmentFlag.AlignCenter)
                cell.setMargin(8)
                cell.setToolTip(f"{kind}, {verdict}")
                grid.addWidget(cell, row, column)
                self.cells.append(cell)

    def show_counts(self, accuracy: Accuracy) -> None:
        """Show the counts. The color separates correct verdicts from wrong ones."""
        styles = ("ham", "unsure", "spam", "spam", "unsure", "ham")
        for cell, count, style in zip(
            self.cells, (*accuracy.spam, *accuracy.ham), styles, strict=True
        ):
            cell.setText(format_count(count))
            cell.setAccessibleName(f"{cell.toolTip()}: {format_count(count)}")
            set_style(cell, "cell", style if count else "empty")
