"""The window "What nbmail has learned": the marks, the doubtful ones, and one sender over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTabWidget, QVBoxLayout

from nbmail.ui.actions.long_work import work_words
from nbmail.ui.actions.undo_redo import take_back, undone_words
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import give_size
from nbmail.ui.kit.plain_text import plain_label
from nbmail.ui.past.doubts_page import DoubtsPage
from nbmail.ui.past.marks_page import MarksPage
from nbmail.ui.past.past_page import Page, advice_words, make_button
from nbmail.ui.past.sender_page import SenderPage
from nbmail.ui.window.notices import UNDO_SECONDS, announce, quiet_button
from nbmail.worker.protocol import Failed, Marked

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow

OFTEN = 700
"""Milliseconds between two looks at what changed in the list."""


class HistoryDialog(QDialog):
    """Stays beside the main window; closing it only hides it. Signals: those of every dialog."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setWindowTitle(tr("What nbmail has learned"))
        self.setModal(False)
        give_size(self, 820, 560)
        self._make_foot()
        self.marks, self.doubts, self.one_sender = (
            page(window, self.tell) for page in (MarksPage, DoubtsPage, SenderPage)
        )
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.marks, tr("M&arks"))
        self.tabs.addTab(self.doubts, tr("&Doubtful marks"))
        self.tabs.addTab(self.one_sender, tr("&This sender"))
        self.tabs.currentChanged.connect(self._turn_to)
        self._changed = self._timer(OFTEN, self._refresh)
        self._undo_ends = self._timer(1000 * UNDO_SECONDS, self.undo_button.hide)
        window.model.counted.connect(self._note_change)
        self._follow(window)
        self._lay_out()

    def _make_foot(self) -> None:
        self.said = plain_label()
        self.said.setWordWrap(True)
        self.said.setAccessibleName(tr("Status"))
        self.undo_button = quiet_button(tr("Undo"))
        self.undo_button.setAutoDefault(False)
        self.undo_button.setToolTip(tr("Take the latest step back"))
        self.undo_button.clicked.connect(self.undo)
        self.undo_button.hide()
        self.cancel_button = quiet_button(tr("Cancel"))
        self.cancel_button.setAutoDefault(False)
        self.cancel_button.clicked.connect(self.cancel)
        self.cancel_button.hide()
        self._cancel: Callable[[], None] | None = None
        self.close_button = make_button(tr("Close"), self.reject)

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 10, 16, 12)
        foot.setSpacing(8)
        foot.addWidget(self.said, 1)
        foot.addWidget(self.undo_button)
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs, 1)
        column.addLayout(foot)

    def _timer(self, milliseconds: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(act)
        return timer

    def _follow(self, window: MainWindow) -> None:
        """Go when the main window goes; Qt leaves other windows standing until the program ends."""
        handle = window.windowHandle()
        if handle is not None:
            handle.visibleChanged.connect(lambda shown: None if shown else self.reject())

    @property
    def page(self) -> Page:
        """The page that is shown."""
        page = self.tabs.currentWidget()
        assert isinstance(page, Page)
        return page

    def tell(
        self, text: str, *, undo: bool = False, redo: bool = False, cancel: Callable[[], None] | None = None
    ) -> None:
        """Say what was done, with the way back for a while, or what is going on, with the way out.

        There is no way forth again here (`redo`): the main window has it.
        """
        goes_on = cancel is not None and not self.cancel_button.isHidden()
        self.said.setText(text)
        self.undo_button.setVisible(undo)
        self.cancel_button.setVisible(cancel is not None)
        self._cancel = cancel
        if undo:
            self._undo_ends.start()
        if not goes_on:
            announce(self.said, text)

    def cancel(self) -> None:
        """Stop what is going on."""
        if self._cancel is not None:
            self._cancel()

    def undo(self) -> None:
        """Take the latest step back, then look again."""
        self.tell(tr("Taking back…"))
        take_back(
            self._window,
            self,
            self._say_undone,
            self._say_stopped,
            failed=self._say_failed,
            held=lambda: self.tell(""),
            watched=lambda progress, cancel: self.tell(work_words(tr("Taking back…"), progress), cancel=cancel),
        )

    def _say_stopped(self, text: str, *, undo: bool = False, redo: bool = False) -> None:
        self.tell(text, undo=undo)
        self.page.load()

    def _say_undone(self, done: Marked) -> None:
        self.tell(undone_words(done))
        self.page.load()

    def _say_failed(self, failure: Failed) -> None:
        self.tell(advice_words(failure))

    def _turn_to(self) -> None:
        for page in (self.marks, self.doubts, self.one_sender):
            if page is not self.page:
                page.stop()
        if self.undo_button.isHidden():
            self.tell("")
        if self.isVisible():
            self.page.load()

    def _note_change(self) -> None:
        if self.isVisible() and not self._changed.isActive():
            self._changed.start()

    def _refresh(self) -> None:
        if self.isVisible():
            self.page.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.tell("")
            self.page.load()
            self.tabs.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._changed.stop()
            self.page.stop()
