"""Sidebar: smart lists, and the accounts with their states and folders."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

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
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QPainter,
)
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from nbmail.errors import ErrorCode
from nbmail.ui.kit.drawing import draw_icon, fill_round
from nbmail.ui.kit.painted_text import LEFT, RIGHT
from nbmail.ui.kit.theme import color
from nbmail.ui.list.list_choice import USUAL, Choice, Kind
from nbmail.ui.list.message_drag import DRAGGED, dragged_messages
from nbmail.ui.texts.date_texts import age_text, duration_text
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import plain_tip
from nbmail.values import AccountState, FolderName, Phase

Index = QModelIndex | QPersistentModelIndex
JUNK_FOLDER = "\\Junk"
"""Detail of an account state: there is spam to move, but no spam folder is known."""


def kind_name(kind: Kind) -> str:
    return {
        Kind.ALL: tr("All mail"),
        Kind.UNSURE: tr("Unsure"),
        Kind.SPAM: tr("Spam"),
        Kind.HAM: tr("Not spam"),
        Kind.UNREAD: tr("Unread"),
        Kind.MARKED: tr("Marked"),
        Kind.SORTED: tr("Sorted"),
        Kind.FIRST: tr("First-time senders"),
    }[kind]


def folder_name(name: FolderName) -> str:
    """Return the name of a folder, with the localized name of the inbox."""
    return tr("Inbox") if name.folder.upper() == "INBOX" else name.folder


def state_text(state: AccountState, now: float) -> str:
    synced = state.phase == Phase.SYNCED
    folder = state.folder or tr("mail")
    if needs_action(state):
        text = tr("Action needed: {why}")
        why = error_notice(state.error_code).sentence
        if state.error_code == ErrorCode.NO_PASSWORD:
            text = tr("Password needed")
        elif synced and state.detail == JUNK_FOLDER:
            why = tr("choose a spam folder")
        elif synced and state.detail:
            text = tr("Action needed: folder “{folder}” not found")
        return text.format(why=why, folder=state.detail)
    if state.phase == Phase.WORKING:
        text = tr("Reading training mail again: {done} of {total}")
        if not state.total:
            text = tr("Checking {folder}…")
        elif state.folder:
            text = tr("{folder}: {done} of {total}")
        return text.format(
            folder=folder, done=format_count(state.done), total=format_count(state.total)
        )
    if synced and state.error_code == ErrorCode.NO_KEYWORDS:
        return tr("Up to date; marks stay on this computer")
    if synced:
        return tr("Up to date ({when})").format(when=age_text(state.at, now))
    if state.phase == Phase.OFFLINE and state.retry_at > now:
        return tr("Offline, retrying in {span}").format(span=duration_text(state.retry_at - now))
    others = {Phase.CONNECTING: tr("Connecting…"), Phase.OFFLINE: tr("Offline, reconnecting…")}
    return others.get(state.phase, tr("Stopped"))


def needs_action(state: AccountState) -> bool:
    """True if only the user can continue: nothing works, or a configured folder doesn't exist."""
    missing = state.phase == Phase.SYNCED and state.error_code == ErrorCode.FOLDER_MISSING
    return missing or state.phase == Phase.NEEDS_YOU


def state_color(state: AccountState) -> str:
    return (
        "spam"
        if needs_action(state)
        else "ham"
        if state.phase in (Phase.SYNCED, Phase.WORKING)
        else "muted"
    )


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


