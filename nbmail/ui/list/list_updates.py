"""Keeps the list, the figures around it and the buttons in step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

from nbmail.ui.accounts.account_texts import state_words
from nbmail.ui.kit.language import tr
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.window import window_layout
from nbmail.worker.protocol import Learned, ListMail, Phase, Rows, ShowRows

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow


class ListKeeper:
    """Asks for the list, chooses what it shows, counts, and says what is on the screen."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._learned: Learned | None = None

    def list_mail(self) -> None:
        """Ask for the whole list."""
        self._window.talk.ask(ListMail(), self._show_list)

    def _show_list(self, rows: Rows) -> None:
        table = self._window.table
        message = table.current_message()
        self._window.model.begin(rows)
        table.go_to_message(message) if message >= 0 else table.go_to(0)
        self.tell_visible()

    def show_choice(self, choice: Choice) -> None:
        """Show a smart list or a folder, with the words that are searched for."""
        window = self._window
        chosen = replace(choice, words=window.search.text())
        window.model.arrange(replace(window.model.arrangement, choice=chosen))
        window.sidebar.show_choice(choice)
        self.settle_down()

    def search(self) -> None:
        """Search for what stands in the field now."""
        self.show_choice(self._window.model.arrangement.choice)

    def settle_down(self) -> None:
        """Put the cursor on the newest message once there is one: a message to read, and keys that do something."""
        if not self._window.model.rowCount():
            self._window.reader.go_to(-1)
        elif not self._window.table.currentIndex().isValid():
            self._window.table.go_to(0)
        self.enable()

    def count(self) -> None:
        """Bring all figures up to date."""
        window, model = self._window, self._window.model
        mail = model.mail
        if mail is not None:
            window.sidebar_model.show_counts(mail.count_kinds(None), mail.count_folders())
        window.table.say(_fetching_words(window) or _nothing_words(model))
        window.head.show_list(model.arrangement, model.rowCount(), stale=model.stale)
        window.panes.show_page(self._page())

    def _page(self) -> window_layout.Page:
        """Without a mailbox there is nothing to show, unless mail of an earlier one is kept."""
        mail = self._window.model.mail
        if self._window.settings.accounts or (mail is not None and len(mail.messages)):
            return window_layout.Page.MAIL
        return window_layout.Page.WELCOME if mail is not None else window_layout.Page.NOTHING

    def tell_visible(self) -> None:
        """Tell the engine what is on the screen: that is scored first."""
        table, model = self._window.table, self._window.model
        first, last = table.rowAt(0), table.rowAt(table.viewport().height())
        last = model.rowCount() - 1 if last < 0 else last
        if first >= 0:
            self._window.talk.ask(ShowRows(tuple(model.message_at(row) for row in range(first, last + 1))))

    def tell_time(self) -> None:
        """Bring "4 minutes ago" and "tries again in 30 seconds" up to date."""
        window = self._window
        window.sidebar.viewport().update()
        for state in list(window.sidebar_model.states.values())[-1:]:
            window.status.account.setText(state_words(state, window.clock()))

    def learn(self, learned: Learned) -> None:
        """What can be undone and redone has changed."""
        self._learned = learned
        self.enable()

    def enable(self) -> None:
        """Offer what can be done now."""
        mail, learned = self._window.model.mail, self._learned
        chosen = mail.count_chosen() if mail is not None else 0
        self._window.head.show_chosen(chosen)
        actions = self._window.actions_by_name
        for name in ("junk", "good", "clear"):
            actions[name].setEnabled(chosen > 0)
        actions["undo"].setEnabled(learned is not None and learned.undo > 0)
        actions["redo"].setEnabled(learned is not None and learned.redo > 0)

    def open_menu(self, place: QPoint) -> None:
        """What can be done with the message under the mouse."""
        table = self._window.table
        menu = window_layout.context_menu(self._window)
        # While a menu is open the list hears nothing of the mouse: no row is under it until it moves again.
        table.painter_of_rows.hovered = -1
        menu.aboutToHide.connect(table.viewport().update)
        menu.popup(table.viewport().mapToGlobal(place))


def _fetching_words(window: MainWindow) -> str:
    """An account that is at work may still fill an empty list."""
    mail, states = window.model.mail, window.sidebar_model.states.values()
    busy = any(state.phase in (Phase.CONNECTING, Phase.WORKING) for state in states)
    return tr("Fetching your mail…") if busy and mail is not None and not len(mail.messages) else ""


def _nothing_words(model: MailModel) -> str:
    """Why there is nothing in the list."""
    choice = model.arrangement.choice
    if model.rowCount():
        return ""
    if model.mail is None:
        return tr("Opening your mail…")
    if choice.words.strip():
        return tr("No message here matches “{words}”.").format(words=choice.words.strip()[:80])
    return {
        Kind.UNSURE: tr("Nothing to decide: every message here has its verdict."),
        Kind.JUNK: tr("No junk here."),
        Kind.UNREAD: tr("Everything here has been read."),
        Kind.MARKED: tr("Nothing here has been learned from yet."),
    }.get(choice.kind, tr("No messages here yet."))
