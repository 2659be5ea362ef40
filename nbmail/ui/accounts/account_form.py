"""Form with the settings of an account, on a server or on this computer."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from enum import Enum, auto
from itertools import count

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from nbmail.settings import Account, Security
from nbmail.sync.mailbox_values import LocalMailbox, MailServer, ServerFound
from nbmail.ui.accounts.behavior_fields import BehaviorFields
from nbmail.ui.accounts.sign_in.sign_in_fields import SignInFields, Way
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.fields import add_plain_row, combo_of, form_layout
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr

PORTS = {Security.TLS: 993, Security.STARTTLS: 143, Security.PLAIN: 143}
Problem = tuple[str, QWidget]
"""Text about a missing or wrong value, and its field."""


class Shown(Enum):
    """Accounts that a row of the form is shown for."""

    NEW_ON_SERVER = auto()
    ON_SERVER = auto()
    KNOWN_ON_SERVER = auto()
    UNTRUSTED_SERVER = auto()
    FOUND_HERE = auto()
    HERE = auto()
    KNOWN = auto()


class AccountForm(QWidget):
    """Fields of an account. `before`: existing account to change, None for a new one.

    Signals: `changed()` if the settings may have become ready to be tested, or no longer are.
    `forgotten()` after they were cleared because the address has another domain.
    """

    changed = Signal()
    forgotten = Signal()

    def __init__(self, before: Account | None = None) -> None:
        super().__init__()
        self._before = before
        self.local = bool(before and before.path)
        self._place: LocalMailbox | None = None
        self._shows_authority = before is not None
        self._domain = ""
        """Domain of the address that the settings were found or typed for."""
        self._form = form_layout()
        self._rows: list[tuple[Shown, QWidget]] = []
        self.setLayout(self._form)
        self._make_connection()
        self._make_behavior()
        if before is not None:
            self._fill(before)
        self._connect()
        self.show_kind(local=self.local)

    def _make_connection(self) -> None:
        self.address = QLineEdit(placeholderText="you@example.org")
        self.find_settings = make_button(tr("Find settings"))
        self.server = QLineEdit(placeholderText="imap.example.org")
        self.user = QLineEdit()
        self.agree = QCheckBox()
        securities = (
            (tr("TLS (recommended)"), Security.TLS),
            (tr("STARTTLS"), Security.STARTTLS),
            (tr("None (others can read everything)"), Security.PLAIN),
        )
        self.security = combo_of(securities)
        self.port = QLineEdit("993")
        self.port.setValidator(QIntValidator(1, 65535, self.port))
        self.port.setFixedWidth(84)
        self.authority = QLineEdit(placeholderText=tr("Only for your own server"))
        self.browse_authority = make_button(tr("Choose file…"))
        self.places = QComboBox()
        self.path = QLineEdit()
        # With long words on the buttons, the row gets below its name.
        self.path.setMinimumWidth(scaled(self, 180))
        self.browse = make_button(tr("Choose folder…"))
        self.browse_file = make_button(tr("Choose file…"))
        self._add_connection_rows()

    def _add_connection_rows(self) -> None:
        on_server = Shown.ON_SERVER
        self._add_row(Shown.NEW_ON_SERVER, tr("Email address"), self.address, self.find_settings)
        self._add_row(on_server, tr("Server"), self.server)
        self._form.addRow("", self.agree)
        self._add_row(on_server, tr("Security"), self.security, self.port)
        self._add_row(on_server, tr("User name"), self.user)
        self.sign_in = SignInFields(self._form, lambda: self.show_kind(local=self.local))
        self.password = self.sign_in.password
        self._add_row(
            Shown.UNTRUSTED_SERVER, tr("Certificate file"), self.authority, self.browse_authority
        )
        self._add_row(Shown.FOUND_HERE, tr("Found on this computer"), self.places)
        self._add_row(Shown.HERE, tr("Folder or file"), self.path, self.browse, self.browse_file)
        self.port.setAccessibleName(tr("Port"))

    def _make_behavior(self) -> None:
        self.behavior = BehaviorFields(self._before or Account(""))
        self.choose_folders = make_button(tr("Choose folders…"))
        self.test_connection = make_button(tr("Test connection"))
        fields = self.behavior
        self._add_row(Shown.KNOWN_ON_SERVER, tr("Spam folder"), fields.spam_target)
        self._add_row(Shown.KNOWN_ON_SERVER, tr("Sorting begins"), fields.sorting_loss)
        self._add_row(Shown.KNOWN_ON_SERVER, tr("Sorting"), fields.sorts_alone)
        self._add_row(Shown.KNOWN_ON_SERVER, tr("Moved elsewhere"), fields.learn_moves)
        self._add_row(Shown.KNOWN, tr("Sender checks by"), fields.trusted)
        self._add_row(Shown.KNOWN, tr("Folders"), self.choose_folders, self.test_connection)

    def _add_row(self, shown: Shown, name: str, *widgets: QWidget) -> None:
        """Add a row. The first widget has the name of the row and takes the free width."""
        for widget in widgets:
            widget.setAccessibleName(widget.text() if isinstance(widget, QPushButton) else name)
            if isinstance(widget, QComboBox):
                # On Linux, the name of a combo box is its current text.
                widget.setAccessibleDescription(name)
        first = widgets[0]
        row = first
        if len(widgets) > 1:
            row = layouts.as_widget(layouts.row((first, 1), *widgets[1:], spacing=6))
        add_plain_row(self._form, name, row, first)
        self._rows.append((shown, row))

    def _fill(self, account: Account) -> None:
        self._take_server(MailServer(account.host, account.port, account.security))
        self.user.setText(account.user)
        self.path.setText(account.path)
        self.password.setPlaceholderText(tr("Leave empty to keep the current one"))
        self.authority.setText(account.authority_file)
        self.sign_in.fill(account)

    def _connect(self) -> None:
        self.security.currentIndexChanged.connect(self._fill_port)
        self.address.textEdited.connect(self._edit_address)
        self.server.textChanged.connect(self.changed)
        self.server.textEdited.connect(self._edit_server)
        self.password.textEdited.connect(self._claim)
        self.agree.toggled.connect(self.changed)
        self.places.activated.connect(self._take_place)
        self.path.textEdited.connect(self.take_path)

    def _fill_port(self) -> None:
        self.port.setText(str(PORTS[self._security()]))

    def _security(self) -> Security:
        return Security(self.security.currentData())

    # ---------------------------------------------------------------------------------------------
    # rows

    def show_kind(self, *, local: bool) -> None:
        """Show the fields of an account on this computer, or of one on a server."""
        self.local = local
        for shown, row in self._rows:
            self._form.setRowVisible(row, self._is_shown(shown))
        self._form.setRowVisible(self.agree, not local and bool(self.agree.text()))
        self.test_connection.setVisible(not local)
        self.sign_in.show(remote=not local)
        self.changed.emit()

    def _is_shown(self, shown: Shown) -> bool:
        known = self._before is not None
        remote = not self.local
        answers = {
            Shown.NEW_ON_SERVER: remote and not known,
            Shown.ON_SERVER: remote,
            Shown.KNOWN_ON_SERVER: remote and known,
            Shown.UNTRUSTED_SERVER: remote and self._shows_authority,
            Shown.FOUND_HERE: self.local and not known and self.places.count() > 0,
            Shown.HERE: self.local,
            Shown.KNOWN: known,
        }
        return answers[shown]

    def show_authority(self) -> None:
        """Show the field for a certificate file: the server's certificate is not trusted."""
        self._shows_authority = True
        self.show_kind(local=self.local)

    # ---------------------------------------------------------------------------------------------
    # mail on this computer

    def offer_places(self, places: tuple[LocalMailbox, ...]) -> None:
        self.places.clear()
        if places:
            self.places.addItem(tr("Mail from other programs…"))
        for place in places:
            number = len(place.folders)
            folders = tr("1 folder")
            if number != 1:
                folders = tr("{count} folders").format(count=number)
            self.places.addItem(f"{place.name} ({folders})", place)
        self.show_kind(local=self.local)

    def _take_place(self, row: int) -> None:
        place = self.places.itemData(row)
        if isinstance(place, LocalMailbox):
            self.path.setText(place.path)
            self._place = place

    def take_path(self, path: str) -> None:
        """Use a path that the user entered or selected in a dialog."""
        self._place = None
        if path != self.path.text():
            self.path.setText(path)

    # ---------------------------------------------------------------------------------------------
    # settings that belong to the domain of an address

    def take_found(self, found: ServerFound) -> None:
        """Use the found settings, except for fields that the user changed."""
        self._claim()
        if not self.user.isModified():
            self.user.setText(found.user)
        if not self.server.isModified():
            self._take_found_server(found)

        if self.agree.isVisible():
            self.agree.setFocus()
        elif self.password.isVisible():
            self.password.setFocus()
        else:
            self.sign_in.way.setFocus()

    def _take_found_server(self, found: ServerFound) -> None:
        self._take_server(found.server)
        host = found.server.host
        confirmation = ""
        if found.foreign:
            text = tr("Use {host}, which is not in {domain}")
            confirmation = text.format(host=host, domain=self._domain)
        self._set_foreign(confirmation)
        self.sign_in.offer(found.sign_in, host, closed=found.closed)

    def _take_server(self, server: MailServer) -> None:
        self.server.setText(server.host)
        self.security.setCurrentIndex(self.security.findData(server.security))
        self.port.setText(str(server.port))

    def _set_foreign(self, text: str) -> None:
        """Let the user confirm a server outside the domain of the address; empty without one."""
        self.agree.setText(text)
        self.agree.setChecked(False)
        self._form.setRowVisible(self.agree, bool(text))

    def _edit_server(self) -> None:
        self._claim()
        self._set_foreign("")

    def _edit_address(self, address: str) -> None:
        """Clear settings and password of another domain."""
        if self._domain and _domain(address) != self._domain:
            self._forget()
        if not self.user.isModified():
            self.user.setText(address.strip())

    def _forget(self) -> None:
        self._domain = ""
        for field in (self.server, self.user, self.password):
            field.clear()
            field.setModified(False)
        self._take_server(MailServer(""))
        self._set_foreign("")
        self.sign_in.offer(None, "", closed=False)
        self.forgotten.emit()

    def _claim(self) -> None:
        """Note the domain that the settings were found or typed for."""
        self._domain = _domain(self.address.text())

    def claim_if_typed(self) -> None:
        """Let settings that were typed before the address belong to its domain."""
        if self.server.text() or self.password.text():
            self._claim()

    @property
    def is_ready(self) -> bool:
        """True if a mailbox is named, and a server in another domain is confirmed."""
        if self.local:
            return True
        is_confirmed = not self.agree.text() or self.agree.isChecked()
        return bool(self.server.text().strip()) and is_confirmed

    # ---------------------------------------------------------------------------------------------
    # the entered settings

    def account(self, taken: Collection[str] = ()) -> Account:
        """Return the entered settings.

        A new account on this computer gets a name that is not in `taken`.
        """
        account = self.behavior.with_trusted(self._before or Account(""))
        if self.local:
            path = self.path.text().strip()
            return replace(account, name=account.name or self._free_name(taken), path=path)

        address = self.address.text().strip()
        user = self.user.text().strip()
        return replace(
            self.behavior.with_server_choices(account),
            name=account.name or address or user,
            host=self.server.text().strip(),
            port=int(self.port.text() or 0),
            security=self._security(),
            user=user,
            sign_in="" if self.sign_in.chosen is Way.PASSWORD else account.sign_in,
            authority_file=self.authority.text().strip(),
        )

    def _free_name(self, taken: Collection[str]) -> str:
        """Return a name for mail on this computer, with a number if there is such an account."""
        if self._place is not None:
            wanted = self._place.name
        else:
            path = self.path.text().strip()
            wanted = path.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or path
        if wanted not in taken:
            return wanted
        numbered = (f"{wanted} {number}" for number in count(2))
        return next(name for name in numbered if name not in taken)

    def missing(self, taken: Collection[str] = ()) -> Problem:
        """Return the first missing or wrong value. Its text is empty if all are valid."""
        account = self.account(taken)
        if self.local:
            text = "" if account.path else tr("Choose the folder or file that contains the mail.")
            return text, self.path
        return next(self._problems(account, taken), ("", self.password))

    def _problems(self, account: Account, taken: Collection[str]) -> Iterator[Problem]:
        if not account.host:
            yield tr("Enter the mail server, for example imap.example.org."), self.server
        if not self.port.hasAcceptableInput():
            yield tr("Enter a port from 1 to 65535. Most servers use 993."), self.port
        if not account.user:
            yield tr("Enter the user name. It is often the full email address."), self.user
        if account.name in taken:
            text = tr("This account already exists. To change it, right-click it in the sidebar.")
            yield text, self.address
        if self.sign_in.chosen is Way.PASSWORD:
            if self._needs_password(account) and not self.password.text():
                yield self._password_text(), self.password
        elif self.sign_in.own.isChecked() and not self.sign_in.client_id.text().strip():
            text = tr("Enter your client ID, or sign in without one.")
            yield text, self.sign_in.client_id
        if not self.is_ready:
            text = tr("Confirm the server first: it is not in the domain of your address.")
            yield text, self.agree

    def _needs_password(self, account: Account) -> bool:
        """True unless the stored password goes to the server that it was entered for."""
        before = self._before
        if before is None:
            return True
        known = (before.host, before.user, before.sign_in)
        return known != (account.host, account.user, "")

    def _password_text(self) -> str:
        if self._before is None:
            return tr("Enter the password, or the app password from your provider.")
        return tr(
            "Enter the password again. nbmail never sends a saved password to a different server."
        )


def _domain(address: str) -> str:
    return address.strip().rpartition("@")[2].lower() if "@" in address else ""
