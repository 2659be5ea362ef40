"""Adding a mailbox, or changing one: where it is, how to get in, and which folders to learn from first."""

from collections.abc import Callable, Collection

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QSizePolicy, QWidget

from nbmail.settings import Account
from nbmail.ui.accounts.account_form import AccountForm
from nbmail.ui.accounts.folder_picker import FolderPicker
from nbmail.ui.accounts.server_search import ServerSearch
from nbmail.ui.accounts.settings_search import MailPlace
from nbmail.ui.dialogs.form_dialog import FormDialog, answer_buttons
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import grown
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.window.app_services import AppServices
from nbmail.ui.window.notices import announce
from nbmail.values import ServerFound

Take = Callable[[Account, str], None]


class AccountDialog(FormDialog):
    """Asks for an account and hands it, with its password, to `take`. Signals: those of every dialog.

    `taken` are the names that other accounts have. With `before` that account is changed: its name stays, and an empty
    password says that the one known stays, too.
    """

    def __init__(
        self,
        parent: QWidget,
        services: AppServices,
        take: Take,
        *,
        taken: Collection[str] = (),
        before: Account | None = None,
    ) -> None:
        super().__init__(
            parent, tr("Add a mailbox") if before is None else tr("Change {name}").format(name=before.name)
        )
        self._take, self._services, self._taken, self._before = take, services, taken, before
        self._places_asked = self._closed = False
        self._make_fields()
        self._lay_out()
        self._connect()
        self.form.first_field().setFocus()

    def _make_fields(self) -> None:
        self.kind = QComboBox()
        self.kind.setAccessibleName(tr("Where the mail is"))
        self.kind.setAccessibleDescription(self.kind.accessibleName())
        self.kind.addItem(tr("On a mail server (IMAP)"))
        self.kind.addItem(tr("On this computer (Thunderbird, Maildir, mbox, folder of .eml files)"))
        self.kind.setVisible(self._before is None)
        self.form = AccountForm(self._before)
        self.form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.search = ServerSearch(
            self._services.find_settings, self._take_found, open_address=self._services.open_address
        )
        self.problem = wrapping_label()
        self.problem.setAccessibleName(tr("What is missing"))
        self.problem.hide()

    def _lay_out(self) -> None:
        text = tr("From folders you have already sorted, nbmail learns first. You may leave all of them empty.")
        note = wrapping_label(text, "muted")
        parts = (self.kind, self.search, self.form, note, self.problem, None)
        buttons = answer_buttons(self, tr("Add mailbox") if self._before is None else tr("Save"))
        self.hold(layouts.column(*parts, spacing=14), buttons, grown(self, 540))

    def _connect(self) -> None:
        form = self.form
        self.kind.currentIndexChanged.connect(self._show_kind)
        form.look.clicked.connect(lambda: self._look(again=True))
        form.address.editingFinished.connect(self._look_unless_known)
        form.choose_folders.clicked.connect(self._choose_folders)
        kinds = QFileDialog.FileMode
        form.browse.clicked.connect(lambda: self._browse(tr("Folder with mail"), kinds.Directory, form.take_path))
        form.browse_file.clicked.connect(lambda: self._browse(tr("File with mail"), kinds.ExistingFile, form.take_path))
        form.browse_authority.clicked.connect(
            lambda: self._browse(tr("Certificate file"), kinds.ExistingFile, form.authority.setText)
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The Enter key after the address starts the search; it doesn't end the dialog."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (enter and self.form.address.hasFocus()):
            super().keyPressEvent(event)

    def _show_kind(self) -> None:
        local = self.kind.currentIndex() == 1
        if local and self.search.busy:
            self.search.give_up()
        self.search.setVisible(not local and bool(self.search.outcome.text()))
        self.form.show_kind(local=local)
        self._say("")
        if local and not self._places_asked:
            self._places_asked = True
            self._services.find_places(self._offer_places)

    def _offer_places(self, places: tuple[MailPlace, ...]) -> None:
        if not self._closed:
            self.form.offer_places(places)

    def _look(self, *, again: bool = False) -> None:
        self._say("")
        self.search.look(self.form.address.text().strip(), again=again)

    def _look_unless_known(self) -> None:
        """Leaving the address is enough, where nobody typed a server."""
        if "@" in self.form.address.text() and not self.form.server.isModified() and not self._closed:
            self._look()

    def _take_found(self, found: ServerFound) -> None:
        self.form.take_found(found)
        self._say("")

    def _choose_folders(self) -> None:
        """Let folders be chosen from the mailbox's own list; all that is needed to ask it must be there."""
        if self._lacks_something():
            return
        self._say("")
        account = self.form.account(self._taken)
        password = "" if self.form.local else self.form.password.text()
        FolderPicker(
            self,
            lambda tell: self._services.list_folders(account, password, tell),
            self.form.picked(),
            self.form.take_picked,
        ).open()

    def _browse(self, title: str, mode: QFileDialog.FileMode, take: Callable[[str], None]) -> None:
        dialog = QFileDialog(self, title)
        dialog.setFileMode(mode)
        dialog.fileSelected.connect(take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        if text:
            announce(self.problem, text)

    def _lacks_something(self) -> bool:
        """Whether something is to be filled in first; then it is said, and the keyboard is where that is."""
        text, field = self.form.missing(self._taken)
        if self.search.busy and field is self.form.server:
            text = tr("Still looking for the mail server. One moment, or type its name.")
        if text:
            self._say(text)
            field.setFocus()
        return bool(text)

    def accept(self) -> None:
        if self._lacks_something():
            return
        self._take(self.form.account(self._taken), "" if self.form.local else self.form.password.text())
        super().accept()

    def done(self, result: int) -> None:
        self._closed = True
        self.search.stop()
        super().done(result)
