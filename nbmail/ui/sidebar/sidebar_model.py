"""Entries of the sidebar: smart lists, accounts and folders."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from nbmail.ui.accounts.state_texts import state_text
from nbmail.ui.list.list_choice import USUAL, Choice, Kind
from nbmail.ui.sidebar.list_names import folder_name, kind_name
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import plain_tip
from nbmail.values import AccountState, FolderName

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class SidebarEntry:
    """Entry of the sidebar: a smart list, a folder, or a heading, of an account or of a group
    (`choice` is None).
    """

    text: str
    choice: Choice | None
    icon: str = ""
    count: int = 0
    unread: int = 0
    account: str = ""


class SidebarModel(QAbstractListModel):
    """Entries of the sidebar."""

    def __init__(
        self, parent: QObject | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self._kinds: Mapping[Kind, int] = dict.fromkeys(USUAL, 0)
        self.entries = _smart_lists(self._kinds)
        self.states: dict[str, AccountState] = {}
        self.accounts: tuple[str, ...] = ()
        self.forgotten: set[str] = set()
        """Removed accounts. Their late events are ignored."""
        self._folders: dict[FolderName, tuple[int, int]] = {}
        self._clock = clock

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        enabled = Qt.ItemFlag.ItemIsEnabled
        row = index.row()
        # Qt also asks for rows that were just removed.
        selectable = 0 <= row < len(self.entries) and self.entries[row].choice is not None
        return enabled | Qt.ItemFlag.ItemIsSelectable if selectable else enabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        roles = Qt.ItemDataRole
        if role == roles.DisplayRole:
            return entry.text
        text = f"{entry.text}, {format_count(entry.count)}"
        if entry.choice is None:
            text = (
                f"{entry.text}: {self.state_line(entry.account)}" if entry.account else entry.text
            )
        texts: dict[int, str] = {roles.AccessibleTextRole: text, roles.ToolTipRole: plain_tip(text)}
        return texts.get(role)

    def state_line(self, account: str) -> str:
        state = self.states.get(account)
        return state_text(state, self._clock()) if state else tr("Not started")

    def show_counts(
        self, kinds: Mapping[Kind, int], folders: dict[FolderName, tuple[int, int]]
    ) -> None:
        self._folders = {
            name: held for name, held in folders.items() if name.account not in self.forgotten
        }
        self._kinds = kinds
        self._fill()

    def show_accounts(self, accounts: tuple[str, ...]) -> None:
        """Set the accounts of the sidebar, including those without folders."""
        self.forgotten.update(self.accounts)
        self.forgotten.difference_update(accounts)
        self.accounts = accounts
        for name in self.forgotten & self.states.keys():
            del self.states[name]
        self._folders = {
            name: held for name, held in self._folders.items() if name.account not in self.forgotten
        }
        self._fill()

    def show_state(self, state: AccountState) -> None:
        if state.account in self.forgotten:
            return
        self.states.pop(state.account, None)
        self.states[state.account] = state
        if state.account not in {entry.account for entry in self.entries}:
            self.show_accounts((*self.accounts, state.account))
        self.dataChanged.emit(self.index(0, 0), self.index(len(self.entries) - 1, 0))

    def _fill(self) -> None:
        lines = _smart_lists(self._kinds)
        names = sorted({*self.accounts, *(name.account for name in self._folders)})
        if names:
            lines.append(SidebarEntry(tr("Folders"), None))
        for account in names:
            lines.append(SidebarEntry(account, None, account=account))
            inside = [name for name in self._folders if name.account == account]
            inside.sort(key=lambda name: (name.folder.upper() != "INBOX", name.folder.casefold()))
            lines += [
                SidebarEntry(
                    folder_name(name),
                    Choice(Kind.ALL, name),
                    "folder",
                    *self._folders[name],
                    account,
                )
                for name in inside
            ]
        if [(line.text, line.choice) for line in lines] == [
            (line.text, line.choice) for line in self.entries
        ]:
            self.entries = lines
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, 0))
            return
        self.beginResetModel()
        self.entries = lines
        self.endResetModel()


def _smart_lists(counts: Mapping[Kind, int]) -> list[SidebarEntry]:
    lists = [
        SidebarEntry(kind_name(kind), Choice(kind), kind.name.lower(), count)
        for kind, count in counts.items()
    ]
    return [SidebarEntry(tr("Smart lists"), None), *lists]
