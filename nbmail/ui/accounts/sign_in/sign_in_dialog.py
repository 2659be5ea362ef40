"""Dialog for a new sign-in of an existing account."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import SignInRequest
from nbmail.ui.accounts.sign_in.sign_in_panel import SignInPanel
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, close_button
from nbmail.ui.texts.language import tr
from nbmail.ui.window.services import MailboxSearch


class SignInDialog(ScrollDialog):
    """New sign-in of an existing account, which begins at once.

    `done` is called after a successful sign-in, `change` if the user opens the settings.
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
