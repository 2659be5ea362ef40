"""Table of the folders of an account: watched, suggested and training folders."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QTableWidget, QTableWidgetItem

from nbmail.core.folders.own_folders import ALL_OWN, own_folders
from nbmail.settings import Account
from nbmail.sync.mailbox_values import FolderLine
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.sizes import header_width, max_text_width, scaled
from nbmail.ui.kit.table_style import style_table
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import plain_tip

NAME, MESSAGES, WATCH, SUGGEST, LEARN = range(5)
USUAL = Account("").folders
"""Watched folders of an account without a choice."""
COMBO_PADDING = 80
"""Pixels of a combo box in addition to its text."""
ROW_PADDING = 20
"""Pixels of a row in addition to its line of text, so that a combo box fits."""
MIN_NAME = 130
"""Minimum width in pixels of the names where the number of messages is shown."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FolderTable(QTableWidget):
    """All folders of an account, each with its choices."""

    def __init__(self) -> None:
        super().__init__(0, 5)
        self._folders: Sequence[FolderLine] = ()
        self._before = Account("")
        self._own = frozenset[str]()
        self._labels = (tr("don't learn"), ""), (tr("spam"), "spam"), (tr("not spam"), "ham")
        self.setHorizontalHeaderLabels(
            [tr("Folder"), tr("Messages"), tr("Watch"), tr("Suggest"), tr("Learn as")]
        )
        self.setAccessibleName(tr("Folders in this account"))
        style_table(self, ROW_PADDING)
        self._size_columns()
        self.currentCellChanged.connect(self._enter)

    def _size_columns(self) -> None:
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column in (MESSAGES, WATCH, SUGGEST):
            header.resizeSection(column, header_width(self, column))
        label_width = max_text_width(self.fontMetrics(), (text for text, _ in self._labels))
        combo_width = label_width + COMBO_PADDING
        header.resizeSection(LEARN, max(combo_width, header_width(self, LEARN)))
        messages = self.horizontalHeaderItem(MESSAGES)
        if messages is not None:
            messages.setTextAlignment(RIGHT)

    def show_folders(self, folders: Sequence[FolderLine], account: Account) -> None:
        """Show the folders of an account. Chosen folders that are not listed stay chosen."""
        if account.path and account.folders == USUAL:
            # Without a choice, all folders on this computer are watched.
            account = replace(account, folders=tuple(each.name for each in folders))
        self._folders = folders
        self._before = account
        self._own = frozenset(own_folders((each.name, each.special) for each in folders))
        # Nothing is moved in a mailbox on this computer.
        self.setColumnHidden(SUGGEST, bool(account.path))
        self.setRowCount(len(folders))
        for row, folder in enumerate(folders):
            self._fill_row(row, folder)
        self._fit_columns()
        self.setCurrentCell(0, WATCH)

    def _fill_row(self, row: int, folder: FolderLine) -> None:
        account = self._before
        name = folder.name
        count = "" if folder.messages is None else format_count(folder.messages)
        self._set_item(row, NAME, _folder_text(folder)).setToolTip(plain_tip(name))
        self._set_item(row, MESSAGES, count).setTextAlignment(RIGHT)

        watch = tr("Watch {folder}").format(folder=name)
        self._set_box(row, WATCH, watch, checked=name in account.folders)
        all_own = ALL_OWN in account.suggested_folders and name in self._own
        suggest = tr("Suggest {folder}").format(folder=name)
        self._set_box(row, SUGGEST, suggest, checked=all_own or name in account.suggested_folders)

        label = ""
        if name in account.spam_folders:
            label = "spam"
        elif name in account.ham_folders:
            label = "ham"
        choice = combo_of(self._labels, tr("Learn {folder} as").format(folder=name))
        choice.setCurrentIndex(choice.findData(label))
        self.setCellWidget(row, LEARN, choice)

    def _set_item(self, row: int, column: int, text: str = "") -> QTableWidgetItem:
        item = QTableWidgetItem(text)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        self.setItem(row, column, item)
        return item

    def _set_box(self, row: int, column: int, name: str, *, checked: bool) -> None:
        box = self._set_item(row, column)
        box.setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
        box.setData(Qt.ItemDataRole.AccessibleTextRole, name)
        box.setFlags(box.flags() | Qt.ItemFlag.ItemIsUserCheckable)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Hide the numbers of messages where the names need their room."""
        choices = sum(self.columnWidth(column) for column in (WATCH, SUGGEST, LEARN))
        room = self.viewport().width() - choices - header_width(self, MESSAGES)
        counted = any(each.messages is not None for each in self._folders)
        self.setColumnHidden(MESSAGES, not counted or room < scaled(self, MIN_NAME))

    def _enter(self, row: int, column: int) -> None:
        """Give the focus to a combo box that is reached with the arrow keys."""
        choice = self.cellWidget(row, column)
        if choice is not None and self.hasFocus():
            choice.setFocus()

    def picked(self, account: Account) -> Account:
        """Return the account with the chosen folders. Without a choice, the inbox is watched."""
        spam = [*self._unlisted(self._before.spam_folders), *self._learned_as("spam")]
        ham = [*self._unlisted(self._before.ham_folders), *self._learned_as("ham")]
        return replace(
            account,
            folders=self._watched(account) or USUAL,
            spam_folders=tuple(spam),
            ham_folders=tuple(ham),
            suggested_folders=self._suggested(account),
        )

    def _watched(self, account: Account) -> tuple[str, ...]:
        """Return the watched folders in their earlier order, empty for the usual choice."""
        before = self._before.folders
        unlisted = [] if before == USUAL else self._unlisted(before)
        order = {name: place for place, name in enumerate(before)}
        watched = [*unlisted, *self._ticked(WATCH)]
        watched.sort(key=lambda name: order.get(name, len(order)))
        if account.path and watched == [folder.name for folder in self._folders]:
            return ()
        return tuple(watched)

    def _suggested(self, account: Account) -> tuple[str, ...]:
        if account.path:
            return ()
        ticked = set(self._ticked(SUGGEST))
        if ticked == self._own and (ticked or ALL_OWN in self._before.suggested_folders):
            return (ALL_OWN,)
        return tuple(sorted(ticked))

    def _unlisted(self, names: Sequence[str]) -> list[str]:
        """Return the chosen folders that the table doesn't show."""
        listed = {folder.name for folder in self._folders}
        return [name for name in names if name not in listed]

    def _learned_as(self, label: str) -> list[str]:
        names = []
        for row, folder in enumerate(self._folders):
            choice = self.cellWidget(row, LEARN)
            if isinstance(choice, QComboBox) and choice.currentData() == label:
                names.append(folder.name)
        return names

    def _ticked(self, column: int) -> list[str]:
        names = []
        for row, folder in enumerate(self._folders):
            item = self.item(row, column)
            if item is not None and item.checkState() == Qt.CheckState.Checked:
                names.append(folder.name)
        return names


def _folder_text(folder: FolderLine) -> str:
    """Return the name of a folder, with its special use if the name differs from it."""
    name = tr("Inbox") if folder.name.upper() == "INBOX" else folder.name
    uses = {
        "\\Junk": tr("spam"),
        "\\Trash": tr("trash"),
        "\\Sent": tr("sent mail"),
        "\\Drafts": tr("drafts"),
        "\\Archive": tr("archive"),
        "\\All": tr("all mail"),
    }
    use = uses.get(folder.special, "")
    if not use or use.casefold() in name.casefold():
        return name
    return f"{name}  ({use})"
