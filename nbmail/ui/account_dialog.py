"""Adding a mailbox: where it is, how to get in, and which folders to learn from first."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from nbmail.settings import Account, Security
from nbmail.ui.language import tr

PORTS = {Security.TLS: 993, Security.STARTTLS: 143, Security.PLAIN: 143}


def split_names(text: str) -> tuple[str, ...]:
    """Names typed with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def guess_server(address: str) -> str:
    """The most usual server name for a mail address."""
    domain = address.rpartition("@")[2].strip()
    return f"imap.{domain}" if "@" in address and "." in domain else ""


class AccountDialog(QDialog):
    """Asks for an account and hands it, with its password, to `add`. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, add: Callable[[Account, str], None]) -> None:
        super().__init__(parent)
        self._add = add
        self.setWindowTitle(tr("Add a mailbox"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(480)
        self._make_fields()
        self._lay_out()
        self._connect()
        self._show_kind()

    def _make_fields(self) -> None:
        self.kind = QComboBox()
        self.kind.addItem(tr("On a mail server (IMAP)"))
        self.kind.addItem(tr("On this computer (Maildir, mbox, folder of .eml files)"))
        self.address, self.server, self.user = QLineEdit(), QLineEdit(), QLineEdit()
        self.address.setPlaceholderText("you@example.org")
        self.server.setPlaceholderText("imap.example.org")
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.security = QComboBox()
        for security, words in _security_words():
            self.security.addItem(words, security)
        self.port = QLineEdit("993")
        self.port.setValidator(QIntValidator(1, 65535, self.port))
        self.port.setFixedWidth(84)
        self.path = QLineEdit()
        self.browse = QPushButton(tr("Choose…"))
        self.junk, self.good = QLineEdit(), QLineEdit()
        self.junk.setPlaceholderText("Junk")
        self.good.setPlaceholderText("Archive, Lists")
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.setAccessibleName(tr("What is missing"))

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(9)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._remote = [
            self._add_row(tr("Mail address"), self.address),
            self._add_row(tr("Server"), self.server),
            self._add_row(tr("Protection"), self.security, self.port),
            self._add_row(tr("User name"), self.user),
            self._add_row(tr("Password"), self.password),
        ]
        self._local = [self._add_row(tr("Folder or file"), self.path, self.browse)]
        self._training = [
            self._add_row(tr("Folders with junk"), self.junk),
            self._add_row(tr("Folders with good mail"), self.good),
        ]
        note = QLabel(
            tr("Name folders you have already sorted, and nbmail learns from them first. You may leave both empty.")
        )
        note.setWordWrap(True)
        note.setProperty("muted", True)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        self.buttons.button(kinds.Ok).setText(tr("Add mailbox"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 18)
        column.setSpacing(14)
        for widget in (self.kind, self._form, note, self.problem, self.buttons):
            column.addLayout(widget) if isinstance(widget, QFormLayout) else column.addWidget(widget)

    def _add_row(self, name: str, *widgets: QWidget) -> QWidget:
        for widget in widgets:
            widget.setAccessibleName(name)
        if len(widgets) == 1:
            self._form.addRow(name, widgets[0])
            return widgets[0]
        together = QWidget()
        row = QHBoxLayout(together)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(widgets[0], 1)
        for widget in widgets[1:]:
            row.addWidget(widget)
        self._form.addRow(name, together)
        return together

    def _connect(self) -> None:
        self.kind.currentIndexChanged.connect(self._show_kind)
        self.security.currentIndexChanged.connect(
            lambda: self.port.setText(str(PORTS[Security(self.security.currentData())]))
        )
        self.address.textEdited.connect(self._guess)
        self.browse.clicked.connect(self._browse)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _show_kind(self) -> None:
        local = self.kind.currentIndex() == 1
        for widget in self._remote:
            self._form.setRowVisible(widget, not local)
        for widget in self._local:
            self._form.setRowVisible(widget, local)
        self.problem.clear()

    def _guess(self, address: str) -> None:
        if not self.server.isModified():
            self.server.setText(guess_server(address))
        if not self.user.isModified():
            self.user.setText(address.strip())

    def _browse(self) -> None:
        dialog = QFileDialog(self, tr("Folder with mail"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.path.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def account(self) -> Account:
        """What was typed, as an account."""
        junk, good = split_names(self.junk.text()), split_names(self.good.text())
        if self.kind.currentIndex() == 1:
            path = self.path.text().strip()
            return Account(
                name=path.rstrip("/").rpartition("/")[2] or path, path=path, junk_folders=junk, good_folders=good
            )
        return Account(
            name=self.address.text().strip() or self.user.text().strip(),
            host=self.server.text().strip(),
            port=int(self.port.text() or 0),
            security=Security(self.security.currentData()),
            user=self.user.text().strip(),
            junk_folders=junk,
            good_folders=good,
        )

    def missing(self) -> str:
        """What is still to be filled in, empty if nothing."""
        account = self.account()
        if self.kind.currentIndex() == 1:
            return "" if account.path else tr("Choose the folder or file that holds the mail.")
        if not account.host:
            return tr("Type the name of the mail server, for example imap.example.org.")
        if not self.port.hasAcceptableInput():
            return tr("The port is a number from 1 to 65535: usually 993.")
        if not account.user:
            return tr("Type the user name: often that is the whole mail address.")
        return "" if self.password.text() else tr("Type the password, or the app password your provider gave you.")

    def accept(self) -> None:
        missing = self.missing()
        if missing:
            self.problem.setText(missing)
            return
        self._add(self.account(), self.password.text() if self.kind.currentIndex() == 0 else "")
        super().accept()


def _security_words() -> tuple[tuple[Security, str], ...]:
    return (
        (Security.TLS, tr("TLS (recommended)")),
        (Security.STARTTLS, tr("STARTTLS")),
        (Security.PLAIN, tr("None: everyone on the way can read it")),
    )
