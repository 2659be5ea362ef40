"""Window with the source of a message."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTabWidget, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.page.long_lines import break_long_lines
from nbmail.ui.texts.language import tr
from nbmail.worker.protocol.messages import MessageSource

LONGEST_SUBJECT = 80


class SourceWindow(SideWindow):
    """All headers of a message, its raw text, and a search field."""

    def __init__(self, parent: QWidget, source: MessageSource) -> None:
        title = tr("Source: {subject}").format(subject=_subject(source))
        super().__init__(parent, title, 760, 560)
        headers = "\n".join(f"{name.capitalize()}: {value}" for name, value in source.headers)
        self._texts = {tr("All headers"): headers, tr("Source"): source.text}
        self._pages = [_text_page(text, name) for name, text in self._texts.items()]
        self.tabs = QTabWidget()
        for page in self._pages:
            self.tabs.addTab(page, page.accessibleName())
        self.field = self._make_field()
        self.status = plain_label("", "muted")
        copy = make_button(tr("Copy all"), self.copy_all)
        part = plain_label("", "muted")
        part.setVisible(not source.whole)
        if not source.whole:
            part.setText(tr("Only the first part of this large message is loaded."))

        line = layouts.row((self.field, 1), self.status, copy, spacing=8)
        margins = (12, 12, 12, 12)
        self.setLayout(layouts.column(line, (self.tabs, 1), part, spacing=8, margins=margins))

        QShortcut(QKeySequence("Ctrl+F"), self).activated.connect(self.field.setFocus)
        QShortcut(QKeySequence("F3"), self).activated.connect(self.find_next)

    def _make_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(tr("Find in this window"))
        field.setAccessibleName(tr("Find in this window"))
        field.setClearButtonEnabled(True)
        field.textChanged.connect(self._find_first)
        field.returnPressed.connect(self.find_next)
        return field

    @property
    def page(self) -> QPlainTextEdit:
        return self._pages[self.tabs.currentIndex()]

    def _find_first(self) -> None:
        self.page.moveCursor(QTextCursor.MoveOperation.Start)
        self.find_next()

    def find_next(self) -> None:
        """Select the next match, after the last one again the first."""
        page = self.page
        wanted = self.field.text()
        if not wanted:
            self.status.setText("")
            return
        found = page.find(wanted)
        if not found:
            page.moveCursor(QTextCursor.MoveOperation.Start)
            found = page.find(wanted)
        self.status.setText("" if found else tr("Not found."))

    def copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._texts[self.page.accessibleName()])
        self.status.setText(tr("Copied to the clipboard."))


def _subject(source: MessageSource) -> str:
    for name, value in source.headers:
        if name == "subject":
            return " ".join(value.split())[:LONGEST_SUBJECT] or tr("(no subject)")
    return tr("(no subject)")


def _text_page(text: str, name: str) -> QPlainTextEdit:
    page = QPlainTextEdit()
    page.setReadOnly(True)
    flags = Qt.TextInteractionFlag
    page.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(page.font().pointSizeF())
    page.setFont(font)
    page.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
    page.setAccessibleName(name)
    page.setPlainText(break_long_lines(text))
    return page
