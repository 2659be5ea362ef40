"""Short questions to the user. None blocks: what follows from the answer is called with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QMessageBox, QVBoxLayout, QWidget

from nbmail.ui.language import tr

if TYPE_CHECKING:
    from nbmail.ui.main_window import MainWindow

LONGEST_ADDRESS = 600


def ask_link(parent: QWidget, address: str, follow: Callable[[str], None]) -> QMessageBox:
    """Show where a link really leads, and open it only if the user says so. Not opening is the default."""
    host = urlsplit(address).hostname or address[:80]
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Open this link?"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("This link leads to {host}. Open it in your browser?").format(host=host))
    shown = address if len(address) <= LONGEST_ADDRESS else address[:LONGEST_ADDRESS] + "…"
    box.setInformativeText(shown)
    go = box.addButton(tr("Open"), QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(tr("Don't open"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.buttonClicked.connect(lambda pressed: follow(address) if pressed is go else None)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


def ask_removal(window: MainWindow, account: str) -> QMessageBox:
    """Ask before a mailbox is let go."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Remove this mailbox?"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("Remove {account} from nbmail?").format(account=account))
    box.setInformativeText(tr("Nothing is deleted on the mail server, and what was learned from this mailbox stays."))
    go = box.addButton(tr("Remove"), QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.buttonClicked.connect(lambda pressed: window.remove_account(account) if pressed is go else None)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


class PasswordDialog(QDialog):
    """Asks for a password. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, account: str, give: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._give = give
        self.setWindowTitle(tr("Password"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(tr("Password"))
        note = QLabel(tr("It is kept in this system's keyring where there is one, and sent to the mail server only."))
        note.setProperty("muted", True)
        note.setWordWrap(True)
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 18)
        column.setSpacing(10)
        column.addWidget(QLabel(tr("Password of {account}").format(account=account)))
        column.addWidget(self.field)
        column.addWidget(note)
        column.addWidget(buttons)
        self.setMinimumWidth(380)

    def accept(self) -> None:
        self._give(self.field.text())
        super().accept()


def ask_password(parent: QWidget, account: str, give: Callable[[str], None]) -> PasswordDialog:
    """Ask for the password of an account."""
    dialog = PasswordDialog(parent, account, give)
    dialog.open()
    return dialog
