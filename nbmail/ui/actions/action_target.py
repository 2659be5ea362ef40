"""Messages that the keys act on."""

from collections.abc import Sequence
from itertools import chain
from typing import Protocol

from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.window.current_settings import CurrentSettings


class ActionTarget(Protocol):
    """Messages that the keys act on, with a next and a previous one."""

    def selected_messages(self) -> tuple[int, ...]:
        """Return the messages to mark."""

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """Go to the next message after a mark on `messages`."""

    def skip(self, messages: Sequence[int]) -> None:
        """Go to the next message, because these leave."""

    def learned(self) -> None:
        """Continue after the mark is learned and all scores are current."""

    def go_to_message(self, message: int) -> None:
        """Show a message."""

    def step(self, steps: int) -> None:
        """Go `steps` messages forward, or back if negative."""


class ListTarget:
    """Selection of the list."""

    def __init__(self, table: MailTable, settings: CurrentSettings) -> None:
        self._table = table
        self._settings = settings
        self.selected_messages = table.selected_messages
        self.go_to_message = table.go_to_message
        self.step = table.step

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """Go to the row after the last message, if set so."""
        goes_on = self._settings.value.after_mark == "next"
        if goes_on and label is not None:
            last = self._table.mails.row_of(messages[-1])
            self._table.go_to(last + 1)

    def skip(self, messages: Sequence[int]) -> None:
        """Go to the next row that stays, or to the last one before."""
        mails = self._table.mails
        rows = [mails.row_of(message) for message in messages]
        rows = [row for row in rows if row >= 0]
        if not rows:
            return
        later = range(max(rows), mails.rowCount())
        earlier = range(min(rows), -1, -1)
        leaving = set(messages)
        for row in chain(later, earlier):
            if mails.message_at(row) not in leaving:
                self._table.go_to(row)
                return
        self._table.go_to(0)

    def learned(self) -> None:
        """Do nothing: the list keeps its selection."""
