"""Sidebar: selects a list, and accepts dropped messages."""

from dataclasses import replace

from PySide6.QtCore import (
    QModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
)
from PySide6.QtWidgets import QListView

from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.message_drag import DRAGGED, dragged_messages
from nbmail.ui.sidebar.sidebar_model import SidebarModel
from nbmail.ui.sidebar.sidebar_painter import SidebarDelegate
from nbmail.ui.texts.language import tr


class Sidebar(QListView):
    """View of the sidebar.

    Signals: `chosen(Choice)`; `dropped(Choice, tuple)` with messages dropped on a folder or smart
    list.
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
        row = -1
        if self._drop_target(event) is not None:
            row = self.indexAt(event.position().toPoint()).row()
        event.setAccepted(row >= 0)
        self._delegate.drop_row = row
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
        """Return the folder or list under dragged messages, None if it doesn't take them."""
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or not event.mimeData().hasFormat(DRAGGED):
            return None
        choice = self.lines.entries[index.row()].choice
        if choice is None:
            return None
        takes_messages = choice.folder is not None or choice.kind in (Kind.SPAM, Kind.HAM)
        return choice if takes_messages else None

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
