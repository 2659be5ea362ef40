"""Choice of the folders of an account: watched folders, suggested folders and training folders."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QTableWidget, QTableWidgetItem

from nbmail.core.folders.suggestions import ALL_OWN, own_folders
from nbmail.sync.mailbox_values import FolderLine
from nbmail.ui.kit.layouts import header_width, max_text_width, name_combo, scaled
from nbmail.ui.kit.phrases import format_count, tr
from nbmail.ui.kit.plain_text import plain_tip
from nbmail.ui.kit.text_table import style_table

NAME, MESSAGES, WATCH, SUGGEST, LEARN = range(5)
USUAL = ("INBOX",)
"""Watched folders of an account without a choice."""
ARCHIVES = frozenset({"archive", "archives", "archiv", "archivo", "archivio", "archief", "arkiv", "arkisto"})
"""Usual names of folders for read mail."""
COMBO_PADDING = 80
"""Pixels of a combo box in addition to its text."""
ROW_PADDING = 20
"""Pixels of a row in addition to its line of text, so that a combo box fits."""
MIN_NAME = 130
"""Minimum width in pixels of the names where the number of messages is shown."""


@dataclass(frozen=True, slots=True)
class PickedFolders:
    """Names of the selected folders."""

    watched: tuple[str, ...] = USUAL
    junk: tuple[str, ...] = ()
    good: tuple[str, ...] = ()
    suggested: tuple[str, ...] = (ALL_OWN,)

    def label_of(self, name: str) -> str:
        """Return the label of a training folder, empty for other folders."""
        return "junk" if name in self.junk else "good" if name in self.good else ""


def suggest_folders(folders: Sequence[FolderLine]) -> PickedFolders:
    """Suggest training folders: junk from the junk folder, good mail from the archive, by special use or name."""
    filled = [each for each in folders if each.messages != 0]
    junk, good = ([each.name for each in filled if each.special == use] for use in ("\\Junk", "\\Archive"))
    named = [each.name for each in filled if not each.special and ARCHIVES & set(_parts(each.name))]
    return PickedFolders(junk=tuple(junk), good=tuple(good or named))


def _parts(name: str) -> list[str]:
    return re.split(r"[/.\\]", name.casefold())


class FolderTable(QTableWidget):
    """Table of all folders of an account, with the choice of watched folders and training folders."""

    def __init__(self) -> None:
        super().__init__(0, 5)
        self._folders: Sequence[FolderLine] = ()
        self._before, self._own = PickedFolders(), frozenset[str]()
        self.setHorizontalHeaderLabels([tr("Folder"), tr("Messages"), tr("Watch"), tr("Suggest"), tr("Learn as")])
        self.setAccessibleName(tr("Folders in this account"))
        style_table(self, ROW_PADDING)
        header, modes = self.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.Fixed)
        header.setSectionResizeMode(NAME, modes.Stretch)
        for column in (MESSAGES, WATCH, SUGGEST):
            header.resizeSection(column, header_width(self, column))
        width = max_text_width(self.fontMetrics(), (text for text, _ in _label_names()))
        header.resizeSection(LEARN, max(width + COMBO_PADDING, header_width(self, LEARN)))
        messages = self.horizontalHeaderItem(MESSAGES)
        if messages is not None:
            messages.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.currentCellChanged.connect(self._enter)

    def show_folders(self, folders: Sequence[FolderLine], before: PickedFolders, *, local: bool = False) -> None:
        """Show the folders of an account. Folders in `before` that are not listed stay selected.

        `local`: nothing is moved in the mailbox, so that no folder is suggested.
        """
        self._folders, self._before = folders, before
        self._own = frozenset(own_folders((each.name, each.special) for each in folders))
        self.setColumnHidden(SUGGEST, local)
        self.setRowCount(len(folders))
        for row, folder in enumerate(folders):
            self._fill(row, folder)
        self._fit_columns()
        self.setCurrentCell(0, WATCH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Hide the numbers of messages where the names need their room."""
        choices = sum(self.columnWidth(column) for column in (WATCH, SUGGEST, LEARN))
        room = self.viewport().width() - choices - header_width(self, MESSAGES)
        counted = any(each.messages is not None for each in self._folders)
        self.setColumnHidden(MESSAGES, not counted or room < scaled(self, MIN_NAME))

    def _fill(self, row: int, folder: FolderLine) -> None:
        name, count, watch, suggest = (QTableWidgetItem() for _ in range(4))
        name.setText(_folder_text(folder))
        name.setToolTip(plain_tip(folder.name))
        count.setText("" if folder.messages is None else format_count(folder.messages))
        count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        states = Qt.CheckState
        watch.setCheckState(states.Checked if folder.name in self._before.watched else states.Unchecked)
        watch.setData(Qt.ItemDataRole.AccessibleTextRole, tr("Watch {folder}").format(folder=folder.name))
        suggest.setCheckState(states.Checked if folder.name in self._suggested() else states.Unchecked)
        suggest.setData(Qt.ItemDataRole.AccessibleTextRole, tr("Suggest {folder}").format(folder=folder.name))
        flags = Qt.ItemFlag
        for column, item in ((NAME, name), (MESSAGES, count), (WATCH, watch), (SUGGEST, suggest)):
            item.setFlags(flags.ItemIsEnabled | flags.ItemIsSelectable)
            self.setItem(row, column, item)
        for item in (watch, suggest):
            item.setFlags(item.flags() | flags.ItemIsUserCheckable)
        self.setCellWidget(row, LEARN, self._choice(folder))

    def _suggested(self) -> frozenset[str]:
        """Return the folders that were suggested before."""
        before = self._before.suggested
        return frozenset(before) | self._own if ALL_OWN in before else frozenset(before)

    def _picked_suggestions(self) -> tuple[str, ...]:
        items = ((folder.name, self.item(row, SUGGEST)) for row, folder in enumerate(self._folders))
        ticked = {name for name, item in items if item is not None and item.checkState() == Qt.CheckState.Checked}
        if ticked == self._own and (ticked or ALL_OWN in self._before.suggested):
            return (ALL_OWN,)
        return tuple(sorted(ticked))

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
        return PickedFolders(tuple(watched) or USUAL, tuple(junk), tuple(good), self._picked_suggestions())


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
