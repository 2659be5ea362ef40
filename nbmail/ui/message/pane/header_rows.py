"""Rows of the headers of a message, with notes on its sender."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel

from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.message.attachments.attachments import STRETCH
from nbmail.ui.message.pane.header_texts import LONGEST_TIP, PEOPLE, header_name, header_text
from nbmail.ui.message.pane.mail_label import fill_label, mail_label, offer_addresses
from nbmail.ui.message.pane.sender_notes import SenderNote
from nbmail.ui.texts.date_texts import written_words
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.people import MAX_IN_TIP, people_text
from nbmail.ui.texts.plain_text import BREAK, breakable, plain_tip

MOST_HEADERS = 12
AROUND = 48
"""Pixels of a row in addition to its texts."""


class HeaderRow(NamedTuple):
    """Labels with the name of a header and its text. Notes have no name."""

    name: QLabel
    words: QLabel


class HeaderRows(QFormLayout):
    """One row for each header, the notes below the sender."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[HeaderRow] = ()
        self.setContentsMargins(0, 4, 0, 0)
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(2)
        self.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def show_headers(self, headers: Sequence[tuple[str, str]], notes: Sequence[SenderNote]) -> None:
        """Replace all rows. `headers`: names and values without the subject."""
        while self.rowCount():
            self.removeRow(0)
        rows = list(_header_rows(headers))
        senders = sum(name.lower() == "from" for name, _ in headers)
        rows[senders:senders] = map(_note_row, notes)
        self.rows = rows
        for row in rows:
            self.addRow(row.name, row.words)

    def lines(self) -> Iterator[str]:
        """Return the rows as lines of text."""
        for row in self.rows:
            name = row.name.text()
            text = _unbroken(row.words)
            yield f"{name}: {text}" if name else text

    def show_all(self, width: int) -> None:
        """Show all rows in a pane of this width. Addresses that are too wide for it are broken."""
        widest_name = max((row.name.sizeHint().width() for row in self.rows), default=0)
        room = width - AROUND - widest_name
        for number, row in enumerate(self.rows):
            self.setRowVisible(number, True)
            _break_words(row.words, room)


def _header_rows(headers: Sequence[tuple[str, str]]) -> Iterator[HeaderRow]:
    senders = sum(name.lower() == "from" for name, _ in headers)
    number = 0
    for name, value in headers[:MOST_HEADERS]:
        row = HeaderRow(plain_label(header_name(name), "muted"), mail_label())
        _fill(row.words, name, value)
        if name.lower() == "from" and senders > 1:
            number += 1
            text = tr("From ({number} of {count})").format(number=number, count=senders)
            row.name.setText(text)
            row.name.setProperty("verdict", "spam")
        yield row


def _fill(label: QLabel, name: str, value: str) -> None:
    kind = name.lower()
    if kind == "date":
        label.setText(written_words(value))
        label.setToolTip(plain_tip(value[:LONGEST_TIP]))
        return
    fill_label(label, *header_text(name, value))
    if kind in PEOPLE:
        offer_addresses(label, value)
        everyone = people_text(value, MAX_IN_TIP)
        if everyone != label.text():
            label.setToolTip(plain_tip(everyone))


def _note_row(note: SenderNote) -> HeaderRow:
    words = mail_label()
    words.setText(note.text)
    words.setProperty("verdict", note.kind)
    return HeaderRow(plain_label(), words)


def _break_words(label: QLabel, room: int) -> None:
    """Let the words of a label be broken if one of them is wider than the room."""
    whole = _unbroken(label)
    longest = max(whole.split(), key=len, default="")
    if label.fontMetrics().horizontalAdvance(longest) > room:
        label.setText(breakable(whole, STRETCH))
    else:
        label.setText(whole)


def _unbroken(label: QLabel) -> str:
    return label.text().replace(BREAK, "")
