"""Window for mail in files, each message with its score, text and reasons, of which nothing is
stored; and printing.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QFont,
    QKeySequence,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QWidget

from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.drawing import make_icon
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_name
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.services import FoundMail
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.messages import ScoredMail
from nbmail.worker.protocol.ticket import Failed


def print_message(pane: MessagePane) -> None:
    if pane.shown_message is not None:
        printer = QPrinter()
        dialog = QPrintDialog(printer, pane)
        # Not `accepted`, which has two signatures that PySide mixes up.
        dialog.finished.connect(
            lambda result: printed_document(pane).print_(printer) if result else None
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.show()


def printed_document(pane: MessagePane) -> QTextDocument:
    """Return headers and text of the open message, dark on white."""
    document = QTextDocument()
    cursor = QTextCursor(document)
    heading = QTextCharFormat()
    heading.setFontWeight(QFont.Weight.Bold)
    for line in pane.header_lines():
        cursor.insertText(line, heading)
        cursor.insertBlock()
        heading = QTextCharFormat()
    cursor.insertBlock()
    pane.body.write_to(cursor)
    return document


ICON = 20
LONGEST = 90
"""Maximum number of characters of a subject or a name in the list."""


class FileWindow(SideWindow):
    """List of messages, if there are several, and the selected message."""

    def __init__(
        self, parent: QWidget, engine: Engine, follow: Callable[[str], None], found: FoundMail
    ) -> None:
        super().__init__(parent, tr("Mail from files"), 1040, 640)
        self._judged: dict[int, ScoredMail] = {}
        none = tr("No mail found in these files.")
        kept = tr("nbmail doesn't store or learn from these messages.")
        more = (
            tr("Showing the first {count} messages.").format(count=len(found.mails))
            if found.more
            else ""
        )
        self.note = wrapping_label(
            join_sentences(found.problem, kept if found.mails else none, more), "muted"
        )
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Messages"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setIconSize(QSize(ICON, ICON))
        self.list.setProperty("mails", True)
        self.list.currentRowChanged.connect(self._show)
        self.message = MessagePane(follow)
        self.evidence = ReasonsPanel(outside=True)
        QShortcut(QKeySequence("Ctrl+Shift+P"), self).activated.connect(self.message.toggle_plain)
        QShortcut(QKeySequence("Ctrl+P"), self).activated.connect(
            partial(print_message, self.message)
        )
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.setChildrenCollapsible(False)
        for part in (self.list, self.message, self.evidence):
            panes.addWidget(part)
        panes.setSizes([scaled(self, 250), 500, 400])
        self.list.setVisible(len(found.mails) > 1)
        self.note.setContentsMargins(16, 8, 16, 8)
        self.setLayout(layouts.column(self.note, (panes, 1)))
        for number, (name, raw) in enumerate(found.mails):
            self._score(engine, number, name, raw)

    def _score(self, engine: Engine, number: int, name: str, raw: bytes) -> None:
        item = QListWidgetItem(name)
        self.list.addItem(item)

        def show(judged: ScoredMail) -> None:
            self._judged[number] = judged
            item.setText(_lines(judged, name))
            item.setIcon(make_icon(judged.why.verdict, judged.why.verdict))
            if self.list.currentRow() < 0:
                self.list.setCurrentRow(0)
            elif self.list.currentRow() == number:
                self._show(number)

        def fail(failure: Failed) -> None:
            item.setText("\n".join((name, tr("This message can't be read."))))

        ticket = engine.score_mail(raw).then(show, failed=fail)
        # The window may be closed before its answers come.
        self.finished.connect(ticket.drop)

    def _show(self, number: int) -> None:
        judged = self._judged.get(number)
        if judged is None:
            self.message.clear()
            self.evidence.clear()
            return
        self.message.show_message(judged.text)
        self.evidence.show_evidence(judged.why)
        self.message.tint_words(judged.why)


def _lines(judged: ScoredMail, name: str) -> str:
    headers = {key.lower(): value for key, value in reversed(judged.text.headers)}
    subject = " ".join(headers.get("subject", "").split())[:LONGEST] or tr("(no subject)")
    sender = sender_name(headers.get("from", ""))[:LONGEST] or name
    chance = "" if judged.why.probability is None else f"{percent(judged.why.probability)} · "
    return f"{subject}\n{chance}{sender}"
