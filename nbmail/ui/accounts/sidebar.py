"""The smart lists, and each account with its state and its folders."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from nbmail.ui.accounts.account_texts import state_shade, state_words
from nbmail.ui.kit.icons import draw_icon, fill_round
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import LEFT, RIGHT, plain_tip
from nbmail.ui.kit.theme import color
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.values import AccountState, FolderName

Index = QModelIndex | QPersistentModelIndex


def kind_name(kind: Kind) -> str:
    """What a smart list is called."""
    return {
        Kind.ALL: tr("All mail"),
        Kind.UNSURE: tr("Unsure"),
        Kind.JUNK: tr("Junk"),
        Kind.GOOD: tr("Good"),
        Kind.UNREAD: tr("Unread"),
        Kind.MARKED: tr("Learned"),
    }[kind]


def folder_name(name: FolderName) -> str:
    """A folder's name as people read it: IMAP writes the inbox in capitals."""
    return tr("Inbox") if name.folder.upper() == "INBOX" else name.folder


@dataclass(frozen=True, slots=True)
class SidebarEntry:
    """A line of the sidebar: a smart list, a folder, or an account's heading (without a choice)."""

    text: str
    choice: Choice | None
    icon: str = ""
    count: int = 0
    unread: int = 0
    account: str = ""


class SidebarModel(QAbstractListModel):
    """The lines. Signals: those of every Qt model."""

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self.entries = _smart_lists((0,) * len(Kind))
        self.states: dict[str, AccountState] = {}
        self.accounts: tuple[str, ...] = ()
        self.forgotten: set[str] = set()
        """Accounts that were removed: what is still heard of them is a parting word."""
        self._folders: dict[FolderName, tuple[int, int]] = {}
        self._clock = clock

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        enabled, row = Qt.ItemFlag.ItemIsEnabled, index.row()
        # Qt may still ask about a line that has just gone.
        chosen = 0 <= row < len(self.entries) and self.entries[row].choice is not None
        return enabled | Qt.ItemFlag.ItemIsSelectable if chosen else enabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry, roles = self.entries[index.row()], Qt.ItemDataRole
        if role == roles.DisplayRole:
            return entry.text
        said = f"{entry.text}, {format_count(entry.count)}"
        if entry.choice is None:
            said = f"{entry.text}: {self.state_line(entry.account)}"
        spoken: dict[int, str] = {roles.AccessibleTextRole: said, roles.ToolTipRole: plain_tip(said)}
        return spoken.get(role)

    def state_line(self, account: str) -> str:
        state = self.states.get(account)
        return state_words(state, self._clock()) if state else tr("Not started yet")

    def show_counts(self, kinds: tuple[int, ...], folders: dict[FolderName, tuple[int, int]]) -> None:
        self._folders = {name: held for name, held in folders.items() if name.account not in self.forgotten}
        self._fill(kinds)

    def show_accounts(self, accounts: tuple[str, ...]) -> None:
        """Show these accounts, also those without a folder so far, and no longer those that are missing among them."""
        self.forgotten.update(self.accounts)
        self.forgotten.difference_update(accounts)
        self.accounts = accounts
        for name in self.forgotten & self.states.keys():
            del self.states[name]
        self._folders = {name: held for name, held in self._folders.items() if name.account not in self.forgotten}
        self._fill(tuple(entry.count for entry in self.entries[: len(Kind)]))

    def show_state(self, state: AccountState) -> None:
        """Show how an account is; one that was removed isn't any more."""
        if state.account in self.forgotten:
            return
        self.states.pop(state.account, None)
        self.states[state.account] = state
        if state.account not in {entry.account for entry in self.entries}:
            self.show_accounts((*self.accounts, state.account))
        self.dataChanged.emit(self.index(0, 0), self.index(len(self.entries) - 1, 0))

    def _fill(self, kinds: tuple[int, ...]) -> None:
        lines = _smart_lists(kinds)
        names = sorted({*self.accounts, *(name.account for name in self._folders)})
        for account in names:
            lines.append(SidebarEntry(account, None, account=account))
            inside = sorted((name for name in self._folders if name.account == account), key=_folder_order)
            lines += [
                SidebarEntry(folder_name(name), Choice(Kind.ALL, name), "folder", *self._folders[name], account)
                for name in inside
            ]
        if [(line.text, line.choice) for line in lines] == [(line.text, line.choice) for line in self.entries]:
            self.entries = lines
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, 0))
            return
        self.beginResetModel()
        self.entries = lines
        self.endResetModel()


