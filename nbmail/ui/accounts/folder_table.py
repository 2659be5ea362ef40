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
from nbmail.ui.kit.text_table import style_table
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
    """Table of all folders of an account, with the choice of watched folders and training
    folders.
    """

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
        header = self.horizontalHeader()
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.Fixed)
        header.setSectionResizeMode(NAME, modes.Stretch)
        for column in (MESSAGES, WATCH, SUGGEST):
            header.resizeSection(column, header_width(self, column))
        width = max_text_width(self.fontMetrics(), (text for text, _ in self._labels))
        header.resizeSection(LEARN, max(width + COMBO_PADDING, header_width(self, LEARN)))
        messages = self.horizontalHeaderItem(MESSAGES)
        if messages is not None:
            messages.setTextAlignment(RIGHT)
        self.currentCellChanged.connect(self._enter)

    def show_folders(self, folders: Sequence[FolderLine], account: Account) -> None:
        """Show the folders of an account with its choices. Chosen folders that are not listed stay
        chosen.
        """
        if account.path and account.folders == USUAL:
            # Without a choice, all folders on this computer are watched.
            account = replace(account, folders=tuple(each.name for each in folders))
        self._folders = folders
        self._before = account
        self._own = frozenset(own_folders((each.name, each.special) for each in folders))
        suggested = {
            *account.suggested_folders,
            *(self._own if ALL_OWN in account.suggested_folders else ()),
        }
        # Nothing is moved in a mailbox on this computer.
        self.setColumnHidden(SUGGEST, bool(account.path))
        self.setRowCount(len(folders))
        for row, folder in enumerate(folders):
            count = "" if folder.messages is None else format_count(folder.messages)
            self._set_item(row, NAME, _folder_text(folder)).setToolTip(plain_tip(folder.name))
            self._set_item(row, MESSAGES, count).setTextAlignment(RIGHT)
            for column, text, chosen in (
                (WATCH, tr("Watch {folder}"), account.folders),
                (SUGGEST, tr("Suggest {folder}"), suggested),
            ):
                box = self._set_item(row, column)
                box.setCheckState(
                    Qt.CheckState.Checked if folder.name in chosen else Qt.CheckState.Unchecked
                )
                box.setData(Qt.ItemDataRole.AccessibleTextRole, text.format(folder=folder.name))
                box.setFlags(box.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            choice = combo_of(self._labels, tr("Learn {folder} as").format(folder=folder.name))
            label = (
                1
                if folder.name in account.spam_folders
                else 2
                if folder.name in account.ham_folders
                else 0
            )
            choice.setCurrentIndex(label)
            self.setCellWidget(row, LEARN, choice)
        self._fit_columns()
        self.setCurrentCell(0, WATCH)

    def _set_item(self, row: int, column: int, text: str = "") -> QTableWidgetItem:
        item = QTableWidgetItem(text)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        self.setItem(row, column, item)
        return item

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
        """Return the account with the chosen folders. Without a watched folder, the inbox is
        watched.
        """
        before = self._before
        listed = [folder.name for folder in self._folders]
        usual = () if before.folders == USUAL else before.folders
        watched, spam, ham = (
            [each for each in names if each not in listed]
            for names in (usual, before.spam_folders, before.ham_folders)
        )
        for row, folder in enumerate(self._folders):
            choice = self.cellWidget(row, LEARN)
            if isinstance(choice, QComboBox) and choice.currentData():
                (spam if choice.currentData() == "spam" else ham).append(folder.name)
        order = {name: place for place, name in enumerate(before.folders)}
        watched = sorted(
            [*watched, *self._ticked(WATCH)], key=lambda name: order.get(name, len(order))
        )
        if account.path and watched == listed:
            watched = []
        ticked = set(self._ticked(SUGGEST))
        all_own = ticked == self._own and (ticked or ALL_OWN in before.suggested_folders)
        suggested = () if account.path else (ALL_OWN,) if all_own else tuple(sorted(ticked))
        return replace(
            account,
            folders=tuple(watched) or USUAL,
            spam_folders=tuple(spam),
            ham_folders=tuple(ham),
            suggested_folders=suggested,
        )

    def _ticked(self, column: int) -> list[str]:
        items = ((folder.name, self.item(row, column)) for row, folder in enumerate(self._folders))
        return [
            name
            for name, item in items
            if item is not None and item.checkState() == Qt.CheckState.Checked
        ]


def _folder_text(folder: FolderLine) -> str:
    """Return the name of a folder, with its special use if the name differs from it."""
    name = tr("Inbox") if folder.name.upper() == "INBOX" else folder.name
    use = {
        "\\Junk": tr("spam"),
        "\\Trash": tr("trash"),
        "\\Sent": tr("sent mail"),
        "\\Drafts": tr("drafts"),
        "\\Archive": tr("archive"),
        "\\All": tr("all mail"),
    }.get(folder.special, "")
    return f"{name}  ({use})" if use and use.casefold() not in name.casefold() else name
