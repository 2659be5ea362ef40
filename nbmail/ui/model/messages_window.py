"""A few messages beside the mailbox; a line that is chosen shows its message there."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import give_size
from nbmail.ui.kit.lines_table import LinesTable, TableLine
from nbmail.ui.kit.people import sender_name
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.list.mail_model import heading_of
from nbmail.ui.list.mail_table import MailTable


class MessagesWindow(QDialog):
    """Lists messages that the mailbox holds. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, title: str, about: str, messages: Sequence[int], table: MailTable) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.table = LinesTable((tr("From"), tr("Subject")), (180, 240), 1, title)
        self.table.show_lines([_line(message, table) for message in messages])
        self.table.selectionModel().currentRowChanged.connect(lambda *_: table.go_to_message(self.table.current()))
        contents = layouts.column(wrapping_label(about), (self.table, 1), spacing=10, margins=(16, 14, 16, 14))
        self.setLayout(contents)
        give_size(self, 620, 380)


def _line(message: int, table: MailTable) -> TableLine:
    sender, subject, _ = heading_of(table.mails, message)
    return TableLine((sender_name(sender), subject or tr("(no subject)")), message)
