"""The figures around the list, and what stands in its place where there is nothing to list."""

from nbmail.ui.accounts.sidebar import Sidebar
from nbmail.ui.kit.language import tr
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.list.list_heading import ListHead
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.window_layout import Panes, WindowPage
from nbmail.values import Phase


class ListFigures:
    """Counts the messages of each list and folder, and chooses the page of the window."""

    def __init__(
        self, table: MailTable, head: ListHead, sidebar: Sidebar, panes: Panes, settings: CurrentSettings
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
