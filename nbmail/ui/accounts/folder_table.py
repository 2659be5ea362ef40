"""The folders of a mailbox: which to watch, and which to learn from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHeaderView, QTableWidget, QTableWidgetItem

from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.layouts import header_width, max_text_width, name_combo
from nbmail.ui.kit.plain_text import plain_tip
from nbmail.ui.kit.text_table import style_table
from nbmail.values import FolderLine

NAME, MESSAGES, WATCH, LEARN = range(4)
USUAL = ("INBOX",)
ARCHIVES = frozenset({"archive", "archives", "archiv", "archivo", "archivio", "archief", "arkiv", "arkisto"})
"""What folders for mail that was read and kept are called."""
CHOICE_ROOM = 88
"""Pixels of a choice beside its words: its edges and its arrow."""
ROW_ROOM = 20
"""Pixels of a row beside its line of text: a choice in it takes as many."""


@dataclass(frozen=True, slots=True)
class PickedFolders:
    """Folders by their names."""

    watched: tuple[str, ...] = USUAL
    junk: tuple[str, ...] = ()
    good: tuple[str, ...] = ()

    def teaches(self, name: str) -> str:
        """The label that a folder teaches; empty for none."""
        return "junk" if name in self.junk else "good" if name in self.good else ""


def suggest_folders(folders: Sequence[FolderLine]) -> PickedFolders:
    """What to learn from where nobody has chosen yet: junk from the folder for junk, good mail from the archive.

    Where nobody says which that is, as on this computer, its name does.
    """
    filled = [each for each in folders if each.messages != 0]
    junk, good = ([each.name for each in filled if each.special == use] for use in ("\\Junk", "\\Archive"))
    named = [each.name for each in filled if not each.special and ARCHIVES & set(_parts(each.name))]
    return PickedFolders(junk=tuple(junk), good=tuple(good or named))


def _parts(name: str) -> list[str]:
    return re.split(r"[/.\\]", name.casefold())


class FolderTable(QTableWidget):
    """A line for each folder. Signals: those of every table."""

    def __init__(self) -> None:
        super().__init__(0, 4)
        self._folders: Sequence[FolderLine] = ()
        self._before = PickedFolders()
        self.setHorizontalHeaderLabels([tr("Folder"), tr("Messages"), tr("Watch"), tr("Learn as")])
        self.setAccessibleName(tr("Folders of the mailbox"))
        style_table(self, ROW_ROOM)
        header, modes = self.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.ResizeToContents)
        header.setSectionResizeMode(NAME, modes.Stretch)
        header.setSectionResizeMode(LEARN, modes.Fixed)
        words = max_text_width(self.fontMetrics(), (words for words, _ in _lessons()))
        header.resizeSection(LEARN, max(words + CHOICE_ROOM, header_width(self, LEARN)))
        counted = self.horizontalHeaderItem(MESSAGES)
        if counted is not None:
            counted.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.currentCellChanged.connect(self._enter)

    def show_folders(self, folders: Sequence[FolderLine], before: PickedFolders) -> None:
        """Show these; folders picked `before` that are not among them stay picked."""
        self._folders, self._before = folders, before
        self.setRowCount(len(folders))
        for row, folder in enumerate(folders):
            self._fill(row, folder)
        self.setColumnHidden(MESSAGES, all(each.messages is None for each in folders))
        self.setCurrentCell(0, WATCH)

    def _fill(self, row: int, folder: FolderLine) -> None:
        name, count, watch = (QTableWidgetItem() for _ in range(3))
        name.setText(_shown(folder))
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
        for words, label in _lessons():
            choice.addItem(words, label)
        choice.setCurrentIndex(choice.findData(self._before.teaches(folder.name)))
        name_combo(choice, tr("What {folder} teaches").format(folder=folder.name))
        return choice

    def _enter(self, row: int, column: int) -> None:
        """Who comes to a choice by the arrow keys can change it with them."""
        choice = self.cellWidget(row, column)
        if choice is not None and self.hasFocus():
            choice.setFocus()

    def picked(self) -> PickedFolders:
        """What is picked now; without any folder to watch, the usual one."""
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


def _lessons() -> tuple[tuple[str, str], ...]:
    return (tr("nothing"), ""), (tr("junk"), "junk"), (tr("good mail"), "good")


def _shown(folder: FolderLine) -> str:
    """A folder's name, and what the server says it is for where the name alone needn't tell."""
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
