"""Window with the manual: a list of pages beside the page that is read."""

from typing import NamedTuple

from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QListWidget,
    QMessageBox,
    QTextBrowser,
    QWidget,
)

from nbmail.paths import resources
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr

LIST_WIDTH = 220


class ManualPage(NamedTuple):
    """Page of the manual. `name`: the same in all languages."""

    name: str
    title: str
    text: str


def manual_pages() -> list[ManualPage]:
    """Return all pages in the language of the window, in the order of their numbers."""
    pages: dict[int, ManualPage] = {}
    for path in (resources() / "manual" / tr("en")).glob("*.md"):
        number, _, name = path.stem.partition("-")
        text = path.read_text(encoding="utf-8")
        title = text.partition("\n")[0].removeprefix("# ")
        pages[int(number)] = ManualPage(name, title, text)
    return [pages[number] for number in sorted(pages)]


def add_manual_button(box: QMessageBox, page: str) -> QAbstractButton:
    """Add a button that shows a page over a message box, which stays open."""
    button = box.addButton(tr("Manual"), QMessageBox.ButtonRole.HelpRole)
    button.clicked.disconnect()
    button.clicked.connect(lambda: ManualWindow(box, page).show())
    return button


class ManualWindow(SideWindow):
    """Shows one page at a time, first the one named `page`. Has no signals."""

    def __init__(self, parent: QWidget, page: str = "") -> None:
        super().__init__(parent, tr("Manual"), 900, 640)
        self._pages = manual_pages()
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Pages"))
        self.list.setMaximumWidth(scaled(self, LIST_WIDTH))
        self.list.setWordWrap(True)
        self.list.addItems([each.title for each in self._pages])
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(scaled(self, 16))
        self.text.setAccessibleName(tr("Manual"))

        row = QHBoxLayout(self)
        row.addWidget(self.list)
        row.addWidget(self.text, 1)
        self.list.currentRowChanged.connect(self._show_page)
        names = [each.name for each in self._pages]
        self.list.setCurrentRow(names.index(page) if page in names else 0)

    def _show_page(self, row: int) -> None:
        self.text.setMarkdown(self._pages[row].text)
