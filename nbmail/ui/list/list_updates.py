"""Controller of the list: what it shows, and which message is open."""

from collections.abc import Collection
from dataclasses import replace

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QLineEdit

from nbmail.text.search_query import read_query
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.list_choice import Choice
from nbmail.ui.list.list_state import read_state, write_state
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.list.text_search import TextSearch
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.sidebar.sidebar import Sidebar
from nbmail.values import FolderName, Rows
from nbmail.worker.engine.engine import Engine

NONE = -1
"""No message."""
NOTHING_CHOSEN = -2
"""No message was chosen yet."""
AFTER_ARRIVALS = 500
"""Milliseconds from newly arrived messages to another search for the same words."""


class ListUpdates(QObject):
    """Synchronizes the list with the open message and the engine.

    Signals: `leaving()` before another list is shown; `search_progressed(str)` with the progress of
    a search, "" at its end.
    """

    leaving = Signal()
    search_progressed = Signal(str)

    def __init__(
        self,
        engine: Engine,
        table: MailTable,
        sidebar: Sidebar,
        search: QLineEdit,
        reader: OpenMessage,
    ) -> None:
        super().__init__(table)
        self._engine = engine
        self._table = table
        self._model = table.mails
        self._sidebar = sidebar
        self._search = search
        self._reader = reader
        self._text_search = TextSearch(engine, self._take_found, self.search_progressed.emit)
        arrived = single_shot_timer(self, AFTER_ARRIVALS, self._search_again)
        self._model.arrived.connect(lambda _: None if arrived.isActive() else arrived.start())
        self._opened = NONE
        """Message to return to."""
        self._substitute = NOTHING_CHOSEN
        """Message that is current while the one to return to isn't listed."""
        self._accounts: tuple[str, ...] = ()
        self._wants_inbox = False
        """True until an inbox, or a list that the user has chosen, is shown."""

    # ---------------------------------------------------------------------------------------------
    # loading

    def list_mail(self) -> None:
        """Load the stored mail."""
        self._engine.list_mail().then(self._show_mail)

    def _show_mail(self, rows: Rows) -> None:
        message = self._table.current_message()
        self._model.begin(rows)
        self.open_inbox()
        is_in_folder = self._model.arrangement.choice.folder is not None
        if is_in_folder and not self._model.rowCount() and len(rows.messages):
            self._show(Choice())
        self._table.go_to_message(message, chosen=False)
        self.select_default()
        self.report_visible()

    def report_visible(self) -> None:
        """Report the visible messages to the engine, which scores them first."""
        first = self._table.rowAt(0)
        last = self._table.rowAt(self._table.viewport().height())
        if last < 0:
            last = self._model.rowCount() - 1
        if first >= 0:
            visible = range(first, last + 1)
            self._engine.show_rows(tuple(self._model.message_at(row) for row in visible))

    # ---------------------------------------------------------------------------------------------
    # lists

    def show_choice(self, choice: Choice) -> None:
        """Show a list that the user has chosen."""
        self._wants_inbox = False
        self._forget_opened()
        self._show(choice)

    def show_in_folder(self) -> None:
        """Show the current message in its first folder."""
        message = self._table.current_message()
        mail = self._model.mail
        position = mail.position_of(message)
        if position < 0:
            return
        folders = mail.folder_sets.of(mail.folders[position])
        if folders:
            first = next(iter(folders))
            self.show_in(Choice(folder=mail.folder_names[first]), message)

    def show_in(self, choice: Choice, message: int) -> None:
        """Show a message in a list, without a search."""
        self._text_search.stop()
        self._search.clear()
        self.show_choice(choice)
        self._table.go_to_message(message)

    def open_inbox(self) -> None:
        """Show the first inbox with mail, or all mail, unless the user has chosen a list."""
        if not self._wants_inbox or self._table.is_chosen or self._search.text():
            return
        inbox = self._first_inbox()
        if inbox is not None:
            self.show_choice(Choice(folder=inbox))
        elif len(self._model.mail.messages) and self._model.arrangement.choice.folder is not None:
            self._show(Choice())

    def _first_inbox(self) -> FolderName | None:
        """Return the inbox with mail of the first account that has one."""
        mail = self._model.mail
        places = {name: place for place, name in enumerate(self._accounts)}
        inboxes = [
            name
            for name in mail.folder_names
            if name.folder.upper() == "INBOX" and mail.mask(Choice(folder=name)).any()
        ]
        last = len(places)
        return min(inboxes, key=lambda name: places.get(name.account, last), default=None)

    def sort_again(self) -> None:
        self._model.arrange(self._model.arrangement)

    def _show(self, choice: Choice) -> None:
        self.leaving.emit()
        self._arrange(choice)
        # Only the current message stays selected: others may be out of view.
        self._table.go_to_message(self._table.current_message(), chosen=False)
        self._show_current()

    def _arrange(self, choice: Choice) -> None:
        searched = replace(choice, words=self._search.text())
        self._model.arrange(replace(self._model.arrangement, choice=searched))
        self._sidebar.show_choice(choice)

    # ---------------------------------------------------------------------------------------------
    # search

    def search(self) -> None:
        """Search for the text of the field.

        The list stays as it is until the engine has found something, or nothing.
        """
        self._text_search.stop()
        self.search_progressed.emit("")
        if self._table.current_message() != self._substitute:
            self._opened = self._table.current_message()
            self._substitute = self._opened
        words = self._search.text()
        if read_query(words).has_text:
            self._text_search.start(words)
        else:
            self._show(self._model.arrangement.choice)

    def _take_found(self, words: str, messages: tuple[int, ...]) -> None:
        self._model.mail.take_found(words, messages)
        if self._model.arrangement.choice.words != words:
            self._show(self._model.arrangement.choice)
        else:
            self._model.arrange(self._model.arrangement)
            self._show_current()

    def _search_again(self) -> None:
        """Search for the same words in messages that have arrived since."""
        words = self._model.arrangement.choice.words
        if words == self._search.text() and read_query(words).has_text:
            self._text_search.start(words)

    # ---------------------------------------------------------------------------------------------
    # current message

    def select_default(self) -> None:
        """Make a message current if the user has chosen none.

        It is the last open one if that is listed, otherwise the newest.
        """
        is_waiting = self._table.current_message() in (self._substitute, NONE)
        if is_waiting and self._model.row_of(self._opened) >= 0:
            self._table.go_to_message(self._opened, chosen=False)
            self._forget_opened()
        elif not self._model.rowCount():
            self._reader.go_to(NONE)
        elif not self._table.currentIndex().isValid():
            self._table.go_to(0, chosen=False)
        if is_waiting and self._opened >= 0:
            self._substitute = self._table.current_message()

    def _show_current(self) -> None:
        self.select_default()
        self._table.scrollTo(self._table.currentIndex())

    def _forget_opened(self) -> None:
        self._opened = NONE
        self._substitute = NOTHING_CHOSEN

    # ---------------------------------------------------------------------------------------------
    # state of the window

    def save_state(self, notes: QSettings) -> None:
        write_state(notes, self._model.arrangement.choice, self._table.current_message())

    def restore_state(self, notes: QSettings, accounts: Collection[str]) -> None:
        """Restore the stored list and message, or show the inbox. The mail is loaded later."""
        self._accounts = tuple(accounts)
        self._wants_inbox = True
        if self._accounts:
            self._arrange(Choice(folder=FolderName(self._accounts[0], "INBOX")))
        stored = read_state(notes, accounts)
        if stored is not None:
            choice, self._opened = stored
            self._arrange(choice)
            self._wants_inbox = False
