"""Running sign-in at the provider's web page."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import SignInPage, SignInRequest
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.plain_labels import enlarge, plain_label, show_text, wrapping_label
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.services import (
    MailboxSearch,
    SearchFailed,
    SignInEvent,
    StopSearch,
    open_address,
)


class SignInPanel(QWidget):
    """Running sign-in.

    `done` is called with the account, `failed` with the error code, None after a cancellation.
    """

    def __init__(
        self,
        searches: MailboxSearch,
        *,
        done: Callable[[Account], None],
        failed: Callable[[ErrorCode | None], None],
    ) -> None:
        super().__init__()
        self._searches = searches
        self._done = done
        self._failed = failed
        self._end: StopSearch = lambda: None
        self._page = SignInPage("")
        self.text = wrapping_label()
        self.detail = wrapping_label(kind="muted")
        self.code = enlarge(plain_label(kind="title"), 1.6)
        self.code.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy = make_button(tr("Copy the address"), self._copy)
        self.again = make_button(tr("Open again"), lambda: open_address(self._page.address))
        self.stop_button = make_button(tr("Cancel sign-in"), self.cancel)
        self._buttons = layouts.as_widget(
            layouts.row(self.copy, self.again, self.stop_button, None, spacing=6)
        )
        self.setLayout(layouts.column(self.text, self.code, self.detail, self._buttons, spacing=8))
        self.hide()

    def begin(self, account: Account, request: SignInRequest) -> None:
        self._page = SignInPage("")
        self._show(tr("Contacting the sign-in page of your mail provider…"))
        done = tr("Signed in. You can close this page and return to nbmail.")
        failed = tr("The sign-in failed. nbmail shows the reason.")
        self._end = self._searches.sign_in(account, request, (done, failed), self._receive)

    def cancel(self) -> None:
        """End the sign-in. The browser's answer is not accepted any more."""
        self.stop()
        self._failed(None)

    def stop(self) -> None:
        """End the sign-in without a call of `failed`."""
        self._end()
        self.hide()

    def _receive(self, news: SignInEvent) -> None:
        if isinstance(news, SignInPage):
            self._show_page(news)
        elif isinstance(news, SearchFailed):
            notice = error_notice(news.error_code)
            text = join_sentences(notice.sentence, notice.advice)
            self._show(text, news.detail[:300], running=False)
            self._failed(news.error_code)
        else:
            self.hide()
            self._done(news)

    def _show_page(self, page: SignInPage) -> None:
        """Open the provider's page, or show the code for a page on another device."""
        self._page = page
        if page.code:
            text = tr("Open {address} on any device, sign in there and enter this code:")
            self._show(text.format(address=page.address), code=page.code)
        else:
            text = tr("Sign in on the page in your browser. If none has opened, copy the address.")
            self._show(text)
            open_address(page.address)

    def _show(self, text: str, detail: str = "", *, code: str = "", running: bool = True) -> None:
        show_text(self.text, text)
        show_text(self.detail, detail)
        show_text(self.code, code)
        self._buttons.setVisible(running)
        for button in (self.copy, self.again):
            button.setVisible(bool(self._page.address))
        announce(self, f"{text} {code}")
        self.show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._page.address)
        show_text(self.detail, tr("Copied to the clipboard."))
