"""Conversation of the open message: sender, date and verdict of each message."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.list.list_choice import Choice
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.texts.date_texts import date_text
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.people import sender_name
from nbmail.ui.texts.plain_text import plain_name, visible
from nbmail.values import ConversationLine
from nbmail.worker.engine.engine import Engine

MOST_LINES = 6
"""Latest messages that are shown."""
LONGEST_NAME = 40


class Conversation(QWidget):
    """Buttons that go to the messages of a conversation. Hidden for one message alone.

    Signal: `left_list(int)` with a message that the list doesn't show and that all mail has.
    """

    left_list = Signal(int)

    def __init__(self, engine: Engine, table: MailTable, now: Callable[[], float]) -> None:
        super().__init__()
        self._engine = engine
        self._table = table
        self._mails = table.mails
        self._now = now
        self._message = -1
        self._found: Sequence[ConversationLine] = ()
        self.all = quiet_button("", self.select, flush=True)
        self.lines = [quiet_button("", flush=True) for _ in range(MOST_LINES)]
        for place, line in enumerate(self.lines):
            line.clicked.connect(partial(self._go_to, place))
        buttons = layouts.Flow(*self.lines, self.all, gap=16)
        self.setLayout(layouts.column(buttons, margins=(0, 2, 0, 2)))
        table.mails.counted.connect(self._show)
        self.hide()

    def load(self, message: int) -> None:
        """Show the conversation of a message, none for -1."""
        self._message = message
        self._found = ()
        self._show()
        if message >= 0:
            self._engine.list_conversation(message).then(partial(self._take, message))

    def _take(self, message: int, found: Sequence[ConversationLine]) -> None:
        if message == self._message:
            self._found = found
            self._show()

    def _show(self) -> None:
        """Show the latest messages as buttons, those that the user can go to."""
        self.setVisible(len(self._found) > 1)
        others = sum(self._is_other(one) for one in self._found)
        self.all.setVisible(others > 0)
        self.all.setText(
            tr_count("Select this message", "Select %n messages of this conversation", others + 1)
        )
        for button, one in zip(self.lines, self._latest(), strict=False):
            button.setText(plain_name(self._text(one)))
            button.setEnabled(self._is_other(one))
        self.set_compact(False)

    def set_compact(self, compact: bool) -> None:
        """Show only the button for all messages, or all lines again."""
        for place, button in enumerate(self.lines):
            button.setVisible(place < len(self._found) and not compact)

    def select(self) -> None:
        """Select the messages of the conversation in the list, to mark or move them together."""
        shown = [one.message for one in self._found if self._is_reachable(one.message)]
        if any(self._mails.row_of(message) < 0 for message in shown):
            self.left_list.emit(self._message)
        if shown:
            mail = self._mails.mail
            mail.selected[:] = False
            mail.selected[mail.find(shown)] = True
            self._table.selection_changed.emit()
            self._table.viewport().update()
            self._table.setFocus()

    def _go_to(self, place: int, _: bool = False) -> None:
        message = self._latest()[place].message
        if self._mails.row_of(message) < 0:
            self.left_list.emit(message)
        self._table.go_to_message(message)

    def _latest(self) -> Sequence[ConversationLine]:
        return self._found[-MOST_LINES:]

    def _is_other(self, one: ConversationLine) -> bool:
        """True for another message than the open one, to which the user can go."""
        return one.message != self._message and self._is_reachable(one.message)

    def _is_reachable(self, message: int) -> bool:
        """True if the current list or that of all mail, which lacks spam, has the message."""
        if self._mails.row_of(message) >= 0:
            return True
        mail = self._mails.mail
        place = mail.find([message])
        return bool(place[0] >= 0 and mail.mask(Choice(), place)[0])

    def _text(self, one: ConversationLine) -> str:
        position = self._mails.mail.position_of(one.message)
        parts = [
            visible(sender_name(one.sender), LONGEST_NAME),
            date_text(one.date, self._now()),
        ]
        if position >= 0:
            parts.append(self._mails.texts.verdict(position))
        if one.message == self._message:
            parts.append(tr("shown below"))
        return " · ".join(part for part in parts if part)
