"""Sign-in of an account: password, the provider's web page, or a code on another device; own client
ID.
"""

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import Issuer, SignInPage, SignInRequest
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import ScrollDialog, close_button
from nbmail.ui.kit.fields import add_plain_row, combo_of
from nbmail.ui.kit.labels import enlarge, plain_label, show_text, wrapping_label
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


class Way(StrEnum):
    """Way to sign in."""

    PASSWORD = "password"
    BROWSER = "browser"
    CODE = "code"


class SignInFields:
    """Rows of a form for the password or another way to sign in. `changed` is called after a choice
    of the user.
    """

    def __init__(self, form: QFormLayout, changed: Callable[[], None]) -> None:
        self._form = form
        self._changed = changed
        secret = QLineEdit.EchoMode.Password
        self._offer = Issuer("", "")
        self._closed = False
        self.way = combo_of((), tr("Sign in with"))
        self.own = QCheckBox(tr("Use your own client ID"))
        self.password = QLineEdit(echoMode=secret)
        self.client_id = QLineEdit()
        self.issuer = QLineEdit(placeholderText=tr("Known for large providers"))
        self.client_secret = QLineEdit(
            placeholderText=tr("Only if your provider gives one"), echoMode=secret
        )
        self.note = wrapping_label(kind="muted")
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._fill_ways()
        self._add_row(tr("Sign in with"), self.way)
        self._add_row(tr("Password"), self.password)
        self._add_row(tr("Sign-in server"), self.issuer)
        form.addRow("", self.own)
        form.addRow("", self.note)
        self._add_row(tr("Client ID"), self.client_id)
        self._add_row(tr("Client secret"), self.client_secret)
        self.way.currentIndexChanged.connect(self._choose)
        self.own.toggled.connect(changed)

    def _add_row(self, name: str, field: QWidget) -> None:
        field.setAccessibleName(name)
        add_plain_row(self._form, name, field)

    def _choose(self) -> None:
        if self.chosen is not Way.PASSWORD and not self._is_registered:
            self.own.setChecked(True)
        self._changed()

    @property
    def _is_registered(self) -> bool:
        """False if the user needs an own client ID. At other servers than nbmail's table has,
        nbmail registers.
        """
        return bool(self._offer.client_id) or not self._offer.name

    @property
    def chosen(self) -> Way:
        return Way(self.way.currentData())

    def show(self, *, remote: bool) -> None:
        """Show the rows that the chosen way needs. `remote`: the mail is on a server."""
        signs = remote and self.chosen is not Way.PASSWORD
        own = signs and self.own.isChecked()
        self.note.setText(self._note_text())
        for field, visible in (
            (self.way, remote),
            (self.password, remote and not signs),
            (self.issuer, signs and not self._offer.name),
            (self.own, signs),
            (self.note, own or (signs and not self._is_registered)),
            (self.client_id, own),
            (self.client_secret, own),
        ):
            self._form.setRowVisible(field, visible)

    def offer(self, offer: Issuer | None, host: str, *, closed: bool) -> None:
        """Take the sign-in of a found server. `closed`: it accepts no passwords."""
        self._offer = offer or Issuer("", "")
        self._closed = closed
        self.issuer.setText(self._offer.issuer)
        self.own.setChecked(False)
        self._fill_ways(host if closed else "")
        self._choose()

    def fill(self, account: Account) -> None:
        self.issuer.setText(account.sign_in)
        self.way.setCurrentIndex(int(bool(account.sign_in)))

    def _fill_ways(self, closed_host: str = "") -> None:
        """List the ways of the offer. `closed_host`: server that accepts no passwords, or empty."""
        password = tr("Password")
        page = tr("The provider's web page")
        if closed_host:
            password = tr("Password anyway, sent to {host}").format(host=closed_host)
        if self._offer.name:
            page = tr("The web page of {provider}").format(provider=self._offer.name)
        texts = {
            Way.PASSWORD: password,
            Way.BROWSER: page,
            Way.CODE: tr("A code on another device"),
        }
        with QSignalBlocker(self.way):
            self.way.clear()
            for way, text in texts.items():
                if way is not Way.CODE or self._offer.device or not self._offer.name:
                    self.way.addItem(text, way)
            self.way.setCurrentIndex(int(bool(closed_host)))

    def _note_text(self) -> str:
        offer = self._offer
        lines = [
            tr(
                "1. Register a desktop program (public client) with the redirect address "
                "{redirect} at {page}."
            ),
            tr("2. Allow it this access: {scope}. Then enter its client ID here."),
        ]
        if not self._is_registered:
            text = tr(
                "nbmail has no client ID at {provider} yet. Use an app password if there is "
                "one, or your own client ID."
            )
            if self._closed:
                text = tr(
                    "nbmail has no client ID at {provider} yet. To sign in there, use your "
                    "own client ID."
                )
            lines.insert(0, text)
        page = offer.register_page or tr("your provider's page for developers")
        scope = offer.scope
        named = {
            "redirect": f"http://{offer.loopback}/",
            "page": page,
            "scope": scope or tr("mail over IMAP"),
        }
        return "\n".join(line.format(provider=offer.name, **named) for line in lines)

    def request(self) -> SignInRequest:
        issuer = "" if self._offer.name else self.issuer.text().strip().rstrip("/")
        if issuer and "://" not in issuer:
            issuer = f"https://{issuer}"
        own = self.client_id.text().strip(), self.client_secret.text().strip()
        return SignInRequest(
            issuer, *(own if self.own.isChecked() else ("", "")), self.chosen is Way.CODE
        )


class SignInPanel(QWidget):
    """Running sign-in. `done`: called with the account; `failed`: with the error code, None after a
    cancellation.
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
            self._page = news
            if news.code:
                text = tr("Open {address} on any device, sign in there and enter this code:")
                self._show(text.format(address=news.address), code=news.code)
            else:
                self._show(
                    tr("Sign in on the page in your browser. If none has opened, copy the address.")
                )
                open_address(news.address)
        elif isinstance(news, SearchFailed):
            notice = error_notice(news.error_code)
            self._show(
                join_sentences(notice.sentence, notice.advice), news.detail[:300], running=False
            )
            self._failed(news.error_code)
        else:
            self.hide()
            self._done(news)

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


class SignInDialog(ScrollDialog):
    """New sign-in of an existing account. It begins at once. `done` is called after a successful
    sign-in.
    """

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
        self.panel = SignInPanel(searches, done=lambda _: self.accept(), failed=self._stop)
        buttons = close_button(self)
        self.settings = buttons.addButton(
            tr("Account settings…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.settings.clicked.connect(self.reject)
        self.settings.clicked.connect(lambda _: change())
        self.settings.hide()
        self.accepted.connect(done)
        self.set_contents(layouts.column(self.panel), buttons, 480)
        self.panel.begin(account, SignInRequest(account.sign_in))

    def _stop(self, error_code: ErrorCode | None) -> None:
        """Close after a cancellation; offer the settings after an error."""
        if error_code is None:
            self.reject()
        else:
            self.settings.show()

    def done(self, result: int) -> None:
        self.panel.stop()
        super().done(result)
