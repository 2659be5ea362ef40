"""Table of folder against folder: where messages were filed, and what was suggested first."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem

from nbmail.ui.kit.table_style import style_table
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import visible
from nbmail.worker.protocol.folders import FolderReport

MOST_FOLDERS = 40
"""Shown folders, those with the most messages."""
LONGEST = 60
"""Characters of a folder's name that are shown."""


class FolderMatrix(QTableWidget):
    """Counts of filed messages by folder and first suggestion. Correct suggestions are bold."""

    def __init__(self) -> None:
        super().__init__()
        style_table(self)
        self.setAccessibleName(tr("Folder against folder"))

    def show_report(self, report: FolderReport) -> None:
        shown = _largest(report)
        names = [visible(report.folders[place].name, LONGEST) for place in shown]
        self.setRowCount(len(shown))
        self.setColumnCount(len(shown) + 1)
        self.setHorizontalHeaderLabels([tr("Filed in"), *names])
        for row, filed in enumerate(shown):
            self.setItem(row, 0, QTableWidgetItem(names[row]))
            for column, suggested in enumerate(shown):
                item = _count_item(report.table[filed][suggested], is_right=filed == suggested)
                item.setToolTip(_tip(names[row], names[column], report.table[filed][suggested]))
                self.setItem(row, column + 1, item)
        self.resizeColumnsToContents()


def _largest(report: FolderReport) -> list[int]:
    """Return the positions of the largest folders, in their order in the report."""
    places = range(len(report.folders))
    ranked = sorted(places, key=lambda place: -report.folders[place].messages)
    return sorted(ranked[:MOST_FOLDERS])


def _count_item(count: int, *, is_right: bool) -> QTableWidgetItem:
    item = QTableWidgetItem(format_count(count) if count else "")
    item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
    font = item.font()
    font.setBold(is_right)
    item.setFont(font)
    return item


def _tip(filed: str, suggested: str, count: int) -> str:
    text = tr("Filed in {folder}, suggested {other}: {count}")
    return text.format(folder=filed, other=suggested, count=format_count(count))
