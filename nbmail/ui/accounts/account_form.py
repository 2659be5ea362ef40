"""Form with the settings of an account, on a server or on this computer."""

from collections.abc import Collection
from dataclasses import replace
from itertools import chain, count

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from nbmail.settings import Account, LearnMoves, Security
from nbmail.sync.mailbox_values import LocalMailbox, MailServer, ServerFound
from nbmail.ui.accounts.sign_in_fields import SignInFields, Way
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.fields import add_plain_row, combo_of, form_layout
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.plain_text import plain_tip

LOSSES = (0.005, 0.01, 0.02, 0.05)
"""Offered limits of the upper end of the interval of lost good mail."""
PORTS = {Security.TLS: 993, Security.STARTTLS: 143, Security.PLAIN: 143}


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
        self._form = form_layout()
        self._rows: list[tuple[str, QWidget]] = []
        """Rows with the name of the accounts that they are shown for: see `show_kind`."""
        self.setLayout(self._form)
        self._make_connection()
        self._make_behavior()
        if before is not None:
            self._fill(before)
        self.security.currentIndexChanged.connect(
            lambda: self.port.setText(str(PORTS[self._security()]))
        )
        self.address.textEdited.connect(self._edit_address)
        self.server.textChanged.connect(self.changed)
        self.server.textEdited.connect(self._edit_server)
        self.password.textEdited.connect(self._claim)
        self.agree.toggled.connect(self.changed)
        self.places.activated.connect(self._take_place)
        self.path.textEdited.connect(self.take_path)
        self.show_kind(local=self.local)

    def _make_connection(self) -> None:
        self.address = QLineEdit(placeholderText="you@example.org")
        self.find_settings = make_button(tr("Find settings"))
        self.server = QLineEdit(placeholderText="imap.example.org")
        self.user = QLineEdit()
        self.agree = QCheckBox()
        plain = tr("None (others can read everything)")
        securities = (tr("TLS (recommended)"), Security.TLS), (tr("STARTTLS"), Security.STARTTLS)
        self.security = combo_of((*securities, (plain, Security.PLAIN)))
        self.port = QLineEdit("993")
        self.port.setValidator(QIntValidator(1, 65535, self.port))
        self.port.setFixedWidth(84)
        self.authority = QLineEdit(placeholderText=tr("Only for your own server"))
        self.browse_authority = make_button(tr("Choose file…"))
        self.places = QComboBox()
        self.path = QLineEdit()
        self.browse = make_button(tr("Choose folder…"))
        self.browse_file = make_button(tr("Choose file…"))
        self._add_row("new", tr("Email address"), self.address, self.find_settings)
        self._add_row("remote", tr("Server"), self.server)
        self._form.addRow("", self.agree)
        self._add_row("remote", tr("Security"), self.security, self.port)
        self._add_row("remote", tr("User name"), self.user)
        self.sign_in = SignInFields(self._form, lambda: self.show_kind(local=self.local))
        self.password = self.sign_in.password
        self._add_row("untrusted", tr("Certificate file"), self.authority, self.browse_authority)
        self._add_row("found", tr("Found on this computer"), self.places)
        # With long words on the buttons, the row gets below its name.
        self.path.setMinimumWidth(scaled(self, 180))
        self._add_row("local", tr("Folder or file"), self.path, self.browse, self.browse_file)
        self.port.setAccessibleName(tr("Port"))

    def _make_behavior(self) -> None:
        """Make the fields of an existing account for spam, sorting, learning and folders."""
        self.spam_target = QLineEdit(placeholderText=tr("Found automatically"))
        self.trusted = QLineEdit()
        self.trusted.setPlaceholderText(tr("None known"))
        self.trusted.setToolTip(
            plain_tip(tr("Mail servers whose sender checks nbmail trusts, separated by commas"))
        )
        at_most = tr("at a loss of at most {share}")
        loss = (self._before or Account("")).sorting_loss
        losses = dict.fromkeys((*LOSSES, loss))
        self.sorting_loss = combo_of((at_most.format(share=percent(each)), each) for each in losses)
        self.sorting_loss.setCurrentIndex(self.sorting_loss.findData(loss))
        about = tr(
            "Good mail that could be classified as spam: upper end of the 95 % interval of "
            "the model's test"
        )
        self.sorting_loss.setToolTip(plain_tip(about))
        self.sorts_alone = QCheckBox(tr("Only on this computer (server without keywords)"))
        always = (tr("Always learn"), LearnMoves.ALWAYS)
        never = (tr("Never learn"), LearnMoves.NEVER)
        self.learn_moves = combo_of(((tr("Ask"), LearnMoves.ASK), always, never))
        about = tr("Messages that other mail programs move to the spam folder or out of it")
        self.learn_moves.setToolTip(plain_tip(about))
        self.choose_folders, self.test_connection = map(
            make_button, (tr("Choose folders…"), tr("Test connection"))
        )
        self._add_row("changed", tr("Spam folder"), self.spam_target)
        self._add_row("changed", tr("Sorting begins"), self.sorting_loss)
        self._add_row("changed", tr("Sorting"), self.sorts_alone)
        self._add_row("changed", tr("Moved elsewhere"), self.learn_moves)
        self._add_row("known", tr("Sender checks by"), self.trusted)
        self._add_row("known", tr("Folders"), self.choose_folders, self.test_connection)

    def _add_row(self, shown: str, name: str, *widgets: QWidget) -> None:
        for widget in widgets:
            widget.setAccessibleName(widget.text() if isinstance(widget, QPushButton) else name)
            if isinstance(widget, QComboBox):
                # On Linux, the name of a combo box is its current text.
                widget.setAccessibleDescription(name)
        row = widgets[0]
        if len(widgets) > 1:
            row = layouts.as_widget(layouts.row((widgets[0], 1), *widgets[1:], spacing=6))
        add_plain_row(self._form, name, row, widgets[0])
        self._rows.append((shown, row))

    def _fill(self, account: Account) -> None:
        self._take_server(MailServer(account.host, account.port, account.security))
        self.user.setText(account.user)
        self.path.setText(account.path)
        self.password.setPlaceholderText(tr("Leave empty to keep the current one"))
        self.spam_target.setText(account.spam_folder)
        self.authority.setText(account.authority_file)
        self.sorts_alone.setChecked(account.sorts_alone)
        self.learn_moves.setCurrentIndex(self.learn_moves.findData(account.learn_moves))
        self.trusted.setText(", ".join(account.trusted_servers))
        self.sign_in.fill(account)

    def _take_server(self, server: MailServer) -> None:
        self.server.setText(server.host)
        self.security.setCurrentIndex(self.security.findData(server.security))
        self.port.setText(str(server.port))

    def show_kind(self, *, local: bool) -> None:
        """Show the fields of an account on this computer, or of one on a server."""
        self.local = local
        known = self._before is not None
        remote = not local
        shown = {
            **{
                "remote": remote,
                "new": remote and not known,
                "changed": remote and known,
                "known": known,
            },
            **{"local": local, "found": local and not known and self.places.count() > 0},
            "untrusted": remote and self._shows_authority,
        }
        for name, row in self._rows:
            self._form.setRowVisible(row, shown[name])
        self._form.setRowVisible(self.agree, remote and bool(self.agree.text()))
        self.test_connection.setVisible(remote)
        self.sign_in.show(remote=remote)
        self.changed.emit()

    def show_authority(self) -> None:
        """Show the field for a certificate file, because the server's certificate is not
        trusted.
        """
        self._shows_authority = True
        self.show_kind(local=self.local)

    def offer_places(self, places: tuple[LocalMailbox, ...]) -> None:
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
            host = found.server.host
            domain = self._domain
            text = tr("Use {host}, which is not in {domain}").format(host=host, domain=domain)
            self._set_foreign(text if found.foreign else "")
            self.sign_in.offer(found.sign_in, host, closed=found.closed)
        fields = (self.agree, self.password)
        next((each for each in fields if each.isVisible()), self.sign_in.way).setFocus()

    def _set_foreign(self, text: str) -> None:
        """Let the user confirm a server outside the domain of the address; empty if there is
        none.
        """
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
        """True if a mailbox is named, and a server in another domain than the address is
        confirmed.
        """
        if self.local:
            return True
        return bool(self.server.text().strip()) and (
            not self.agree.text() or self.agree.isChecked()
        )

    def _security(self) -> Security:
        return Security(self.security.currentData())

    def account(self, taken: Collection[str] = ()) -> Account:
        """Return the entered settings. A new account on this computer gets a name that is not in
        `taken`.
        """
        servers = self.trusted.text().lower().replace(",", " ").split()
        filled = replace(self._before or Account(""), trusted_servers=tuple(dict.fromkeys(servers)))
        if self.local:
            path = self.path.text().strip()
            name = (
                self._place.name
                if self._place
                else path.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or path
            )
            names = chain([name], (f"{name} {number}" for number in count(2)))
            free = next(each for each in names if each not in taken)
            return replace(filled, name=filled.name or free, path=path)
        return replace(
            filled,
            name=filled.name or self.address.text().strip() or self.user.text().strip(),
            host=self.server.text().strip(),
            port=int(self.port.text() or 0),
            security=self._security(),
            user=self.user.text().strip(),
            spam_folder=self.spam_target.text().strip(),
            sorting_loss=self.sorting_loss.currentData(),
            sorts_alone=self.sorts_alone.isChecked(),
            learn_moves=LearnMoves(self.learn_moves.currentData()),
            sign_in="" if self.sign_in.chosen is Way.PASSWORD else filled.sign_in,
            authority_file=self.authority.text().strip(),
        )

    def missing(self, taken: Collection[str] = ()) -> tuple[str, QWidget]:
        """Return a text about the first missing or wrong value, with its field. The text is empty
        if all are valid.
        """
        account = self.account(taken)
        before = self._before
        if self.local:
            return "" if account.path else tr(
                "Choose the folder or file that contains the mail."
            ), self.path
        password = tr("Enter the password, or the app password from your provider.")
        needs_password = True
        if before is not None:
            password = tr(
                "Enter the password again. nbmail never sends a saved password to a "
                "different server."
            )
            needs_password = (before.host, before.user, before.sign_in) != (
                account.host,
                account.user,
                "",
            )
        checks: list[tuple[bool, str, QWidget]] = [
            (
                bool(account.host),
                tr("Enter the mail server, for example imap.example.org."),
                self.server,
            ),
            (
                self.port.hasAcceptableInput(),
                tr("Enter a port from 1 to 65535. Most servers use 993."),
                self.port,
            ),
            (
                bool(account.user),
                tr("Enter the user name. It is often the full email address."),
                self.user,
            ),
            (
                account.name not in taken,
                tr("This account already exists. To change it, right-click it in the sidebar."),
                self.address,
            ),
            (not needs_password or bool(self.password.text()), password, self.password),
        ]
        if self.sign_in.chosen is not Way.PASSWORD:
            client = not self.sign_in.own.isChecked() or bool(self.sign_in.client_id.text().strip())
            text = tr("Enter your client ID, or sign in without one.")
            checks[-1] = client, text, self.sign_in.client_id
        confirm = tr("Confirm the server first: it is not in the domain of your address.")
        checks.append((self.is_ready, confirm, self.agree))
        return next(
            ((text, field) for valid, text, field in checks if not valid), ("", self.password)
        )


def _domain(address: str) -> str:
    return address.strip().rpartition("@")[2].lower() if "@" in address else ""
