"""Printing of the open message."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter

from nbmail.ui.message.message_pane import MessagePane


def print_message(pane: MessagePane) -> None:
    """Print the open message after a choice of the printer."""
    if pane.shown_message is not None:
        printer = QPrinter()
        dialog = QPrintDialog(printer, pane)
        # Not `accepted`, which has two signatures that PySide mixes up.
        dialog.finished.connect(lambda result: printed_document(pane).print_(printer) if result else None)
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