class Sidebar(QListView):
    """Sidebar. Signals: `chosen(Choice)`; `dropped(Choice, tuple)` with messages dropped on a
    folder or smart list.
    """

    chosen = Signal(object)
    dropped = Signal(object, object)

    def __init__(self, model: SidebarModel) -> None:
        super().__init__()
        self.lines = model
        self.setModel(model)
        self.setAccessibleName(tr("Lists and folders"))
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setViewportMargins(0, 8, 0, 8)
        self._delegate = SidebarDelegate(model, self)
        self.setItemDelegate(self._delegate)
        self.setAcceptDrops(True)
        self._shown = Choice()
        self._select()
        model.modelReset.connect(self._select)
        self.selectionModel().currentChanged.connect(self._choose)

    def keyboardSearch(self, search: str) -> None:
        """Choose nothing by the first letters of its name: letters are keys of actions."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        target = self._drop_target(event)
        event.setAccepted(target is not None)
        self._delegate.drop_row = (
            -1 if target is None else self.indexAt(event.position().toPoint()).row()
        )
        self.viewport().update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._delegate.drop_row = -1
        self.viewport().update()

    def dropEvent(self, event: QDropEvent) -> None:
        target = self._drop_target(event)
        self._delegate.drop_row = -1
        self.viewport().update()
        event.setAccepted(target is not None)
        if target is not None:
            self.dropped.emit(target, dragged_messages(event.mimeData()))

    def _drop_target(self, event: QDropEvent) -> Choice | None:
        index = self.indexAt(event.position().toPoint())
        choice = self.lines.entries[index.row()].choice if index.isValid() else None
        if choice is None or not event.mimeData().hasFormat(DRAGGED):
            return None
        return choice if choice.folder is not None or choice.kind in (Kind.SPAM, Kind.HAM) else None

    def show_choice(self, choice: Choice) -> None:
        """Select the entry of this choice, regardless of its search text."""
        self._shown = replace(choice, words="")
        self._select()

    def _select(self) -> None:
        rows = [row for row, entry in enumerate(self.lines.entries) if entry.choice == self._shown]
        self.setCurrentIndex(self.lines.index(rows[0] if rows else -1, 0))

    def _choose(self, current: QModelIndex, _: QModelIndex) -> None:
        choice = self.lines.entries[current.row()].choice if current.isValid() else None
        if choice is not None and choice != self._shown:
            self._shown = choice
            self.chosen.emit(choice)


class SidebarDelegate(QStyledItemDelegate):
    """Paints the entries."""

    def __init__(self, model: SidebarModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.drop_row = -1
        self._plain = QFont(parent.font())
        self._bold = QFont(parent.font())
        self._small = QFont(parent.font())
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small.setPointSizeF(self._small.pointSizeF() * 0.88)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QFontMetrics(self._plain).height()
        small = QFontMetrics(self._small).height()
        entry = self._model.entries[index.row()]
        if entry.choice is not None:
            return QSize(120, line + 12)
        return QSize(
            120, line + small + 18 if entry.account else small + (18 if index.row() else 8)
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = self._model.entries[index.row()]
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if entry.choice is None and entry.account:
            self._paint_account(painter, option.rect.adjusted(16, 8, -14, -4), entry)
            return
        if entry.choice is None:
            room = option.rect.adjusted(16, 0, -14, -4)
            room.setTop(room.bottom() - QFontMetrics(self._small).height())
            _write(painter, room, entry.text, (self._small, "muted"))
            return
        over = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver
        if option.state & over or index.row() == self.drop_row:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(color("accent") if focused else Qt.PenStyle.NoPen)
            painter.setBrush(color("chosen" if selected else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(8.5, 1.5, -8.5, -1.5), 6, 6)
        self._paint_line(painter, option.rect.adjusted(16, 0, -16, 0), entry)

    def _paint_line(self, painter: QPainter, rect: QRect, entry: SidebarEntry) -> None:
        icon_color = color(entry.icon if entry.icon in ("spam", "ham", "unsure") else "muted")
        icon = draw_icon(entry.icon, icon_color.name(), 16, painter.device().devicePixelRatioF())
        painter.drawPixmap(QRect(rect.left(), rect.center().y() - 7, 16, 16), icon)
        count = entry.unread if entry.icon == "folder" else entry.count
        number = format_count(count) if count else ""
        room = rect.adjusted(26, 0, -QFontMetrics(self._plain).horizontalAdvance(number) - 8, 0)
        font = self._bold if entry.icon == "folder" and entry.unread else self._plain
        text = QFontMetrics(font).elidedText(entry.text, Qt.TextElideMode.ElideMiddle, room.width())
        _write(painter, room, text, (font, "text"))
        _write(painter, rect, number, (self._plain, "muted"), RIGHT)

    def _paint_account(self, painter: QPainter, inner: QRect, entry: SidebarEntry) -> None:
        state = self._model.states.get(entry.account)
        line = QFontMetrics(self._bold)
        small = QFontMetrics(self._small)
        dot = QRectF(inner.left() + 4, inner.top() + line.height() / 2 - 4, 8, 8)
        fill_round(painter, dot, color(state_color(state) if state is not None else "muted"), 4)
        name = QRect(inner.left() + 26, inner.top(), inner.width() - 26, line.height())
        below = QRect(name.left(), name.bottom() + 2, name.width(), small.height())
        end = Qt.TextElideMode.ElideRight
        width = name.width()
        _write(painter, name, line.elidedText(entry.text, end, width), (self._bold, "text"))
        text = small.elidedText(self._model.state_line(entry.account), end, width)
        _write(painter, below, text, (self._small, "muted"))


def _write(
    painter: QPainter, area: QRect, text: str, style: tuple[QFont, str], flags: int = LEFT
) -> None:
    painter.setFont(style[0])
    painter.setPen(color(style[1]))
    painter.drawText(area, flags, text)
