"""Sign-in at the mail provider: page in the browser, or code on another device."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import SignInPage, SignInRequest
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import enlarge, join_sentences, plain_label, wrapping_label
from nbmail.ui.window.notices import announce, make_button
from nbmail.ui.window.services import MailboxSearch, SearchFailed, SignInEvent, StopSearch, open_address


class SignInPanel(QWidget):
    """A sign-in that runs: what to do, and the reason if it failed.

    `done` is called with the account, which has its authorization server; `failed` with the error code, or None after
    a cancellation.
    """

    def __init__(
        self, searches: MailboxSearch, *, done: Callable[[Account], None], failed: Callable[[ErrorCode | None], None]
    ) -> None:
        super().__init__()
        self._searches, self._done, self._failed = searches, done, failed
        self._end: StopSearch = lambda: None
        self._page = SignInPage("")
        self.text, self.detail = wrapping_label(), wrapping_label(kind="muted")
        self.code = enlarge(plain_label(kind="title"), 1.6)
        self.code.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy = make_button(tr("Copy the address"), self._copy)
        self.again = make_button(tr("Open again"), self._open)
        self.stop_button = make_button(tr("Cancel sign-in"), self.cancel)
        self._buttons = layouts.as_widget(layouts.row(self.copy, self.again, self.stop_button, None, spacing=6))
        self.setLayout(layouts.column(self.text, self.code, self.detail, self._buttons, spacing=8))
        self.hide()

    def begin(self, account: Account, request: SignInRequest) -> None:
        """Start a sign-in."""
        self._page = SignInPage("")
        self._show(tr("Contacting the sign-in page of your mail provider…"))
        page = (
            tr("Signed in. You can close this page and return to nbmail."),
            tr("The sign-in failed. nbmail shows the reason."),
        )
        self._end = self._searches.sign_in(account, request, page, self._receive)

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
            self._page = news
            if news.code:
                text = tr("Open {address} on any device, sign in there and enter this code:")
                self._show(text.format(address=news.address), code=news.code)
            else:
                self._show(tr("Sign in on the page in your browser. If none has opened, copy the address."))
                self._open()
        elif isinstance(news, SearchFailed):
            notice = error_notice(news.error_code)
            self._show(join_sentences(notice.sentence, notice.advice), news.detail[:300], running=False)
            self._failed(news.error_code)
        else:
            self.hide()
            self._done(news)

    def _show(self, text: str, detail: str = "", *, code: str = "", running: bool = True) -> None:
        for label, words in ((self.text, text), (self.detail, detail), (self.code, code)):
            label.setText(words)
            label.setVisible(bool(words))
        self._buttons.setVisible(running)
        for button in (self.copy, self.again):
            button.setVisible(bool(self._page.address))
        announce(self, f"{text} {code}")
        self.show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._page.address)
        self.detail.setText(tr("Copied to the clipboard."))
        self.detail.show()

    def _open(self) -> None:
        open_address(self._page.address)


class SignInDialog(ScrollDialog):
    """New sign-in of an existing account. It begins at once. `done` is called after a successful sign-in."""

    def __init__(
        self,
        parent: QWidget,
        searches: MailboxSearch,
        account: Account,
        *,
        done: Callable[[], None],
        change: Callable[[], None],
    ) -> None:
        super().__init__(parent, tr("Sign in: {account}").format(account=account.name))
        self._done, self._change = done, change
        self.panel = SignInPanel(searches, done=self._finish, failed=self._stop)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.settings = buttons.addButton(tr("Account settings…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.settings.clicked.connect(self._open_settings)
        self.settings.hide()
        buttons.rejected.connect(self.reject)
        self.set_contents(layouts.column(self.panel), buttons, 480)
        self.panel.begin(account, SignInRequest(account.sign_in))

    def _finish(self, account: Account) -> None:
        self.accept()
        self._done()

    def _stop(self, error_code: ErrorCode | None) -> None:
        """Close after a cancellation; offer the settings after an error."""
        if error_code is None:
            self.reject()
        else:
            self.settings.show()

    def _open_settings(self) -> None:
        self.reject()
        self._change()

    def done(self, result: int) -> None:
        self.panel.stop()
        super().done(result)
