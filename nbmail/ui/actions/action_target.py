"""What the keys act on: the list, or whatever stands in its place."""

from typing import Protocol

from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.window.current_settings import CurrentSettings


class ActionTarget(Protocol):
    """Messages that can be marked, with a next and a previous one."""

    def chosen_messages(self) -> tuple[int, ...]:
        """Those that a mark is about."""

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """They have been marked: go to what comes next."""

    def learned(self) -> None:
        """The mark has been learned, and all scores are those that follow from it."""

    def go_to_message(self, message: int) -> None:
        """Show this one."""

    def step(self, steps: int) -> None:
        """Go so many further, or back."""


class ListTarget:
    """The list: its selection, and the row behind it."""

    def __init__(self, table: MailTable, settings: CurrentSettings) -> None:
        self._table, self._settings = table, settings
        self.chosen_messages, self.go_to_message, self.step = table.chosen_messages, table.go_to_message, table.step

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """To the row behind the last one, if that is wished."""
        if self._settings.value.after_mark == "next" and label is not None:
            self._table.go_to(self._table.mails.row_of(messages[-1]) + 1)

    def learned(self) -> None:
        """The list stays as it is."""
