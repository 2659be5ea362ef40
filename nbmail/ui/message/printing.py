"""Printing of the open message."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog

from nbmail.ui.message.pane.message_pane import MessagePane


def print_message(pane: MessagePane) -> None:
    """Ask for a printer, and print the open message."""
    if pane.shown_message is None:
        return
    printer = QPrinter()

    def finish(result: int) -> None:
        if result == QDialog.DialogCode.Accepted:
            printed_document(pane).print_(printer)

    dialog = QPrintDialog(printer, pane)
    # Not `accepted`, which has two signatures that PySide mixes up.
    dialog.finished.connect(finish)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()


def printed_document(pane: MessagePane) -> QTextDocument:
    """Return headers and text of the open message, dark on white."""
    document = QTextDocument()
    cursor = QTextCursor(document)
    plain = QTextCharFormat()
    style = QTextCharFormat()
    style.setFontWeight(QFont.Weight.Bold)
    for line in pane.header_lines():
        cursor.insertText(line, style)
        cursor.insertBlock()
        style = plain
    cursor.insertBlock()
    pane.body.write_to(cursor)
    return document
