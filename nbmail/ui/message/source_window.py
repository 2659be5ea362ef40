"""All headers of a message and the message as it came, to be searched and copied."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTabWidget, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import plain_label
from nbmail.ui.kit.side_window import SideWindow
from nbmail.ui.message.paragraphs import bearable
from nbmail.ui.window.notices import make_button
from nbmail.worker.protocol.reading import MessageSource


class SourceWindow(SideWindow):
    """Two pages of text and a field to find something in them. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, source: MessageSource) -> None:
        subject = next((value for name, value in source.headers if name == "subject"), "")
        shown = " ".join(subject.split())[:80] or tr("(no subject)")
        super().__init__(parent, tr("Source: {subject}").format(subject=shown), 760, 560)
        headers = "\n".join(f"{name.capitalize()}: {value}" for name, value in source.headers)
        self._texts, self.tabs = (headers, source.text), QTabWidget()
        for name, text in zip((tr("All headers"), tr("As it came")), self._texts, strict=True):
            self.tabs.addTab(_page(text, name), name)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find in this window"))
        self.field.setAccessibleName(tr("Find in this window"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda: self.find_next(from_start=True))
        self.field.returnPressed.connect(self.find_next)
        self.said = plain_label("", "muted")
        part = plain_label("" if source.whole else tr("Only the first part of this large message is here."), "muted")
        line = layouts.row((self.field, 1), self.said, make_button(tr("Copy all"), self.copy_all), spacing=8)
        self.setLayout(layouts.column(line, (self.tabs, 1), part, spacing=8, margins=(12, 12, 12, 12)))
        part.setVisible(not source.whole)
        for keys, act in (("Ctrl+F", self.field.setFocus), ("F3", self.find_next)):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    @property
    def page(self) -> QPlainTextEdit:
        page = self.tabs.currentWidget()
        assert isinstance(page, QPlainTextEdit)
        return page

    def find_next(self, *, from_start: bool = False) -> None:
        """Select the next place of what stands in the field, from the start again behind the last."""
        page, wanted = self.page, self.field.text()
        if from_start:
            page.moveCursor(QTextCursor.MoveOperation.Start)
        found = bool(wanted) and page.find(wanted)
        if wanted and not found:
            page.moveCursor(QTextCursor.MoveOperation.Start)
            found = page.find(wanted)
        self.said.setText(tr("Not found.") if wanted and not found else "")

    def copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._texts[self.tabs.currentIndex()])
        self.said.setText(tr("Copied."))


def _page(text: str, name: str) -> QPlainTextEdit:
    page = QPlainTextEdit()
    page.setReadOnly(True)
    page.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(page.font().pointSizeF())
    page.setFont(font)
    page.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
    page.setAccessibleName(name)
    page.setPlainText(bearable(text))
    return page
