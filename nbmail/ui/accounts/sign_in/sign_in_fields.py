"""Fields of the account form for the password, or another way to sign in."""

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget

from nbmail.settings import Account
from nbmail.sync.mailbox_values import Issuer, SignInRequest
from nbmail.ui.kit.fields import add_plain_row, combo_of
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.texts.language import tr


class Way(StrEnum):
    """Way to sign in."""

    PASSWORD = "password"
    BROWSER = "browser"
    CODE = "code"


class SignInFields:
    """Rows of a form for the password or another way to sign in.

    `changed` is called after a choice of the user.
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
        """False if the user needs an own client ID.

        At servers that are not in nbmail's table, nbmail registers.
        """
        return bool(self._offer.client_id) or not self._offer.name

    @property
    def chosen(self) -> Way:
        return Way(self.way.currentData())

    def show(self, *, remote: bool) -> None:
        """Show the rows that the chosen way needs. `remote`: the mail is on a server."""
        by_password = remote and self.chosen is Way.PASSWORD
        signs_in = remote and not by_password
        own = signs_in and self.own.isChecked()
        needs_own = signs_in and not self._is_registered
        self.note.setText(self._note_text())
        form = self._form
        form.setRowVisible(self.way, remote)
        form.setRowVisible(self.password, by_password)
        form.setRowVisible(self.issuer, signs_in and not self._offer.name)
        form.setRowVisible(self.own, signs_in)
        form.setRowVisible(self.note, own or needs_own)
        form.setRowVisible(self.client_id, own)
        form.setRowVisible(self.client_secret, own)

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
        has_code = bool(self._offer.device) or not self._offer.name
        with QSignalBlocker(self.way):
            self.way.clear()
            for way, text in texts.items():
                if way is not Way.CODE or has_code:
                    self.way.addItem(text, way)
            self.way.setCurrentIndex(int(bool(closed_host)))

    def _note_text(self) -> str:
        """Return how to register a client, and why that is needed."""
        offer = self._offer
        lines = []
        if not self._is_registered:
            lines.append(self._unregistered_text().format(provider=offer.name))
        register = tr(
            "1. Register a desktop program (public client) with the redirect address "
            "{redirect} at {page}."
        )
        page = offer.register_page or tr("your provider's page for developers")
        lines.append(register.format(redirect=f"http://{offer.loopback}/", page=page))
        allow = tr("2. Allow it this access: {scope}. Then enter its client ID here.")
        lines.append(allow.format(scope=offer.scope or tr("mail over IMAP")))
        return "\n".join(lines)

    def _unregistered_text(self) -> str:
        if self._closed:
            return tr(
                "nbmail has no client ID at {provider} yet. To sign in there, use your own "
                "client ID."
            )
        return tr(
            "nbmail has no client ID at {provider} yet. Use an app password if there is one, "
            "or your own client ID."
        )

    def request(self) -> SignInRequest:
        issuer = "" if self._offer.name else self.issuer.text().strip().rstrip("/")
        if issuer and "://" not in issuer:
            issuer = f"https://{issuer}"
        by_code = self.chosen is Way.CODE
        if not self.own.isChecked():
            return SignInRequest(issuer, by_code=by_code)
        return SignInRequest(
            issuer,
            client_id=self.client_id.text().strip(),
            client_secret=self.client_secret.text().strip(),
            by_code=by_code,
        )
