"""Picking folders from a mailbox's own list: which to watch, and which to learn from."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from nbmail.ui.accounts.settings_search import FolderNews, FoldersFound, FoldersRefused, GiveUp, TellFolders
from nbmail.ui.dialogs.form_dialog import answer_buttons
from nbmail.ui.kit import layouts
from nbmail.ui.kit.advice import advise
from nbmail.ui.kit.language import grouped, tr
from nbmail.ui.kit.letter_sizes import give_size, heading_width, widest
from nbmail.ui.kit.lines_table import shape_table
from nbmail.ui.kit.plain_text import plain_tip, wrapping_label
from nbmail.values import FolderLine

NAME, MESSAGES, WATCH, LEARN = range(4)
TEACHES = ("", "junk", "good")
CHOICE_ROOM = 88
"""Pixels of a choice beside its words: its edges and its arrow."""
ROW_ROOM = 20
"""Pixels of a row beside its line of text: a choice in it takes as many."""


@dataclass(frozen=True, slots=True)
class PickedFolders:
    """Folders by their names."""

    watched: tuple[str, ...] = ("INBOX",)
    junk: tuple[str, ...] = ()
    good: tuple[str, ...] = ()

    def teaches(self, name: str) -> str:
        """The label that a folder teaches; empty for none."""
        return "junk" if name in self.junk else "good" if name in self.good else ""


class FolderPicker(QDialog):
    """Asks `find` for the folders, shows them, and hands what was picked to `take`. Signals: those of every dialog.

    `before` is what was picked up to now; folders of it that the mailbox doesn't list stay picked.
    """

    def __init__(
        self,
        parent: QWidget,
        find: Callable[[TellFolders], GiveUp],
        before: PickedFolders,
        take: Callable[[PickedFolders], None],
    ) -> None:
        super().__init__(parent)
        self._find, self._before, self._take = find, before, take
        self._folders: tuple[FolderLine, ...] = ()
        self._give_up: GiveUp = lambda: None
        self.setWindowTitle(tr("Choose folders"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        give_size(self, 620, 520)
        self.state = wrapping_label()
        self.again = QPushButton(tr("Ask again"))
        self.again.clicked.connect(self.ask)
        self.table = _table()
        self.table.currentCellChanged.connect(self._enter)
        self.buttons = answer_buttons(self)
        parts = (self.state, (self.again, Qt.AlignmentFlag.AlignLeft), (self.table, 1), self.buttons)
        self.setLayout(layouts.column(*parts, spacing=10, margins=(22, 20, 22, 18)))
        self.ask()

    def ask(self) -> None:
        """Ask the mailbox."""
        self._give_up()
        self.again.hide()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(False)
        self.state.setText(tr("Asking the mailbox which folders it has…"))
        self._give_up = self._find(self._hear)

    def _hear(self, news: FolderNews) -> None:
        if isinstance(news, FoldersRefused):
            advice = advise(news.trouble, news.detail)
            self.state.setText("\n".join(text for text in (advice.sentence, advice.advice, advice.detail) if text))
            self.again.show()
        else:
            self._show(news)

    def _show(self, news: FoldersFound) -> None:
        self._folders = news.folders
        self.state.setText(
            tr(
                "New mail is looked for in watched folders. From folders you have sorted already, nbmail learns all "
                "messages as junk, or as good mail."
            )
        )
        self.table.setRowCount(len(news.folders))
        for row, folder in enumerate(news.folders):
            self._fill(row, folder)
        self.table.setEnabled(True)
        self.table.setCurrentCell(0, WATCH)
        self.table.setFocus()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(True)

    def _fill(self, row: int, folder: FolderLine) -> None:
        name = _fixed(_shown(folder))
        name.setToolTip(plain_tip(folder.name))
        count = _fixed("" if folder.messages is None else grouped(folder.messages))
        count.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        watch = QTableWidgetItem()
        watch.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
        watched = folder.name in self._before.watched
        watch.setCheckState(Qt.CheckState.Checked if watched else Qt.CheckState.Unchecked)
        watch.setData(Qt.ItemDataRole.AccessibleTextRole, tr("Watch {folder}").format(folder=folder.name))
        for column, item in ((NAME, name), (MESSAGES, count), (WATCH, watch)):
            self.table.setItem(row, column, item)
        self.table.setCellWidget(row, LEARN, self._choice(folder))

    def _choice(self, folder: FolderLine) -> QComboBox:
        choice = QComboBox()
        for words, label in zip((tr("nothing"), tr("junk"), tr("good mail")), TEACHES, strict=True):
            choice.addItem(words, label)
        choice.setCurrentIndex(TEACHES.index(self._before.teaches(folder.name)))
        choice.setAccessibleName(tr("What {folder} teaches").format(folder=folder.name))
        # On Linux the name of a choice is what is chosen.
        choice.setAccessibleDescription(choice.accessibleName())
        return choice

    def _enter(self, row: int, column: int) -> None:
        """Who comes to a choice by the arrow keys can change it with them."""
        choice = self.table.cellWidget(row, column)
        if choice is not None and self.table.hasFocus():
            choice.setFocus()

    def picked(self) -> PickedFolders:
        """What is picked now."""
        listed = {folder.name for folder in self._folders}
        before = self._before
        kept = [[name for name in names if name not in listed] for names in (before.watched, before.junk, before.good)]
        watched, junk, good = kept
        for row, folder in enumerate(self._folders):
            item, choice = self.table.item(row, WATCH), self.table.cellWidget(row, LEARN)
            if item is not None and item.checkState() == Qt.CheckState.Checked:
                watched.append(folder.name)
            if isinstance(choice, QComboBox) and choice.currentData():
                (junk if choice.currentData() == "junk" else good).append(folder.name)
        order = {name: place for place, name in enumerate(before.watched)}
        watched.sort(key=lambda name: order.get(name, len(order)))
        return PickedFolders(tuple(watched) or ("INBOX",), tuple(junk), tuple(good))

    def accept(self) -> None:
        self._take(self.picked())
        super().accept()

    def done(self, result: int) -> None:
        self._give_up()
        super().done(result)


def _table() -> QTableWidget:
    table = QTableWidget(0, 4)
    table.setHorizontalHeaderLabels([tr("Folder"), tr("Messages"), tr("Watch"), tr("Learn as")])
    table.setAccessibleName(tr("Folders of the mailbox"))
    shape_table(table, ROW_ROOM)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
    header.setSectionResizeMode(LEARN, QHeaderView.ResizeMode.Fixed)
    words = widest(table.fontMetrics(), [tr("nothing"), tr("junk"), tr("good mail")])
    header.resizeSection(LEARN, max(words + CHOICE_ROOM, heading_width(table, LEARN)))
    counted = table.horizontalHeaderItem(MESSAGES)
    if counted is not None:
        counted.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    table.setEnabled(False)
    return table


def _fixed(text: str) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item


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
