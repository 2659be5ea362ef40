"""The part of a dialog that looks for a mail server and shows every step of it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.ui.accounts.settings_search import (
    GiveUp,
    SearchNews,
    TellSearch,
    found_words,
    not_found_words,
    tried_words,
)
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import plain_tip, wrapping_label
from nbmail.ui.window.notices import announce, make_button, quiet_button
from nbmail.values import MailServer, ServerFound, ServerTried

Find = Callable[[str, TellSearch], GiveUp]


class ServerSearch(QWidget):
    """Starts a search, shows its steps, hands what it found to `found`. Has no signals of its own.

    Whoever ends a search by what `find` answered is told no more of it.
    """

    def __init__(
        self, find: Find, found: Callable[[ServerFound], None], *, open_address: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._find, self._found, self._open_address = find, found, open_address
        self._end_search: GiveUp = lambda: None
        self.told: Callable[[], None] = lambda: None
        """Called when something was said."""
        self._page = self._address = ""
        self.busy = False
        self._steps: dict[MailServer, ServerTried] = {}
        self.steps, self.outcome = wrapping_label(kind="muted"), wrapping_label()
        self.steps.setAccessibleName(tr("Servers asked"))
        self.stop_button = quiet_button(tr("Stop looking"), self.give_up)
        self.page_button = make_button(tr("Make an app password…"), lambda: self._open_address(self._page))
        first = layouts.row((self.outcome, 1), (self.stop_button, Qt.AlignmentFlag.AlignTop), spacing=6)
        page = (self.page_button, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(layouts.column(first, self.steps, page, spacing=6))
        for widget in (self.stop_button, self.page_button, self):
            widget.hide()

    def look(self, address: str, *, again: bool = False) -> None:
        """Look for the server of this address, unless that goes on, or was done already and not asked for `again`."""
        if address == self._address and (self.busy or not again):
            return
        self.stop()
        self._address, self.busy = address, True
        self._steps.clear()
        self.steps.clear()
        self._show_end(tr("Looking for your mail server. Neither your name nor your password is sent."))
        self._end_search = self._find(address, self._hear)

    def stop(self) -> None:
        self.busy = False
        self._end_search()

    def give_up(self) -> None:
        self.stop()
        self._show_end(tr("Stopped. Type the server's name above, or press “Find settings” to look again."))

    def _hear(self, news: SearchNews) -> None:
        if isinstance(news, ServerTried):
            self._steps[news.server] = news
            self.steps.setText("\n".join(tried_words(each) for each in self._steps.values()))
            self.steps.show()
            return
        self.busy = False
        if isinstance(news, ServerFound):
            self._show_end(found_words(news), news.password_page)
            self._found(news)
        else:
            self._address = ""
            self._show_end(not_found_words(news))

    def _show_end(self, words: str, page: str = "") -> None:
        self._page = page
        self.outcome.setText(words)
        announce(self, words)
        self.page_button.setVisible(bool(page))
        self.page_button.setToolTip(plain_tip(page))
        self.stop_button.setVisible(self.busy)
        self.steps.setVisible(bool(self.steps.text()))
        self.setVisible(bool(words))
        self.told()
