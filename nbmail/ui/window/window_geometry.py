"""What the window remembers of its own shape from one start to the next: its size, its columns, where panes meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSettings
from PySide6.QtWidgets import QSplitter, QWidget

from nbmail.ui.list.columns import Column
from nbmail.ui.window.first_outline import note_outline

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow

NARROWEST, WIDEST = 40, 1200


def remember_shape(window: MainWindow, notes: QSettings) -> None:
    """Note down how the panes and columns stand."""
    for name, splitter in _splitters(window).items():
        sizes = splitter.sizes()
        if all(sizes):  # A pane that had no room just now is no wish to have it closed.
            notes.setValue(name, [str(size) for size in sizes])
    notes.setValue("columns", [str(window.table.columnWidth(column)) for column in Column])
    strip, mail = _place(window, window.strip), _place(window, window.panes.list_page)
    panes = (mail, _place(window, window.message), _place(window, window.evidence))
    if window.panes.list_page.isVisible():
        # Banners that stand between now will be gone at the start.
        for pane in [pane for pane in panes if pane.top() == mail.top()]:
            pane.setTop(strip.bottom() + 1)
        note_outline(notes, window.size(), [strip, *panes])


def recall_shape(window: MainWindow, notes: QSettings) -> None:
    """Put panes and columns where they stood; what makes no sense is passed over."""
    for name, splitter in _splitters(window).items():
        sizes = _numbers(notes.value(name))
        if len(sizes) == splitter.count() and sum(sizes) > 0:
            splitter.setSizes(sizes)
    widths = _numbers(notes.value("columns"))
    if len(widths) == len(Column):
        for column, width in zip(Column, widths, strict=True):
            if column != Column.SUBJECT and NARROWEST <= width <= WIDEST:
                window.table.setColumnWidth(column, width)


def _place(window: MainWindow, pane: QWidget) -> QRect:
    return QRect(pane.mapTo(window, QPoint(0, 0)), pane.size())


def _splitters(window: MainWindow) -> dict[str, QSplitter]:
    return {"sidebar": window.panes.outer, "reading": window.panes.reading, "list": window.panes.split}


def _numbers(noted: object) -> list[int]:
    if not isinstance(noted, list) or not all(isinstance(each, str) and each.isdecimal() for each in noted):
        return []
    return [int(each[:6]) for each in noted]
