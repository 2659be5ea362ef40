"""Dialog that adds or changes an account: connection settings, a connection test, then the choice of folders."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.ui.accounts.account_form import AccountForm
from nbmail.ui.accounts.account_probe import AccountTest, ServerSearch, success_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import FILE, FOLDER, ScrollDialog, answer_buttons, file_dialog
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.layouts import header_width, max_text_width, name_combo, scaled
from nbmail.ui.kit.plain_text import plain_tip, wrapping_label
from nbmail.ui.kit.text_table import style_table
from nbmail.ui.window.notices import announce
from nbmail.ui.window.services import MailboxSearch, open_address
from nbmail.values import FolderLine, LocalMailbox, ServerFound

Take = Callable[[Account, str], None]
NAME, MESSAGES, WATCH, LEARN = range(4)
USUAL = ("INBOX",)
"""Watched folders of an account without a choice."""
ARCHIVES = frozenset({"archive", "archives", "archiv", "archivo", "archivio", "archief", "arkiv", "arkisto"})
"""Usual names of folders for read mail."""
COMBO_PADDING = 88
"""Pixels of a combo box in addition to its text."""
ROW_PADDING = 20
"""Pixels of a row in addition to its line of text, so that a combo box fits."""


class AccountDialog(ScrollDialog):
    """Dialog for one account. `take` is called with the account and its password.

    A new account is tested, and its folders are shown, before `take` is called. `taken`: names of other accounts.
    With `before`, that account is changed. Its name stays, an empty password keeps the stored one, and only changes of
    the connection settings require a test. `find_trusted` calls its argument with the servers that check senders.
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
        find_trusted: Callable[[Callable[[tuple[str, ...]], None]], None] | None = None,
    ) -> None:
        super().__init__(
            parent, tr("Add account") if before is None else tr("Account settings: {name}").format(name=before.name)
        )
        self._take, self._searches, self._taken, self._before = take, searches, taken, before
        self._places_requested = self._closed = False
        self._listed: tuple[str, ...] = ()
        self._make_fields()
        self._lay_out()
        self._connect()
        self._show_page(folders=False)
        self.kind.setCurrentIndex(int(local))
        self.form.first_field().setFocus()
        if find_trusted is not None:
            find_trusted(self._show_learned)

    def _show_learned(self, servers: tuple[str, ...]) -> None:
        if not self._closed:
            self.form.show_learned(servers)

    def _make_fields(self) -> None:
        self.kind = QComboBox()
        layouts.name_combo(self.kind, tr("Mail location"))
        self.kind.addItem(tr("On a mail server (IMAP)"))
        self.kind.addItem(tr("On this computer (Thunderbird, Maildir, mbox, folder of .eml files)"))
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.kind.setVisible(self._before is None)
        self.form = AccountForm(self._before)
        self.form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        searches = self._searches
        self.search = ServerSearch(searches.find_settings, self._take_found, open_address=open_address)
        self.search.changed = partial(self.ensure_visible, self.search)
        self.test = AccountTest(
            searches.list_folders, worked=self._show_folders, failed=self._focus_failed_field, busy=self._set_busy
        )
        self.problem, self.worked = wrapping_label(), wrapping_label(kind="title")
        self.problem.setAccessibleName(tr("Problem"))
        self.problem.hide()
        self.folders = FolderTable()
        self.folders.setMinimumHeight(scaled(self, 180))

    def _lay_out(self) -> None:
        self._connection, self._choice_page = QWidget(), QWidget()
        self._connection.setLayout(layouts.column(self.kind, self.form, self.search, spacing=14))
        note = wrapping_label(
            tr(
                "nbmail checks watched folders for new mail. From a training folder, it learns every message as "
                "junk or not junk."
            ),
            "muted",
        )
        self._choice_page.setLayout(layouts.column(self.worked, note, (self.folders, 1), spacing=12))
        buttons = answer_buttons(self)
        self.back = buttons.addButton(tr("Back"), QDialogButtonBox.ButtonRole.ActionRole)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        parts = (self._connection, (self._choice_page, 1), self.test, self.problem, None)
        self.set_contents(layouts.column(*parts, spacing=14), buttons, scaled(self, 580))

    def _connect(self) -> None:
        form = self.form
        self.kind.currentIndexChanged.connect(self._show_kind)
        self.back.clicked.connect(lambda: self._show_page(folders=False))
        form.find_settings.clicked.connect(lambda: self._search(again=True))
        form.address.editingFinished.connect(self._search_if_unknown)
        form.choose_folders.clicked.connect(self._start_test)
        for button, title, kind, take in (
            (form.browse, tr("Choose mail folder"), FOLDER, form.take_path),
            (form.browse_file, tr("Choose mail file"), FILE, form.take_path),
            (form.browse_authority, tr("Certificate file"), FILE, form.authority.setText),
        ):
            asked = partial(file_dialog, self, title, kind, take)
            button.clicked.connect(lambda _=False, asked=asked: asked().open())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Start the search with Enter in the address field, instead of accepting the dialog."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (enter and self.form.address.hasFocus()):
            super().keyPressEvent(event)

    def _show_page(self, *, folders: bool) -> None:
        """Show the connection settings or the folders."""
        self._choosing = folders
        for widget in (self._choice_page, self.back):
            widget.setVisible(folders)
        self._connection.setVisible(not folders)
        last = tr("Add account") if self._before is None else tr("Save")
        self.ok.setText(last if folders or self._before is not None else tr("Continue"))

    def _show_kind(self) -> None:
        local = self.kind.currentIndex() == 1
        if local and self.search.busy:
            self.search.give_up()
        self.search.setVisible(not local and bool(self.search.outcome.text()))
        self.form.show_kind(local=local)
        self._show_problem("")
        if local and not self._places_requested:
            self._places_requested = True
            self._searches.find_places(self._offer_places)

    def _offer_places(self, places: tuple[LocalMailbox, ...]) -> None:
        if not self._closed:
            self.form.offer_places(places)

    def _search(self, *, again: bool = False) -> None:
        self._show_problem("")
        self.search.look(self.form.address.text().strip(), again=again)

    def _search_if_unknown(self) -> None:
        """Search when the focus leaves the address, unless the user entered a server."""
        if "@" in self.form.address.text() and not self.form.server.isModified() and not self._closed:
            self._search()

    def _take_found(self, found: ServerFound) -> None:
        self.form.take_found(found)
        self._show_problem("")

    def _show_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        self.test.hide()
        if text:
            announce(self.problem, text)
            self.ensure_visible(self.problem)

    def _is_incomplete(self) -> bool:
        """True if a value is missing or wrong. Then the problem is shown and its field gets the focus."""
        text, field = self.form.missing(self._taken)
        if self.search.busy and field is self.form.server:
            text = tr("Still looking for your mail server. Please wait, or enter its name.")
        self._show_problem(text)
        if text:
            field.setFocus()
        return bool(text)

    # ------------------------------------------------------------------------------------------------ connection test

    def _start_test(self) -> None:
        if not self._is_incomplete():
            self.search.setVisible(self.search.page_button.isVisible())
            self.test.begin(self.form.account(self._taken), self._password())

    def _password(self) -> str:
        return "" if self.form.local else self.form.password.text()

    def _set_busy(self, busy: bool) -> None:
        self._connection.setEnabled(not busy)
        self.ok.setEnabled(not busy)
        self.ensure_visible(self.test)

    def _focus_failed_field(self, error_code: ErrorCode | None) -> None:
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
            # Without a choice, all folders on this computer are watched.
            picked = replace(picked, watched=self._listed)
        self.worked.setText(success_text(account, len(folders), self.test.listed))
        announce(self, self.worked.text())
        # In this order: hiding the page moves the focus to a combo box of the table and selects its row.
        self._show_page(folders=True)
        self.folders.setFocus()
        self.folders.show_folders(folders, picked)

    def accept(self) -> None:
        account = self.form.account(self._taken)
        if self._choosing:
            picked = self.folders.picked()
            if self.form.local and picked.watched == self._listed:
                picked = replace(picked, watched=USUAL)
            account = replace(account, folders=picked.watched, junk_folders=picked.junk, good_folders=picked.good)
        elif (
            self._before is None
            or self._password()
            or _connection_settings(account) != _connection_settings(self._before)
        ):
            self._start_test()
            return
        self._take(account, self._password())
        super().accept()

    def done(self, result: int) -> None:
        self._closed = True
        self.search.stop()
        self.test.stop()
        super().done(result)


