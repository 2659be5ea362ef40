"""Numbers of messages that the window shows around the list."""

from nbmail.ui.list.list_choice import USUAL, Kind
from nbmail.ui.list.list_header import ListHeader
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.sidebar.sidebar import Sidebar
from nbmail.ui.texts.language import tr
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.panes import Panes, WindowPage
from nbmail.values import Phase

LONGEST_WORDS = 80


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
        count = None if self._is_loading() else model.rowCount()
        self._head.show_list(model.arrangement, count, stale=model.stale)
        if model.rowCount():
            self._table.set_empty_text("")
        else:
            self._table.set_empty_text(self._empty_text(), self._empty_offer())
        self._panes.show_page(self._page())

    def _page(self) -> WindowPage:
        if self._settings.value.accounts or len(self._model.mail.messages):
            return WindowPage.MAIL
        return WindowPage.WELCOME if self._model.loaded else WindowPage.NOTHING

    def _is_loading(self) -> bool:
        """True before the stored mail is listed, and while an account fetches the first mail."""
        if not self._model.loaded:
            return True
        is_working = any(
            state.phase in (Phase.CONNECTING, Phase.WORKING)
            for state in self._lines.states.values()
        )
        return is_working and not len(self._model.mail.messages)

    def _searched(self) -> str:
        return self._model.arrangement.choice.words.strip()

    def _empty_offer(self) -> str:
        """Return the text of the button for another list to search."""
        if self._searched() and not self._is_loading():
            return self._head.elsewhere.text()
        return ""

    def _empty_text(self) -> str:
        if self._is_loading():
            return tr("Loading mail…")
        searched = self._searched()
        if searched:
            text = tr("No messages match “{words}”.")
            return text.format(words=searched[:LONGEST_WORDS])
        texts = {
            Kind.UNSURE: tr("No unsure messages here."),
            Kind.SPAM: tr("No spam here."),
            Kind.UNREAD: tr("No unread messages here."),
            Kind.MARKED: tr("No marked messages here yet."),
            Kind.SORTED: tr("Nothing was sorted in the last 7 days."),
            Kind.FIRST: tr("No first messages of a sender here."),
        }
        kind = self._model.arrangement.choice.kind
        return texts.get(kind, tr("No messages here yet."))
