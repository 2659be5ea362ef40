"""Updates of the list: loading, filtering, searching, and the counts around the list."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QLineEdit

from nbmail.ui.accounts.sidebar import Sidebar
from nbmail.ui.list.list_choice import USUAL, Choice, Kind
from nbmail.ui.list.list_heading import ListHeader
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.texts.language import tr
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.panes import Panes, WindowPage
from nbmail.values import FolderName, Phase, Rows
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.ticket import Progress

NONE = -1
NOTHING_CHOSEN = -2
"""No message; no message was chosen yet."""


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
        self._drop_search: Callable[[], None] = lambda: None
        self._opened = NONE
        self._substitute = NOTHING_CHOSEN
        """The message to return to, and the message that is current while the former isn't
        listed.
        """
        self._accounts: tuple[str, ...] = ()
        self._wants_inbox = False
        """True until an inbox, or a list that the user has chosen, is shown."""

    def list_mail(self) -> None:
        self._engine.list_mail().then(self._show_list)

    def _show_list(self, rows: Rows) -> None:
        message = self._table.current_message()
        self._model.begin(rows)
        self.open_inbox()
        if (
            not self._model.rowCount()
            and self._model.arrangement.choice.folder is not None
            and len(rows.messages)
        ):
            self._show(Choice())
        self._table.go_to_message(message, chosen=False)
        self.select_default()
        self.report_visible()

    def show_choice(self, choice: Choice) -> None:
        self._wants_inbox = False
        self._opened = NONE
        self._substitute = NOTHING_CHOSEN
        self._show(choice)

    def show_in_folder(self) -> None:
        message = self._table.current_message()
        mail = self._model.mail
        place = mail.position_of(message)
        folders = [*mail.folder_sets.of(mail.folders[place])] if place >= 0 else []
        if folders:
            self.show_in(Choice(folder=mail.folder_names[folders[0]]), message)

    def show_in(self, choice: Choice, message: int) -> None:
        """Show a message in a list, without a search."""
        self._drop_search()
        self._search.clear()
        self.show_choice(choice)
        self._table.go_to_message(message)

    def open_inbox(self) -> None:
        """Show the first account's inbox with mail, all mail if there is none, unless the user has
        chosen.
        """
        if not self._wants_inbox or self._table.is_chosen or self._search.text():
            return
        mail = self._model.mail
        accounts = {name: place for place, name in enumerate(self._accounts)}
        inboxes = [name for name in mail.folder_names if name.folder.upper() == "INBOX"]
        inboxes = [name for name in inboxes if mail.mask(Choice(folder=name)).any()]
        if inboxes:
            first = min(inboxes, key=lambda name: accounts.get(name.account, len(accounts)))
            self.show_choice(Choice(folder=first))
        elif len(mail.messages) and self._model.arrangement.choice.folder is not None:
            self._show(Choice())

    def _show(self, choice: Choice) -> None:
        self.leaving.emit()
        self._arrange(choice)
        # Only the current message stays selected: others may be out of view.
        self._table.go_to_message(self._table.current_message(), chosen=False)
        self._show_current()

    def _arrange(self, choice: Choice) -> None:
        self._model.arrange(
            replace(self._model.arrangement, choice=replace(choice, words=self._search.text()))
        )
        self._sidebar.show_choice(choice)

    def search(self) -> None:
        """Search for the text of the field: immediately in senders and subjects, by the engine in
        message texts.
        """
        self._drop_search()
        if self._table.current_message() != self._substitute:
            self._opened = self._substitute = self._table.current_message()
        self._show(self._model.arrangement.choice)
        self.search_progressed.emit("")
        words = self._search.text()
        if not words.strip():
            return

        def take(found: tuple[int, ...]) -> None:
            self._model.take_found(words, found)
            self._show_current()

        def progressed(progress: Progress[tuple[int, ...]]) -> None:
            share = 100 * progress.done // max(1, progress.total)
            self.search_progressed.emit(tr("Searching message text: {share} %").format(share=share))
            if progress.so_far is not None:
                take(progress.so_far)

        ended = partial(self.search_progressed.emit, "")
        self._drop_search = (
            self._engine.find_text(words).then(take, progressed=progressed, ended=ended).drop
        )

    def select_default(self) -> None:
        """Make a message current if the user has chosen none: the last open one if it is listed,
        else the newest.
        """
        waiting = self._table.current_message() in (self._substitute, NONE)
        if waiting and self._model.row_of(self._opened) >= 0:
            self._table.go_to_message(self._opened, chosen=False)
            self._opened = NONE
            self._substitute = NOTHING_CHOSEN
        elif not self._model.rowCount():
            self._reader.go_to(NONE)
        elif not self._table.currentIndex().isValid():
            self._table.go_to(0, chosen=False)
        if waiting and self._opened >= 0:
            self._substitute = self._table.current_message()

    def _show_current(self) -> None:
        self.select_default()
        self._table.scrollTo(self._table.currentIndex())

    def save_state(self, notes: QSettings) -> None:
        choice = self._model.arrangement.choice
        folder = (
            (choice.folder.account, choice.folder.folder) if choice.folder is not None else ("", "")
        )
        notes.setValue(
            "shown", [str(int(choice.kind)), *folder, str(self._table.current_message())]
        )

    def restore_state(self, notes: QSettings, accounts: Collection[str]) -> None:
        """Restore the saved list and message; the inbox if no valid ones are saved. The mail is
        loaded later.
        """
        self._accounts = tuple(accounts)
        self._wants_inbox = True
        if self._accounts:
            self._arrange(Choice(folder=FolderName(self._accounts[0], "INBOX")))
        noted = notes.value("shown")
        if not isinstance(noted, list) or len(noted) != 4 or not str(noted[0]).isdecimal():
            return
        kind, account, folder, message = (str(each) for each in noted)
        if int(kind) < len(Kind) and (not account or account in accounts):
            self._arrange(Choice(Kind(int(kind)), FolderName(account, folder) if account else None))
            self._wants_inbox = False
            self._opened = int(message) if message.isdecimal() else NONE

    def sort_again(self) -> None:
        self._model.arrange(self._model.arrangement)

    def report_visible(self) -> None:
        """Report the visible messages to the engine, which scores them first."""
        first = self._table.rowAt(0)
        last = self._table.rowAt(self._table.viewport().height())
        last = self._model.rowCount() - 1 if last < 0 else last
        if first >= 0:
            self._engine.show_rows(
                tuple(self._model.message_at(row) for row in range(first, last + 1))
            )


class ListFigures:
    """Counts the messages of each list and folder, and selects the page of the window."""

    def __init__(
        self,
        table: MailTable,
        head: ListHeader,
        sidebar: Sidebar,
        panes: Panes,
        settings: CurrentSettings,
    ) -> None:
        self._table = table
        self._model = table.mails
        self._head = head
        self._lines = sidebar.lines
        self._panes = panes
        self._settings = settings
        table.elsewhere.clicked.connect(head.elsewhere.click)

    def count(self) -> None:
        model = self._model
        if model.loaded:
            kinds = Kind if self._settings.value.first_senders else USUAL
            self._lines.show_counts(model.mail.count_kinds(None, kinds), model.mail.count_folders())
        loading = self._is_loading()
        self._head.show_list(
            model.arrangement, None if loading else model.rowCount(), stale=model.stale
        )
        offer = (
            self._head.elsewhere.text()
            if model.arrangement.choice.words.strip() and not loading
            else ""
        )
        self._table.set_empty_text(*("", "") if model.rowCount() else (self._empty_text(), offer))
        page = WindowPage.WELCOME if model.loaded else WindowPage.NOTHING
        has_mail = self._settings.value.accounts or len(model.mail.messages)
        self._panes.show_page(WindowPage.MAIL if has_mail else page)

    def _is_loading(self) -> bool:
        """True before the stored mail is listed, and while an account fetches the first mail."""
        working = any(
            state.phase in (Phase.CONNECTING, Phase.WORKING)
            for state in self._lines.states.values()
        )
        return not self._model.loaded or (working and not len(self._model.mail.messages))

    def _empty_text(self) -> str:
        choice = self._model.arrangement.choice
        if self._is_loading():
            return tr("Loading mail…")
        if choice.words.strip():
            return tr("No messages match “{words}”.").format(words=choice.words.strip()[:80])
        return {
            Kind.UNSURE: tr("No unsure messages here."),
            Kind.SPAM: tr("No spam here."),
            Kind.UNREAD: tr("No unread messages here."),
            Kind.MARKED: tr("No marked messages here yet."),
            Kind.SORTED: tr("Nothing was sorted in the last 7 days."),
            Kind.FIRST: tr("No first messages of a sender here."),
        }.get(choice.kind, tr("No messages here yet."))