def _connection_settings(account: Account) -> tuple[object, ...]:
    """Return the settings that decide if the mail can be accessed."""
    return account.host, account.port, account.security, account.user, account.authority_file, account.path


@dataclass(frozen=True, slots=True)
class PickedFolders:
    """Names of the selected folders."""

    watched: tuple[str, ...] = USUAL
    junk: tuple[str, ...] = ()
    good: tuple[str, ...] = ()

    def label_of(self, name: str) -> str:
        """Return the label of a training folder, empty for other folders."""
        return "junk" if name in self.junk else "good" if name in self.good else ""


def suggest_folders(folders: Sequence[FolderLine]) -> PickedFolders:
    """Suggest training folders: junk from the junk folder, good mail from the archive.

    Without special-use flags, as on this computer, the name identifies the archive.
    """
    filled = [each for each in folders if each.messages != 0]
    junk, good = ([each.name for each in filled if each.special == use] for use in ("\\Junk", "\\Archive"))
    named = [each.name for each in filled if not each.special and ARCHIVES & set(_parts(each.name))]
    return PickedFolders(junk=tuple(junk), good=tuple(good or named))


def _parts(name: str) -> list[str]:
    return re.split(r"[/.\\]", name.casefold())


class FolderTable(QTableWidget):
    """Table of all folders of an account, with the choice of watched folders and training folders."""

    def __init__(self) -> None:
        super().__init__(0, 4)
        self._folders: Sequence[FolderLine] = ()
        self._before = PickedFolders()
        self.setHorizontalHeaderLabels([tr("Folder"), tr("Messages"), tr("Watch"), tr("Learn as")])
        self.setAccessibleName(tr("Folders in this account"))
        style_table(self, ROW_PADDING)
        header, modes = self.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.ResizeToContents)
        header.setSectionResizeMode(NAME, modes.Stretch)
        header.setSectionResizeMode(LEARN, modes.Fixed)
        width = max_text_width(self.fontMetrics(), (text for text, _ in _label_names()))
        header.resizeSection(LEARN, max(width + COMBO_PADDING, header_width(self, LEARN)))
        messages = self.horizontalHeaderItem(MESSAGES)
        if messages is not None:
            messages.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.currentCellChanged.connect(self._enter)

    def show_folders(self, folders: Sequence[FolderLine], before: PickedFolders) -> None:
        """Show the folders of an account. Folders in `before` that are not listed stay selected."""
        self._folders, self._before = folders, before
        self.setRowCount(len(folders))
        for row, folder in enumerate(folders):
            self._fill(row, folder)
        self.setColumnHidden(MESSAGES, all(each.messages is None for each in folders))
        self.setCurrentCell(0, WATCH)

    def _fill(self, row: int, folder: FolderLine) -> None:
        name, count, watch = (QTableWidgetItem() for _ in range(3))
        name.setText(_folder_text(folder))
        name.setToolTip(plain_tip(folder.name))
        count.setText("" if folder.messages is None else format_count(folder.messages))
        count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        states = Qt.CheckState
        watch.setCheckState(states.Checked if folder.name in self._before.watched else states.Unchecked)
        watch.setData(Qt.ItemDataRole.AccessibleTextRole, tr("Watch {folder}").format(folder=folder.name))
        flags = Qt.ItemFlag
        for column, item in ((NAME, name), (MESSAGES, count), (WATCH, watch)):
            item.setFlags(flags.ItemIsEnabled | flags.ItemIsSelectable)
            self.setItem(row, column, item)
        watch.setFlags(watch.flags() | flags.ItemIsUserCheckable)
        self.setCellWidget(row, LEARN, self._choice(folder))

    def _choice(self, folder: FolderLine) -> QComboBox:
        choice = QComboBox()
        for text, label in _label_names():
            choice.addItem(text, label)
        choice.setCurrentIndex(choice.findData(self._before.label_of(folder.name)))
        name_combo(choice, tr("Learn {folder} as").format(folder=folder.name))
        return choice

    def _enter(self, row: int, column: int) -> None:
        """Give the focus to a combo box that is reached with the arrow keys."""
        choice = self.cellWidget(row, column)
        if choice is not None and self.hasFocus():
            choice.setFocus()

    def picked(self) -> PickedFolders:
        """Return the selection. Without a watched folder, the inbox is watched."""
        before, listed = self._before, {folder.name for folder in self._folders}
        usual = () if before.watched == USUAL else before.watched
        watched, junk, good = (
            [each for each in names if each not in listed] for names in (usual, before.junk, before.good)
        )
        for row, folder in enumerate(self._folders):
            item, choice = self.item(row, WATCH), self.cellWidget(row, LEARN)
            if item is not None and item.checkState() == Qt.CheckState.Checked:
                watched.append(folder.name)
            if isinstance(choice, QComboBox) and choice.currentData():
                (junk if choice.currentData() == "junk" else good).append(folder.name)
        order = {name: place for place, name in enumerate(before.watched)}
        watched.sort(key=lambda name: order.get(name, len(order)))
        return PickedFolders(tuple(watched) or USUAL, tuple(junk), tuple(good))


def _label_names() -> tuple[tuple[str, str], ...]:
    return (tr("don't learn"), ""), (tr("junk"), "junk"), (tr("not junk"), "good")


def _folder_text(folder: FolderLine) -> str:
    """Return the name of a folder, with its special use if the name differs from it."""
    name = tr("Inbox") if folder.name.upper() == "INBOX" else folder.name
    use = {
        "\\Junk": tr("junk"),
        "\\Trash": tr("trash"),
        "\\Sent": tr("sent mail"),
        "\\Drafts": tr("drafts"),
        "\\Archive": tr("archive"),
        "\\All": tr("all mail"),
    }.get(folder.special, "")
    return f"{name}  ({use})" if use and use.casefold() not in name.casefold() else name
