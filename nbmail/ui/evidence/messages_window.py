"""Window with a few messages. A selected message is shown in the mailbox."""

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QWidget

from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.layouts import column
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.mark_texts import verdict_text
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import join_sentences, subject_cell
from nbmail.worker.protocol.verdicts import VerdictChange


class MessagesWindow(SideWindow):
    """List of `messages`, each with cells under `headings`."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        about: str,
        messages: Mapping[int, Sequence[str]],
        mailbox: MailTable,
        *,
        headings: Sequence[str] = (),
    ) -> None:
        super().__init__(parent, title, 720, 420)
        self.table = messages_table(mailbox, title, headings)
        self.table.set_rows(
            [message_line(mailbox, message, cells) for message, cells in messages.items()]
        )
        contents = column(
            wrapping_label(about), (self.table, 1), spacing=10, margins=(16, 14, 16, 14)
        )
        self.setLayout(contents)


def changed_verdicts_window(
    parent: QWidget,
    title: str,
    changes: Sequence[VerdictChange],
    count: int,
    mailbox: MailTable,
) -> MessagesWindow:
    """Return a window with verdicts before and after a change.

    `count`: number of all changed verdicts.
    """
    about = tr_count("%n message changes its verdict.", "%n messages change their verdict.", count)
    if count > len(changes):
        shown = tr_count("Showing the first %n.", "Showing the first %n.", len(changes))
        about = join_sentences(about, shown)
    cells = {}
    for each in changes:
        before = verdict_cell(each.verdict_before, each.before)
        after = verdict_cell(each.verdict_after, each.after)
        cells[each.message] = (before, after)
    headings = (tr("Before"), tr("After"))
    return MessagesWindow(parent, title, about, cells, mailbox, headings=headings)


def messages_table(mailbox: MailTable, name: str, headings: Sequence[str] = ()) -> TextTable[int]:
    """Return a table of messages with senders and subjects.

    A selected message is shown in the mailbox.
    """
    widths = (*(130 for _ in headings), 160, 240)
    sender = len(headings)
    table: TextTable[int] = TextTable(
        (*headings, tr("From"), tr("Subject")), widths, sender + 1, name, whole=range(sender)
    )
    table.row_selected.connect(lambda: mailbox.go_to_message(table.selected()))
    return table


def message_line(mailbox: MailTable, message: int, cells: Sequence[str] = ()) -> TextRow[int]:
    """Return the row of a message. Of a removed mailbox only the mark is left."""
    sender, subject, moment = mailbox.mails.mail.heading_of(message)
    if sender or subject or moment:
        named = (sender_cell(sender), subject_cell(subject))
    else:
        named = ("", tr("(no longer in any account)"))
    return TextRow((*cells, *named), message)


def verdict_cell(verdict: str, chance: float | None) -> str:
    name = verdict_text(verdict) if verdict else ""
    return name if chance is None else f"{name} · {percent(chance)}"
