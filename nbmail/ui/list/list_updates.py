"""Asks for the list, chooses what it shows, and tells the engine what is on the screen."""

from collections.abc import Callable, Collection
from dataclasses import replace

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLineEdit

from nbmail.ui.accounts.sidebar import Sidebar
from nbmail.ui.kit.language import tr
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.list_heading import ListHeader
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.window_layout import Panes, WindowPage
from nbmail.values import FolderName, Phase, Rows
from nbmail.worker.protocol import ListMail, Progress, ShowRows
from nbmail.worker.protocol.reading import FindText


class ListUpdates:
    """Keeps the list and the message that is open in step with each other and with the engine."""

    def __init__(
        self, requests: EngineRequests, table: MailTable, sidebar: Sidebar, search: QLineEdit, reader: OpenMessage
    ) -> None:
        self._requests, self._table, self._model = requests, table, table.mails
        self._sidebar, self._search, self._reader = sidebar, search, reader
        self._searching = self._opened = -1
        self._shown_instead = -2
        """The message that is shown as long as the one that was open, before a search or last time, isn't there."""
        self.tell_search: Callable[[str], None] = lambda words: None
        """Called with how far a search is, with nothing once it is over."""
        self.before_choice: Callable[[], None] = lambda: None
        """Called before another list is shown: what stands in the list's place goes."""

    def list_mail(self) -> None:
        self._requests.ask(ListMail(), self._show_list)

    def _show_list(self, rows: Rows) -> None:
        message = self._table.current_message()
        self._model.begin(rows)
        if not self._model.rowCount() and self._model.arrangement.choice.folder is not None:
            self._show(Choice())
        self._table.go_to_message(message)
        self.settle_down()
        self.tell_visible()

    def show_choice(self, choice: Choice) -> None:
        """Show a smart list or a folder, with the words that are searched for."""
        self._opened, self._shown_instead = -1, -2
        self._show(choice)

    def _show(self, choice: Choice) -> None:
        self.before_choice()
        chosen = replace(choice, words=self._search.text())
        self._model.arrange(replace(self._model.arrangement, choice=chosen))
        self._sidebar.show_choice(choice)
        # Alone: what was selected beside it may be out of sight.
        self._table.go_to_message(self._table.current_message())
        self._show_current()

    def search(self) -> None:
        """Search for what stands in the field now: in senders and subjects at once, in texts as the engine finds it."""
        self._requests.drop(self._searching)
        if self._table.current_message() != self._shown_instead:
            self._opened = self._shown_instead = self._table.current_message()
        self._show(self._model.arrangement.choice)
        self.tell_search("")
        words = self._search.text()
        if not words.strip():
            return

        def take(found: tuple[int, ...]) -> None:
            self._model.take_found(words, found)
            self._show_current()

        def take_some(progress: Progress) -> None:
            share = 100 * progress.done // max(1, progress.total)
            self.tell_search(tr("Texts searched: {share} %").format(share=share))
            if progress.so_far is not None:
                take(progress.so_far)

        def take_all(found: tuple[int, ...]) -> None:
            self.tell_search("")
            take(found)

        self._searching = self._requests.ask(FindText(words), take_all, progressed=take_some)

    def settle_down(self) -> None:
        """Put the cursor on a message once there is one: there is something to read, and keys do something.

        On the one that was open, as soon as it is there and as long as nobody has chosen another; else on the newest.
        """
        waits = self._table.current_message() in (self._shown_instead, -1)
        if waits and self._model.row_of(self._opened) >= 0:
            self._table.go_to_message(self._opened)
            self._opened, self._shown_instead = -1, -2
        elif not self._model.rowCount():
            self._reader.go_to(-1)
        elif not self._table.currentIndex().isValid():
            self._table.go_to(0)
        if waits and self._opened >= 0:
            self._shown_instead = self._table.current_message()

    def _show_current(self) -> None:
        """The list is another one: the message that is open is in view, wherever it stands now."""
        self.settle_down()
        self._table.scrollTo(self._table.currentIndex())

    def remember(self, notes: QSettings) -> None:
        """Note down which list is shown, and which message is open."""
        choice = self._model.arrangement.choice
        folder = (choice.folder.account, choice.folder.folder) if choice.folder is not None else ("", "")
        notes.setValue("shown", [str(int(choice.kind)), *folder, str(self._table.current_message())])

    def recall(self, notes: QSettings, accounts: Collection[str]) -> None:
        """Show the list of last time with its message, as far as it makes sense: the mail is still to come."""
        noted = notes.value("shown")
        if not isinstance(noted, list) or len(noted) != 4 or not str(noted[0]).isdecimal():
            return
        kind, account, folder, message = (str(each) for each in noted)
        if int(kind) < len(Kind) and (not account or account in accounts):
            choice = Choice(Kind(int(kind)), FolderName(account, folder) if account else None)
            self._model.arrange(replace(self._model.arrangement, choice=choice))
            self._sidebar.show_choice(choice)
            self._opened = int(message) if message.isdecimal() else -1

    def sort_again(self) -> None:
        """Put everything where it belongs by now."""
        self._model.arrange(self._model.arrangement)

    def tell_visible(self) -> None:
        """Tell the engine what is on the screen: that is scored first."""
        first, last = self._table.rowAt(0), self._table.rowAt(self._table.viewport().height())
        last = self._model.rowCount() - 1 if last < 0 else last
        if first >= 0:
            self._requests.ask(ShowRows(tuple(self._model.message_at(row) for row in range(first, last + 1))))


class ListFigures:
    """Counts the messages of each list and folder, and chooses the page of the window."""

    def __init__(
        self, table: MailTable, head: ListHeader, sidebar: Sidebar, panes: Panes, settings: CurrentSettings
    ) -> None:
        self._table, self._model, self._head = table, table.mails, head
        self._lines, self._panes, self._settings = sidebar.lines, panes, settings

    def count(self) -> None:
        """Bring all figures up to date."""
        model, mail = self._model, self._model.mail
        if mail is not None:
            self._lines.show_counts(mail.count_kinds(None), mail.count_folders())
        self._table.say("" if model.rowCount() else self._nothing_words())
        self._head.show_list(model.arrangement, None if mail is None else model.rowCount(), stale=model.stale)
        self._panes.show_page(self._page())

    def _page(self) -> WindowPage:
        """Without a mailbox there is nothing to show, unless mail of an earlier one is kept."""
        mail = self._model.mail
        if self._settings.value.accounts or (mail is not None and len(mail.messages)):
            return WindowPage.MAIL
        return WindowPage.WELCOME if mail is not None else WindowPage.NOTHING

    def _nothing_words(self) -> str:
        """Why there is nothing in the list. An account that is at work may still fill it."""
        mail, choice = self._model.mail, self._model.arrangement.choice
        if mail is None:
            return tr("Opening your mail…")
        if not len(mail.messages) and any(_works(state.phase) for state in self._lines.states.values()):
            return tr("Fetching your mail…")
        if choice.words.strip():
            return tr("No message here matches “{words}”.").format(words=choice.words.strip()[:80])
        return {
            Kind.UNSURE: tr("Nothing to decide: every message here has its verdict."),
            Kind.JUNK: tr("No junk here."),
            Kind.UNREAD: tr("Everything here has been read."),
            Kind.MARKED: tr("Nothing here has been learned from yet."),
        }.get(choice.kind, tr("No messages here yet."))


def _works(phase: Phase) -> bool:
    return phase in (Phase.CONNECTING, Phase.WORKING)