def _smart_lists(counts: Sequence[int]) -> list[SidebarEntry]:
    return [SidebarEntry(kind_name(kind), Choice(kind), kind.name.lower(), counts[kind]) for kind in Kind]


def _folder_order(name: FolderName) -> tuple[bool, str]:
    return name.folder.upper() != "INBOX", name.folder.casefold()


class Sidebar(QListView):
    """The list at the left.

    Signals: `chosen(Choice)`, what the user wants to see.
    """

    chosen = Signal(object)

    def __init__(self, model: SidebarModel) -> None:
        super().__init__()
        self.lines = model
        self.setModel(model)
        self.setAccessibleName(tr("Lists and folders"))
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setViewportMargins(0, 8, 0, 8)
        self.setItemDelegate(SidebarDelegate(model, self))
        self._shown = Choice()
        self._stand()
        model.modelReset.connect(self._stand)
        self.selectionModel().currentChanged.connect(self._choose)

    def show_choice(self, choice: Choice) -> None:
        """Stand on the line of this choice, whatever words are searched for."""
        self._shown = replace(choice, words="")
        self._stand()

    def _stand(self) -> None:
        rows = [row for row, entry in enumerate(self.lines.entries) if entry.choice == self._shown]
        self.setCurrentIndex(self.lines.index(rows[0] if rows else -1, 0))

    def _choose(self, current: QModelIndex, _: QModelIndex) -> None:
        choice = self.lines.entries[current.row()].choice if current.isValid() else None
        if choice is not None and choice != self._shown:
            self._shown = choice
            self.chosen.emit(choice)


class SidebarDelegate(QStyledItemDelegate):
    """Paints the lines. Has no signals of its own."""

    def __init__(self, model: SidebarModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._plain, self._bold, self._small = QFont(parent.font()), QFont(parent.font()), QFont(parent.font())
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small.setPointSizeF(self._small.pointSizeF() * 0.88)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QFontMetrics(self._plain).height()
        heading = self._model.entries[index.row()].choice is None
        return QSize(120, line + QFontMetrics(self._small).height() + 24 if heading else line + 12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = self._model.entries[index.row()]
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if entry.choice is None:
            self._paint_account(painter, option.rect, entry)
            return
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(color("accent") if focused else Qt.PenStyle.NoPen)
            painter.setBrush(color("chosen" if chosen else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(8.5, 1.5, -8.5, -1.5), 6, 6)
        self._paint_line(painter, option.rect.adjusted(16, 0, -16, 0), entry)

    def _paint_line(self, painter: QPainter, rect: QRect, entry: SidebarEntry) -> None:
        colour = color(entry.icon if entry.icon in ("junk", "good", "unsure") else "muted")
        icon = draw_icon(entry.icon, colour.name(), 16, painter.device().devicePixelRatioF())
        painter.drawPixmap(QRect(rect.left(), rect.center().y() - 7, 16, 16), icon)
        count = entry.unread if entry.icon == "folder" else entry.count
        number = format_count(count) if count else ""
        room = rect.adjusted(26, 0, -QFontMetrics(self._plain).horizontalAdvance(number) - 8, 0)
        font = self._bold if entry.icon == "folder" and entry.unread else self._plain
        text = QFontMetrics(font).elidedText(entry.text, Qt.TextElideMode.ElideMiddle, room.width())
        _write(painter, room, text, (font, "text"))
        _write(painter, rect, number, (self._plain, "muted"), RIGHT)

    def _paint_account(self, painter: QPainter, rect: QRect, entry: SidebarEntry) -> None:
        state = self._model.states.get(entry.account)
        inner = rect.adjusted(16, 14, -14, -4)
        line, small = QFontMetrics(self._bold), QFontMetrics(self._small)
        dot = QRectF(inner.left() + 4, inner.top() + line.height() / 2 - 4, 8, 8)
        fill_round(painter, dot, color(state_shade(state) if state is not None else "muted"), 4)
        name = QRect(inner.left() + 26, inner.top(), inner.width() - 26, line.height())
        below = QRect(name.left(), name.bottom() + 2, name.width(), small.height())
        end, width = Qt.TextElideMode.ElideRight, name.width()
        _write(painter, name, line.elidedText(entry.text, end, width), (self._bold, "text"))
        words = small.elidedText(self._model.state_line(entry.account), end, width)
        _write(painter, below, words, (self._small, "muted"))


def _write(painter: QPainter, area: QRect, text: str, letters: tuple[QFont, str], flags: int = LEFT) -> None:
    painter.setFont(letters[0])
    painter.setPen(color(letters[1]))
    painter.drawText(area, flags, text)
