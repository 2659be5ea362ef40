"""Form with the settings of an account, on a server or on this computer."""

from collections.abc import Collection
from dataclasses import replace
from itertools import chain, count

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from nbmail.settings import Account, LearnMoves, Security
from nbmail.sync.mailbox_values import LocalMailbox, MailServer, ServerFound
from nbmail.ui.accounts.sign_in import SignInFields, Way
from nbmail.ui.kit import layouts
from nbmail.ui.kit.phrases import percent, tr
from nbmail.ui.kit.plain_text import add_plain_row, plain_tip
from nbmail.ui.window.notices import make_button

LOSSES = (0.005, 0.01, 0.02, 0.05)
"""Offered limits of the upper end of the interval of lost good mail."""
PORTS = {Security.TLS: 993, Security.STARTTLS: 143, Security.PLAIN: 143}


class AccountForm(QWidget):
    """Fields of an account. `before`: existing account to change, None for a new one.

    Signals: `changed()` if the settings may have become ready to be tested, or no longer are. `forgotten()` after they
    were cleared because the address has another domain.
    """

    changed = Signal()
    forgotten = Signal()

    def __init__(self, before: Account | None = None) -> None:
        super().__init__()
        self._before, self.local = before, bool(before and before.path)
        self._place: LocalMailbox | None = None
        self._shows_authority = before is not None
        self._domain = ""
        self._make_fields()
        self._lay_out()
        if before is not None:
            self._fill(before)
        self.security.currentIndexChanged.connect(lambda: self.port.setText(str(PORTS[self._security()])))
        self.address.textEdited.connect(self._edit_address)
        self.server.textChanged.connect(self.changed)
        self.server.textEdited.connect(self._edit_server)
        self.password.textEdited.connect(self._claim)
        self.agree.toggled.connect(self.changed)
        self.places.activated.connect(self._take_place)
        self.path.textEdited.connect(self.take_path)
        self.show_kind(local=self.local)

    def _make_fields(self) -> None:
        self.address, self.server = _field("you@example.org"), _field("imap.example.org")
        self.user, self.password = _field(), _field()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.agree = QCheckBox()
        self.security = QComboBox()
        for security, text in _security_texts():
            self.security.addItem(text, security)
        self.port = QLineEdit("993")
        self.port.setValidator(QIntValidator(1, 65535, self.port))
        self.port.setFixedWidth(84)
        self.authority = _field(tr("Only for your own server"))
        self.places, self.path = QComboBox(), _field()
        self.junk_target = _field(tr("Found automatically"))
        self.learn_moves = QComboBox()
        for choice, text in (
            (LearnMoves.ASK, tr("Ask")),
            (LearnMoves.ALWAYS, tr("Always learn")),
            (LearnMoves.NEVER, tr("Never learn")),
        ):
            self.learn_moves.addItem(text, choice)
        self.sorting_loss = QComboBox()
        for share in LOSSES:
            self._offer_loss(share)
        self._choose_loss(Account("").sorting_loss)
        about = tr("Good mail that could be classified as junk: upper end of the 95 % interval of the model's test")
        self.sorting_loss.setToolTip(plain_tip(about))
        self.sorts_alone = QCheckBox(tr("Only on this computer (server without keywords)"))
        about = tr("Messages that other mail programs move to the junk folder or out of it")
        self.learn_moves.setToolTip(plain_tip(about))
        self.trusted = _field(tr("None known"))
        self.trusted.setToolTip(plain_tip(tr("Mail servers whose sender checks nbmail trusts, separated by commas")))
        self.find_settings, self.choose_folders = make_button(tr("Find settings")), make_button(tr("Choose folders…"))
        self.test_connection = make_button(tr("Test connection"))
        self.browse, self.browse_file = make_button(tr("Choose folder…")), make_button(tr("Choose file…"))
        self.browse_authority = make_button(tr("Choose file…"))

    def _lay_out(self) -> None:
        self._form = layouts.form()
        self.setLayout(self._form)
        self._address_row = self._add_row(tr("Email address"), self.address, self.find_settings)
        self._server_rows = [self._add_row(tr("Server"), self.server)]
        self._form.addRow("", self.agree)
        self.sign_in = SignInFields(self._form, self.password, self._show_way)
        self._server_rows += [
            self._add_row(tr("Security"), self.security, self.port),
            self._add_row(tr("User name"), self.user),
            self._add_row(tr("Sign in with"), self.sign_in.way),
        ]
        self._add_row(tr("Password"), self.password)
        self.sign_in.add_rows()
        self._authority_row = self._add_row(tr("Certificate file"), self.authority, self.browse_authority)
        self._places_row = self._add_row(tr("Found on this computer"), self.places)
        # With long words on the buttons, the row gets below its name.
        self.path.setMinimumWidth(layouts.scaled(self, 180))
        self._path_row = self._add_row(tr("Folder or file"), self.path, self.browse, self.browse_file)
        self.port.setAccessibleName(tr("Port"))
        self._junk_row = self._add_row(tr("Junk folder"), self.junk_target)
        self._sorting_rows = [
            self._add_row(tr("Sorting begins"), self.sorting_loss),
            self._add_row(tr("Sorting"), self.sorts_alone),
        ]
        self._moves_row = self._add_row(tr("Moved elsewhere"), self.learn_moves)
        self._trusted_row = self._add_row(tr("Sender checks by"), self.trusted)
        self._folders_row = self._add_row(tr("Folders"), self.choose_folders, self.test_connection)

    def _add_row(self, name: str, *widgets: QWidget) -> QWidget:
        for widget in widgets:
            widget.setAccessibleName(widget.text() if isinstance(widget, QPushButton) else name)
            if isinstance(widget, QComboBox):
                # On Linux, the name of a combo box is its current text.
                widget.setAccessibleDescription(name)
        if len(widgets) == 1:
            add_plain_row(self._form, name, widgets[0])
            return widgets[0]
        together = layouts.as_widget(layouts.row((widgets[0], 1), *widgets[1:], spacing=6))
        add_plain_row(self._form, name, together, widgets[0])
        return together

    def _choose_loss(self, share: float) -> None:
        if self.sorting_loss.findData(share) < 0:
            self._offer_loss(share)
        self.sorting_loss.setCurrentIndex(self.sorting_loss.findData(share))

    def _offer_loss(self, share: float) -> None:
        text = tr("at a loss of at most {share}").format(share=percent(share))
        self.sorting_loss.addItem(text, share)

    def first_field(self) -> QWidget:
        """Return the field that gets the focus first."""
        return self.path if self.local else self.address if self._before is None else self.server

    def _fill(self, account: Account) -> None:
        self._take_server(MailServer(account.host, account.port, account.security))
        self.user.setText(account.user)
        self.path.setText(account.path)
        self.password.setPlaceholderText(tr("Leave empty to keep the current one"))
        self.junk_target.setText(account.junk_folder)
        self.authority.setText(account.authority_file)
        self._choose_loss(account.sorting_loss)
        self.sorts_alone.setChecked(account.sorts_alone)
        self.learn_moves.setCurrentIndex(self.learn_moves.findData(account.learn_moves))
        self.trusted.setText(", ".join(account.trusted_servers))
        self.sign_in.fill(account)

    def show_learned(self, servers: tuple[str, ...]) -> None:
        """Show the servers that check senders and were learned from the inbox."""
        if servers:
            self.trusted.setPlaceholderText(tr("Learned: {servers}").format(servers=", ".join(servers)))

    def _take_server(self, server: MailServer) -> None:
        self.server.setText(server.host)
        self.security.setCurrentIndex(self.security.findData(server.security))
        self.port.setText(str(server.port))

    def show_kind(self, *, local: bool) -> None:
        """Show the fields of an account on this computer, or of one on a server."""
        self.local = local
        known = self._before is not None
        shown = {widget: not local for widget in self._server_rows}
        shown |= {self._address_row: not local and not known, self._path_row: local}
        shown |= {self._places_row: local and not known and self.places.count() > 0}
        shown |= dict.fromkeys((self._moves_row, *self._sorting_rows), known and not local)
        shown |= {self._junk_row: known and not local, self._folders_row: known, self._trusted_row: known}
        shown |= {self._authority_row: self._shows_authority and not local}
        self.test_connection.setVisible(not local)
        shown |= {self.agree: not local and bool(self.agree.text())}
        for row, visible in shown.items():
            self._form.setRowVisible(row, visible)
        self.sign_in.show(remote=not local)
        self.changed.emit()

    def _show_way(self) -> None:
        self.show_kind(local=self.local)

    def show_authority(self) -> None:
        """Show the field for a certificate file, because the server's certificate is not trusted."""
        self._shows_authority = True
        self.show_kind(local=self.local)

    def offer_places(self, places: tuple[LocalMailbox, ...]) -> None:
        """Offer mail of other programs on this computer."""
        self.places.clear()
        if places:
            self.places.addItem(tr("Mail from other programs…"))
        for place in places:
            folders = tr("1 folder") if len(place.folders) == 1 else tr("{count} folders")
            self.places.addItem(f"{place.name} ({folders.format(count=len(place.folders))})", place)
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

    def take_found(self, found: ServerFound) -> None:
        """Use the found settings, except for fields that the user changed."""
        self._claim()
        if not self.user.isModified():
            self.user.setText(found.user)
        if not self.server.isModified():
            self._take_server(found.server)
            host, domain = found.server.host, self._domain
            text = tr("Use {host}, which is not in {domain}").format(host=host, domain=domain)
            self._set_foreign(text if found.foreign else "")
            self.sign_in.offer(found.sign_in, host, closed=found.closed)
        fields = (self.agree, self.password, self.sign_in.way)
        next(each for each in fields if each.isVisible() or each is fields[-1]).setFocus()

    def _set_foreign(self, text: str) -> None:
        """Let the user confirm a server outside the domain of the address; empty if there is none."""
        self.agree.setText(text)
        self.agree.setChecked(False)
        self._form.setRowVisible(self.agree, bool(text))

    def _edit_server(self) -> None:
        self._claim()
        self._set_foreign("")

    def _edit_address(self, address: str) -> None:
        """Clear settings and password of another domain."""
        if self._domain and _domain(address) != self._domain:
            self._domain = ""
            for field in (self.server, self.user, self.password):
                field.clear()
                field.setModified(False)
            self._take_server(MailServer(""))
            self._set_foreign("")
            self.sign_in.offer(None, "", closed=False)
            self.forgotten.emit()
        if not self.user.isModified():
            self.user.setText(address.strip())

    def _claim(self) -> None:
        """Note the domain that the settings were found or typed for."""
        self._domain = _domain(self.address.text())

    def claim_if_typed(self) -> None:
        """Let settings that were typed before the address belong to its domain."""
        if self.server.text() or self.password.text():
            self._claim()

    @property
    def is_ready(self) -> bool:
        """True if a mailbox is named, and a server in another domain than the address is confirmed."""
        if self.local:
            return True
        return bool(self.server.text().strip()) and (not self.agree.text() or self.agree.isChecked())

    def _security(self) -> Security:
        return Security(self.security.currentData())

    def account(self, taken: Collection[str] = ()) -> Account:
        """Return the entered settings. A new account on this computer gets a name that is not in `taken`."""
        names = self.trusted.text().lower().replace(",", " ").split()
        filled = replace(self._before or Account(""), trusted_servers=tuple(dict.fromkeys(names)))
        if self.local:
            path = self.path.text().strip()
            return replace(filled, name=filled.name or _free_name(self._place_name(path), taken), path=path)
        return replace(
            filled,
            name=filled.name or self.address.text().strip() or self.user.text().strip(),
            host=self.server.text().strip(),
            port=int(self.port.text() or 0),
            security=self._security(),
            user=self.user.text().strip(),
            junk_folder=self.junk_target.text().strip(),
            sorting_loss=self.sorting_loss.currentData(),
            sorts_alone=self.sorts_alone.isChecked(),
            learn_moves=LearnMoves(self.learn_moves.currentData()),
            sign_in="" if self.sign_in.chosen is Way.PASSWORD else filled.sign_in,
            authority_file=self.authority.text().strip(),
        )

    def _place_name(self, path: str) -> str:
        if self._place is not None:
            return self._place.name
        return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or path

    def missing(self, taken: Collection[str] = ()) -> tuple[str, QWidget]:
        """Return a text about the first missing or wrong value, with its field. The text is empty if all are valid."""
        account = self.account(taken)
        if self.local:
            return "" if account.path else tr("Choose the folder or file that contains the mail."), self.path
        if not account.host:
            return tr("Enter the mail server, for example imap.example.org."), self.server
        if not self.port.hasAcceptableInput():
            return tr("Enter a port from 1 to 65535. Most servers use 993."), self.port
        if not account.user:
            return tr("Enter the user name. It is often the full email address."), self.user
        if account.name in taken:
            text = tr("This account already exists. To change it, right-click it in the sidebar.")
            return text, self.address
        signs = self.sign_in.chosen is not Way.PASSWORD
        text = "" if signs or self.password.text() else self._missing_password(account)
        return self.sign_in.missing() if signs else (text, self.password)

    def _missing_password(self, account: Account) -> str:
        if self._before is None:
            return tr("Enter the password, or the app password from your provider.")
        same = (self._before.host, self._before.user, self._before.sign_in) == (account.host, account.user, "")
        return (
            "" if same else tr("Enter the password again. nbmail never sends a saved password to a different server.")
        )


def _domain(address: str) -> str:
    return address.strip().rpartition("@")[2].lower() if "@" in address else ""


def _field(placeholder: str = "") -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(placeholder)
    return field


def _free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number if another account has it."""
    numbered = (f"{name} {number}" for number in count(2))
    return next(free for free in chain([name], numbered) if free not in taken)


def _security_texts() -> tuple[tuple[Security, str], ...]:
    return (
        (Security.TLS, tr("TLS (recommended)")),
        (Security.STARTTLS, tr("STARTTLS")),
        (Security.PLAIN, tr("None (others can read everything)")),
    )
