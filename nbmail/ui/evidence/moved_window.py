"""The messages that moved to another verdict, or would: exactly those, with before and after."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.layouts import column
from nbmail.ui.kit.letter_sizes import give_size
from nbmail.ui.kit.lines_table import LinesTable, TableLine
from nbmail.ui.kit.people import sender_name
from nbmail.ui.kit.plain_text import visible, wrapping_label
from nbmail.ui.list.mail_model import heading_of
from nbmail.ui.list.mail_table import MailTable
from nbmail.worker.protocol.words import Moved

LONGEST = 200
"""Letters of a sender or a subject that are shown."""


class MovedWindow(QDialog):
    """A list beside the mailbox; a line that is chosen shows its message there. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, title: str, moved: Sequence[Moved], count: int, table: MailTable) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        headings = (tr("Before"), tr("After"), tr("From"), tr("Subject"))
        self.table = LinesTable(headings, (130, 130, 160, 240), 3, title)
        self.table.show_lines([_line(each, table) for each in moved])
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda *_: table.go_to_message(self.table.current()))
        words = tr_count("%n message gets another verdict.", "%n messages get another verdict.", count)
        if count > len(moved):
            words = f"{words} {tr_count('The first %n is here.', 'The first %n are here.', len(moved))}"
        self.setLayout(column(wrapping_label(words), (self.table, 1), spacing=10, margins=(16, 14, 16, 14)))
        give_size(self, 720, 420)


def _line(each: Moved, table: MailTable) -> TableLine:
    sender, subject, _ = heading_of(table.mails, each.message)
    cells = (
        _verdict(each.verdict_before, each.before),
        _verdict(each.verdict_after, each.after),
        visible(sender_name(sender), LONGEST),
        visible(subject, LONGEST) or tr("(no subject)"),
    )
    return TableLine(cells, each.message)


def _verdict(verdict: str, chance: float | None) -> str:
    name = phrases.verdict_word(verdict)
    return name if chance is None else f"{name} · {phrases.percent(chance)}"
