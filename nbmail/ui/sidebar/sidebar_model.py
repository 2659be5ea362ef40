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
    """Smart list, folder, account, or heading of a group. The last two have no `choice`."""

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
        if 0 <= row < len(self.entries) and self.entries[row].choice is not None:
            return enabled | Qt.ItemFlag.ItemIsSelectable
        return enabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._full_text(entry)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._full_text(entry))
        return None

    def _full_text(self, entry: SidebarEntry) -> str:
        """Return the name of an entry with its number of messages, or its state."""
        if entry.choice is not None:
            return f"{entry.text}, {format_count(entry.count)}"
        if entry.account:
            return f"{entry.text}: {self.state_line(entry.account)}"
        return entry.text

    def state_line(self, account: str) -> str:
        state = self.states.get(account)
        return state_text(state, self._clock()) if state else tr("Not started")

    def show_counts(
        self, kinds: Mapping[Kind, int], folders: dict[FolderName, tuple[int, int]]
    ) -> None:
        self._folders = self._remembered(folders)
        self._kinds = kinds
        self._fill()

    def show_accounts(self, accounts: tuple[str, ...]) -> None:
        """Set the accounts of the sidebar, including those without folders."""
        self.forgotten.update(self.accounts)
        self.forgotten.difference_update(accounts)
        self.accounts = accounts
        for name in self.forgotten & self.states.keys():
            del self.states[name]
        self._folders = self._remembered(self._folders)
        self._fill()

    def _remembered(
        self, folders: Mapping[FolderName, tuple[int, int]]
    ) -> dict[FolderName, tuple[int, int]]:
        """Return the folders of accounts that were not removed."""
        return {
            name: counts for name, counts in folders.items() if name.account not in self.forgotten
        }

    def show_state(self, state: AccountState) -> None:
        if state.account in self.forgotten:
            return
        self.states.pop(state.account, None)
        self.states[state.account] = state
        if state.account not in {entry.account for entry in self.entries}:
            self.show_accounts((*self.accounts, state.account))
        last = self.index(len(self.entries) - 1, 0)
        self.dataChanged.emit(self.index(0, 0), last)

    def _fill(self) -> None:
        entries = _smart_lists(self._kinds)
        accounts = sorted({*self.accounts, *(name.account for name in self._folders)})
        if accounts:
            entries.append(SidebarEntry(tr("Folders"), None))
        for account in accounts:
            entries.append(SidebarEntry(account, None, account=account))
            entries += self._folder_entries(account)

        if _lines(entries) == _lines(self.entries):
            self.entries = entries
            last = self.index(len(entries) - 1, 0)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def _folder_entries(self, account: str) -> list[SidebarEntry]:
        """Return the folders of an account by their names, the inbox first."""
        names = [name for name in self._folders if name.account == account]
        names.sort(key=lambda name: (name.folder.upper() != "INBOX", name.folder.casefold()))
        entries = []
        for name in names:
            count, unread = self._folders[name]
            entry = SidebarEntry(
                folder_name(name),
                Choice(Kind.ALL, name),
                "folder",
                count=count,
                unread=unread,
                account=account,
            )
            entries.append(entry)
        return entries


def _lines(entries: list[SidebarEntry]) -> list[tuple[str, Choice | None]]:
    """Return the entries without their counts, which change in place."""
    return [(entry.text, entry.choice) for entry in entries]


def _smart_lists(counts: Mapping[Kind, int]) -> list[SidebarEntry]:
    lists = [
        SidebarEntry(kind_name(kind), Choice(kind), kind.name.lower(), count)
        for kind, count in counts.items()
    ]
    return [SidebarEntry(tr("Smart lists"), None), *lists]
