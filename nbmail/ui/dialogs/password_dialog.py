"""Password prompt."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.plain_labels import plain_label, wrapping_label
from nbmail.ui.texts.language import tr


class PasswordDialog(ScrollDialog):
    """Password prompt.

    `give` gets the password; `show_page` opens the provider's page for app passwords, if any.
    """

    def __init__(
        self,
        parent: QWidget,
        account: str,
        give: Callable[[str], None],
        show_page: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(parent, tr("Password"))
        self.field = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.accepted.connect(lambda: give(self.field.text()))
        self.field.setAccessibleName(tr("Password"))
        self.page_button = make_button(tr("Create app password…"), show_page)
        self.page_button.setVisible(show_page is not None)
        heading = plain_label(tr("Password for {account}").format(account=account))
        text = tr(
            "nbmail stores it in the system keyring if there is one, and sends it only to "
            "your mail server."
        )
        page = (self.page_button, Qt.AlignmentFlag.AlignLeft)
        contents = layouts.column(
            heading, self.field, wrapping_label(text, "muted"), page, spacing=10
        )
        self.set_contents(contents, answer_buttons(self), 380)
        self.field.setFocus()
