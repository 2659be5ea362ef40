"""Adding a mailbox, or changing one: where it is and how to get in, tried at once, then which folders to use."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QSizePolicy, QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.ui.accounts.account_form import AccountForm
from nbmail.ui.accounts.account_probe import AccountTest, ServerSearch, success_text
from nbmail.ui.accounts.folder_table import USUAL, FolderTable, PickedFolders, suggest_folders
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import FILE, FOLDER, ScrollDialog, answer_buttons, file_dialog
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import available_size, scaled
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.window.notices import announce
from nbmail.ui.window.services import MailboxSearch, open_address
from nbmail.values import FolderLine, LocalMailbox, ServerFound

Take = Callable[[Account, str], None]


class AccountDialog(ScrollDialog):
    """Asks for an account and hands it, with its password, to `take`. Signals: those of every dialog.

    Nothing is taken before it was tried and its folders were shown. `taken` are the names that other accounts have.
    With `before` that account is changed: its name stays, an empty password says that the one known stays, too, and
    what doesn't concern the way to its mail needs no trial.
    """

    def __init__(
        self,
        parent: QWidget,
        searches: MailboxSearch,
        take: Take,
        *,
        taken: Collection[str] = (),
        before: Account | None = None,
        local: bool = False,
    ) -> None:
        super().__init__(
            parent, tr("Add a mailbox") if before is None else tr("Change {name}").format(name=before.name)
        )
        self._take, self._searches, self._taken, self._before = take, searches, taken, before
        self._places_asked = self._closed = False
        self._listed: tuple[str, ...] = ()
        self._make_fields()
        self._lay_out()
        self._connect()
        self._turn_to(folders=False)
        self.kind.setCurrentIndex(int(local))
        self.form.first_field().setFocus()

    def _make_fields(self) -> None:
        self.kind = QComboBox()
        layouts.name_combo(self.kind, tr("Where the mail is"))
        self.kind.addItem(tr("On a mail server (IMAP)"))
        self.kind.addItem(tr("On this computer (Thunderbird, Maildir, mbox, folder of .eml files)"))
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.kind.setVisible(self._before is None)
        self.form = AccountForm(self._before)
        self.form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        searches = self._searches
        self.search = ServerSearch(searches.find_settings, self._take_found, open_address=open_address)
        self.search.changed = partial(self.ensure_visible, self.search)
        self.trial = AccountTest(
            searches.list_folders, worked=self._show_folders, failed=self._go_where_it_failed, busy=self._wait
        )
        self.problem, self.worked = wrapping_label(), wrapping_label(kind="title")
        self.problem.setAccessibleName(tr("What is missing"))
        self.problem.hide()
        self.folders = FolderTable()
        self.folders.setMinimumHeight(min(scaled(self, 300), available_size(self).height() // 2))

    def _lay_out(self) -> None:
        self._way, self._choice = QWidget(), QWidget()
        self._way.setLayout(layouts.column(self.kind, self.form, self.search, spacing=14))
        note = wrapping_label(
            tr(
                "New mail is looked for in watched folders. From folders you have sorted already, nbmail learns all "
                "messages as junk, or as good mail."
            ),
            "muted",
        )
        self._choice.setLayout(layouts.column(self.worked, note, (self.folders, 1), spacing=12))
        buttons = answer_buttons(self)
        self.back = buttons.addButton(tr("Back"), QDialogButtonBox.ButtonRole.ActionRole)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        parts = (self._way, (self._choice, 1), self.trial, self.problem, None)
        self.set_contents(layouts.column(*parts, spacing=14), buttons, scaled(self, 580))

    def _connect(self) -> None:
        form = self.form
        self.kind.currentIndexChanged.connect(self._show_kind)
        self.back.clicked.connect(lambda: self._turn_to(folders=False))
        form.find_settings.clicked.connect(lambda: self._look(again=True))
        form.address.editingFinished.connect(self._look_unless_known)
        form.choose_folders.clicked.connect(self._try)
        for button, title, kind, take in (
            (form.browse, tr("Folder with mail"), FOLDER, form.take_path),
            (form.browse_file, tr("File with mail"), FILE, form.take_path),
            (form.browse_authority, tr("Certificate file"), FILE, form.authority.setText),
        ):
            asked = partial(file_dialog, self, title, kind, take)
            button.clicked.connect(lambda _=False, asked=asked: asked().open())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The Enter key after the address starts the search; it doesn't end the dialog."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (enter and self.form.address.hasFocus()):
            super().keyPressEvent(event)

    def _turn_to(self, *, folders: bool) -> None:
        """Show the way to the mail, or its folders."""
        self._choosing = folders
        for widget in (self._choice, self.back):
            widget.setVisible(folders)
        self._way.setVisible(not folders)
        last = tr("Add mailbox") if self._before is None else tr("Save")
        self.ok.setText(last if folders or self._before is not None else tr("Continue"))

    def _show_kind(self) -> None:
        local = self.kind.currentIndex() == 1
        if local and self.search.busy:
            self.search.give_up()
        self.search.setVisible(not local and bool(self.search.outcome.text()))
        self.form.show_kind(local=local)
        self._say("")
        if local and not self._places_asked:
            self._places_asked = True
            self._searches.find_places(self._offer_places)

    def _offer_places(self, places: tuple[LocalMailbox, ...]) -> None:
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

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        self.trial.hide()
        if text:
            announce(self.problem, text)
            self.ensure_visible(self.problem)

    def _lacks_something(self) -> bool:
        """Whether something is to be filled in first; then it is said, and the keyboard is where that is."""
        text, field = self.form.missing(self._taken)
        if self.search.busy and field is self.form.server:
            text = tr("Still looking for the mail server. One moment, or type its name.")
        self._say(text)
        if text:
            field.setFocus()
        return bool(text)

    # ------------------------------------------------------------------------------------------------ the trial

    def _try(self) -> None:
        if not self._lacks_something():
            self.search.setVisible(self.search.page_button.isVisible())
            self.trial.begin(self.form.account(self._taken), self._password())

    def _password(self) -> str:
        return "" if self.form.local else self.form.password.text()

    def _wait(self, busy: bool) -> None:
        self._way.setEnabled(not busy)
        self.ok.setEnabled(not busy)
        self.ensure_visible(self.trial)

    def _go_where_it_failed(self, error_code: ErrorCode | None) -> None:
        form = self.form
        if error_code is ErrorCode.CERTIFICATE:
            form.show_authority()
        wrong = {ErrorCode.WRONG_PASSWORD: form.password, ErrorCode.NO_PASSWORD: form.password}
        if error_code is ErrorCode.WRONG_PASSWORD:
            form.password.selectAll()
        (form.path if form.local else wrong.get(error_code, form.server) if error_code else form.server).setFocus()

    def _show_folders(self, folders: Sequence[FolderLine]) -> None:
        account = self.form.account(self._taken)
        picked = PickedFolders(account.folders, account.junk_folders, account.good_folders)
        picked = picked if self._before is not None else suggest_folders(folders)
        self._listed = tuple(each.name for each in folders)
        if self.form.local and picked.watched == USUAL:
            # Of a place on the disk all is watched where nothing is named.
            picked = replace(picked, watched=self._listed)
        self.worked.setText(success_text(account, len(folders)))
        announce(self, self.worked.text())
        # In this order: what is hidden hands the keyboard on to a choice of the table, which its line then follows.
        self._turn_to(folders=True)
        self.folders.setFocus()
        self.folders.show_folders(folders, picked)

    def accept(self) -> None:
        account = self.form.account(self._taken)
        if self._choosing:
            picked = self.folders.picked()
            if self.form.local and picked.watched == self._listed:
                picked = replace(picked, watched=USUAL)
            account = replace(account, folders=picked.watched, junk_folders=picked.junk, good_folders=picked.good)
        elif self._before is None or self._password() or _way_of(account) != _way_of(self._before):
            self._try()
            return
        self._take(account, self._password())
        super().accept()

    def done(self, result: int) -> None:
        self._closed = True
        self.search.stop()
        self.trial.stop()
        super().done(result)


def _way_of(account: Account) -> tuple[object, ...]:
    """All that decides whether its mail can be reached."""
    return account.host, account.port, account.security, account.user, account.authority_file, account.path
