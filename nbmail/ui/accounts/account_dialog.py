"""Dialog that adds or changes an account, in two pages: connection settings, then folders."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QSizePolicy, QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import FolderLine, ServerFound
from nbmail.ui.accounts.account_form import AccountForm
from nbmail.ui.accounts.account_test import AccountTest, success_text
from nbmail.ui.accounts.folder_table import FolderTable
from nbmail.ui.accounts.server_search import ServerSearch
from nbmail.ui.accounts.sign_in.sign_in_fields import Way
from nbmail.ui.accounts.sign_in.sign_in_panel import SignInPanel
from nbmail.ui.accounts.training_folders import suggest_folders
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.file_dialog import FILE, FOLDER, file_dialog
from nbmail.ui.kit.plain_labels import show_text, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr
from nbmail.ui.window.services import MailboxSearch


class AccountDialog(ScrollDialog):
    """Dialog for one account. `take` is called with the account and its password.

    A new account is tested, and its folders are shown, before `take` is called. `taken`: names of
    other accounts. With `before`, that account is changed. Its name stays, an empty password keeps
    the stored one, and only changes of the connection settings require a test.
    """

    def __init__(
        self,
        parent: QWidget,
        searches: MailboxSearch,
        take: Callable[[Account, str], None],
        *,
        taken: Collection[str] = (),
        before: Account | None = None,
        local: bool = False,
    ) -> None:
        title = tr("Add account")
        if before is not None:
            title = tr("Account settings: {name}").format(name=before.name)
        super().__init__(parent, title)
        self._take = take
        self._searches = searches
        self._taken = taken
        self._before = before
        self._places_requested = False
        self._issuer = before.sign_in if before is not None else ""
        """Authorization server of the latest sign-in."""
        self._unused: list[Account] = []
        """Accounts that signed in here. Those that are not added are forgotten."""
        self._make_parts()
        self._signed = self._sign_in_choices()
        """Choices of the latest sign-in, or those of `before`."""
        self._connect()
        self._show_page(folders=False)
        self.kind.setCurrentIndex(int(local))
        if self.form.local:
            self.form.path.setFocus()
        elif before is None:
            self.form.address.setFocus()
        else:
            self.form.server.setFocus()

    def show_learned(self, servers: tuple[str, ...]) -> None:
        if servers and not self.is_closed:
            self.form.behavior.trusted.setPlaceholderText(
                tr("Learned: {servers}").format(servers=", ".join(servers))
            )

    def _make_parts(self) -> None:
        places = (
            (tr("On a mail server (IMAP)"), False),
            (tr("On this computer (Thunderbird, Maildir, mbox, folder of .eml files)"), True),
        )
        self.kind = combo_of(places, tr("Mail location"))
        self.kind.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.kind.setVisible(self._before is None)
        self.form = AccountForm(self._before)
        self.form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.search = ServerSearch(
            self._searches, found=self._take_found, changed=self._show_search
        )
        self.test = AccountTest(
            self._searches,
            worked=self._show_folders,
            failed=self._focus_failed_field,
            busy=self._set_busy,
        )
        self.sign_in = SignInPanel(
            self._searches, done=self._finish_sign_in, failed=self._end_sign_in
        )
        self.problem = wrapping_label()
        self.worked = wrapping_label(kind="title")
        self.problem.hide()
        self.folders = FolderTable()
        self.folders.setMinimumHeight(scaled(self, 180))
        self._lay_out()

    def _lay_out(self) -> None:
        self._connection = layouts.as_widget(
            layouts.column(self.kind, self.form, self.search, spacing=14)
        )
        about = tr(
            "nbmail checks watched folders for new mail. From a training folder, it learns "
            "every message as spam or not spam. From suggested folders, it learns where to "
            "move your mail."
        )
        note = wrapping_label(about, "muted")
        self._choice_page = layouts.as_widget(
            layouts.column(self.worked, note, (self.folders, 1), spacing=12)
        )
        buttons = answer_buttons(self)
        self.back = buttons.addButton(tr("Back"), QDialogButtonBox.ButtonRole.ActionRole)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        contents = layouts.column(
            self._connection,
            (self._choice_page, 1),
            self.sign_in,
            self.test,
            self.problem,
            None,
            spacing=14,
        )
        self.set_contents(contents, buttons, scaled(self, 580))

    def _connect(self) -> None:
        form = self.form
        self.kind.currentIndexChanged.connect(self._show_kind)
        self.back.clicked.connect(lambda: self._show_page(folders=False))
        form.find_settings.clicked.connect(lambda: self._search(again=True))
        form.address.editingFinished.connect(self._search_if_unknown)
        form.choose_folders.clicked.connect(self._start_test)
        form.test_connection.clicked.connect(lambda: self._start_test(examine=True))
        form.changed.connect(self._enable)
        form.forgotten.connect(self.search.forget)
        form.browse.clicked.connect(self._browse_folder)
        form.browse_file.clicked.connect(self._browse_file)
        form.browse_authority.clicked.connect(self._browse_authority)

    def _browse_folder(self) -> None:
        file_dialog(self, tr("Choose mail folder"), FOLDER, self.form.take_path).open()

    def _browse_file(self) -> None:
        file_dialog(self, tr("Choose mail file"), FILE, self.form.take_path).open()

    def _browse_authority(self) -> None:
        file_dialog(self, tr("Certificate file"), FILE, self.form.authority.setText).open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Start the search with Enter in the address field, instead of accepting the dialog."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (enter and self.form.address.hasFocus()):
            super().keyPressEvent(event)

    def _show_page(self, *, folders: bool) -> None:
        self._choosing = folders
        self._choice_page.setVisible(folders)
        self.back.setVisible(folders)
        self._connection.setVisible(not folders)
        if self._before is not None:
            self.ok.setText(tr("Save"))
        elif folders:
            self.ok.setText(tr("Add account"))
        else:
            self.ok.setText(tr("Continue"))
        self._enable()

    def _show_search(self) -> None:
        self._enable()
        self.ensure_visible(self.search)

    def _enable(self) -> None:
        """Allow to continue only with settings that were found or typed for this address."""
        self.ok.setEnabled(self._connection.isEnabled() and (self._choosing or self.form.is_ready))

    def _show_kind(self) -> None:
        local = self.kind.currentIndex() == 1
        if local and self.search.busy:
            self.search.give_up()
        self.search.setVisible(not local and bool(self.search.outcome.text()))
        self.form.show_kind(local=local)
        self._show_problem("")
        if local and not self._places_requested:
            self._places_requested = True
            self._searches.find_places(self.while_open(self.form.offer_places))

    def _search(self, *, again: bool = False) -> None:
        self._show_problem("")
        self.search.look(self.form.address.text().strip(), again=again)

    def _search_if_unknown(self) -> None:
        """Search when the focus leaves the address, unless the user entered a server."""
        form = self.form
        form.claim_if_typed()
        is_unknown = "@" in form.address.text() and not form.server.isModified()
        if is_unknown and not self.is_closed:
            self._search()

    def _take_found(self, found: ServerFound) -> None:
        self.form.take_found(found)
        self._show_problem("")

    def _show_problem(self, text: str) -> None:
        show_text(self.problem, text)
        self.test.hide()
        self.sign_in.stop()
        if text:
            announce(self.problem, text)
            self.ensure_visible(self.problem)

    def _is_incomplete(self) -> bool:
        """True if a value is missing or wrong. Then show the problem and focus its field."""
        text, field = self.form.missing(self._taken)
        self._show_problem(text)
        if text:
            field.setFocus()
        return bool(text)

    # ---------------------------------------------------------------------------------------------
    # connection test

    def _start_test(self, *, examine: bool = False) -> None:
        if self._is_incomplete():
            return
        self.search.setVisible(self.search.page_button.isVisible())
        account = self._account()
        is_signed_in = bool(self._issuer) and self._signed == self._sign_in_choices()
        if self._signs_in and not is_signed_in:
            self._set_busy(True)
            self.sign_in.begin(account, self.form.sign_in.request())
            self.ensure_visible(self.sign_in)
        else:
            self.test.begin(account, self._password(), examine=examine)

    def _account(self) -> Account:
        """Return the entered settings with the authorization server of the latest sign-in."""
        account = self.form.account(self._taken)
        return replace(account, sign_in=self._issuer) if self._signs_in else account

    @property
    def _signs_in(self) -> bool:
        return not self.form.local and self.form.sign_in.chosen is not Way.PASSWORD

    def _sign_in_choices(self) -> tuple[str, ...]:
        account = self.form.account()
        request = self.form.sign_in.request()
        return (
            account.host,
            account.user,
            request.issuer or self._issuer,
            request.client_id,
            request.client_secret,
        )

    def _finish_sign_in(self, account: Account) -> None:
        self._issuer = account.sign_in
        self._signed = self._sign_in_choices()
        self._unused.append(account)
        self.test.begin(self._account(), "")

    def _end_sign_in(self, error_code: ErrorCode | None) -> None:
        self._set_busy(False)
        fields = self.form.sign_in
        if error_code is ErrorCode.NO_CLIENT_ID:
            fields.own.setChecked(True)
        if fields.own.isChecked():
            fields.client_id.setFocus()
        else:
            fields.way.setFocus()
        self.ensure_visible(self.sign_in)

    def _password(self) -> str:
        return "" if self.form.local or self._signs_in else self.form.password.text()

    def _set_busy(self, busy: bool) -> None:
        self._connection.setEnabled(not busy)
        self._enable()
        self.ensure_visible(self.test)

    def _focus_failed_field(self, error_code: ErrorCode | None) -> None:
        form = self.form
        if error_code is ErrorCode.CERTIFICATE:
            form.show_authority()
        if error_code is ErrorCode.WRONG_PASSWORD:
            form.password.selectAll()
        if form.local:
            form.path.setFocus()
        elif error_code in (ErrorCode.WRONG_PASSWORD, ErrorCode.NO_PASSWORD):
            form.password.setFocus()
        else:
            form.server.setFocus()

    def _show_folders(self, folders: Sequence[FolderLine]) -> None:
        account = self._account()
        self.worked.setText(success_text(account, len(folders), self.test.listed))
        announce(self, self.worked.text())
        # In this order: hiding the page moves the focus to a combo box of the table and selects its
        # row.
        self._show_page(folders=True)
        self.folders.setFocus()
        if self._before is None:
            account = suggest_folders(account, folders)
        self.folders.show_folders(folders, account)

    def accept(self) -> None:
        account = self._account()
        if self._choosing:
            account = self.folders.picked(account)
        elif self._needs_test(account):
            self._start_test()
            return
        self._take(account, self._password())
        self._unused = [each for each in self._unused if not _has_same_sign_in(each, account)]
        super().accept()

    def _needs_test(self, account: Account) -> bool:
        """True for a new account, a new password and changed connection settings."""
        if self._before is None or self._password():
            return True
        return _connection(account) != _connection(self._before)

    def done(self, result: int) -> None:
        for account in self._unused:
            self._searches.forget_sign_in(account)
        self.search.stop()
        self.sign_in.stop()
        self.test.stop()
        super().done(result)


def _connection(account: Account) -> tuple[object, ...]:
    """Return the settings that a connection test depends on."""
    return (
        account.host,
        account.port,
        account.security,
        account.user,
        account.authority_file,
        account.path,
        account.sign_in,
    )


def _has_same_sign_in(one: Account, other: Account) -> bool:
    return one.sign_in == other.sign_in and one.user == other.user
