"""The conversation of the open message: loaded, shown, and selected in the list."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.phrases import date_text
from nbmail.ui.kit.plain_text import sender_name, visible
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.message_pane import MessagePane
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.filing import ConversationLine

LONGEST = 40
"""Characters of a name."""


class ConversationActions(QObject):
    """Loads the conversation of the open message, opens another one of it, and selects all of them in the list."""

    def __init__(self, engine: Engine, table: MailTable, pane: MessagePane, now: Callable[[], float]) -> None:
        super().__init__(pane)
        self._engine, self._table, self._lines, self._now = engine, table, pane.conversation, now
        self._found: tuple[ConversationLine, ...] = ()
        self._open = -1
        self._lines.choose, self._lines.select = table.go_to_message, self.select
        pane.shown.connect(self.load)
        table.mails.counted.connect(self._show)

    def load(self, message: int) -> None:
        """Show the conversation of a message; -1 for none."""
        self._open, self._found = message, ()
        self._show()
        if message >= 0:
            self._engine.list_conversation(message).then(partial(self._take, message))

    def select(self) -> None:
        """Select the messages of the conversation that the list shows, to mark or move them together."""
        mails = self._table.mails
        shown = [one.message for one in self._found if mails.row_of(one.message) >= 0]
        if shown:
            mails.mail.selected[:] = False
            mails.mail.selected[mails.mail.find(shown)] = True
            self._table.selection_changed.emit()
            self._table.viewport().update()
            self._table.setFocus()

    def _take(self, message: int, found: tuple[ConversationLine, ...]) -> None:
        if message == self._open:
            self._found = found
            self._show()

    def _show(self) -> None:
        row_of = self._table.mails.row_of
        reachable = {one.message for one in self._found if one.message != self._open and row_of(one.message) >= 0}
        self._lines.show_lines([(one.message, self._text(one), one.message in reachable) for one in self._found])

    def _text(self, one: ConversationLine) -> str:
        mails = self._table.mails
        position = int(mails.mail.find([one.message])[0])
        verdict = mails.texts.verdict(position) if position >= 0 else ""
        who, when = visible(sender_name(one.sender), LONGEST), date_text(one.date, self._now())
        here = tr("shown below") if one.message == self._open else ""
        return " · ".join(filter(None, (who, when, verdict, here)))
