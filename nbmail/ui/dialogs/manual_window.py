"""Window with the manual: a list of pages beside the page that is read."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QTextBrowser, QWidget

from nbmail.paths import resources
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import scaled

WIDTH, HEIGHT = 900, 640
LIST_WIDTH = 220


def manual_pages() -> list[tuple[str, str]]:
    """Return title and Markdown text of each page, in the language of the window."""
    folder = resources() / "manual" / tr("en")
    return [_page(path) for path in sorted(folder.glob("*.md"))]


def _page(path: Path) -> tuple[str, str]:
    text = path.read_text(encoding="utf-8")
    return text.partition("\n")[0].removeprefix("# "), text


class ManualWindow(SideWindow):
    """Shows one page at a time. Has no signals."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Manual"), WIDTH, HEIGHT)
        self._pages = manual_pages()
        self.list, self.text = QListWidget(), QTextBrowser()
        self.list.setAccessibleName(tr("Pages"))
        self.list.setMaximumWidth(scaled(self, LIST_WIDTH))
        self.list.setWordWrap(True)
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(scaled(self, 16))
        self.text.setAccessibleName(tr("Manual"))
        for number, (title, _) in enumerate(self._pages):
            item = QListWidgetItem(title, self.list)
            item.setData(Qt.ItemDataRole.UserRole, number)
        row = QHBoxLayout(self)
        row.addWidget(self.list)
        row.addWidget(self.text, 1)
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        self.text.setMarkdown(self._pages[row][1])
