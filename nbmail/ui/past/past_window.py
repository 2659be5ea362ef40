"""The window "What nbmail has learned": the marks, the doubtful ones, and one sender over time."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QLayout, QTabWidget, QWidget

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.undo_redo import UndoActions, undone_words
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import give_size
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.kit.theme import Shades
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.past.doubts_page import DoubtsPage
from nbmail.ui.past.marks_page import MarksPage
from nbmail.ui.past.past_page import PastPage, make_button
from nbmail.ui.past.sender_page import SenderPage
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import UNDO_SECONDS, announce, quiet_button
from nbmail.worker.protocol import Marked

OFTEN = 700
"""Milliseconds between two looks at what changed in the list."""


class PastWindow(QDialog):
    """Stays beside the main window; closing it only hides it. Signals: those of every dialog."""

    def __init__(
        self,
        parent: QWidget,
        requests: EngineRequests,
        table: MailTable,
        *,
        marking: MarkingActions,
        undoing: UndoActions,
        clock: Callable[[], float],
        shades: Callable[[], Shades],
    ) -> None:
        super().__init__(parent)
        self._undoing = undoing
        self.setWindowTitle(tr("What nbmail has learned"))
        self.setModal(False)
        give_size(self, 820, 560)
        foot = self._make_foot()
        common = (requests, table, self.tell)
        self.marks = MarksPage(*common, undoing, clock)
        self.doubts = DoubtsPage(*common, marking)
        self.one_sender = SenderPage(*common, clock, shades)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        names = tr("M&arks"), tr("&Doubtful marks"), tr("&This sender")
        for page, name in zip((self.marks, self.doubts, self.one_sender), names, strict=True):
            self.tabs.addTab(page, name)
        self.tabs.currentChanged.connect(self._turn_to)
        self._changed = layouts.one_shot(self, OFTEN, self._refresh)
        self._undo_ends = layouts.one_shot(self, 1000 * UNDO_SECONDS, self.undo_button.hide)
        table.mails.counted.connect(self._note_change)
        handle = parent.windowHandle()
        if handle is not None:
            # Qt leaves other windows standing until the program ends.
            handle.visibleChanged.connect(lambda shown: None if shown else self.reject())
        self.setLayout(layouts.column((self.tabs, 1), foot, margins=(0, 6, 0, 0)))

    def _make_foot(self) -> QLayout:
        self.said = wrapping_label()
        self.said.setAccessibleName(tr("Status"))
        self.undo_button = quiet_button(tr("Undo"))
        self.undo_button.setAutoDefault(False)
        self.undo_button.setToolTip(tr("Take the latest step back"))
        self.undo_button.clicked.connect(self.undo)
        self.undo_button.hide()
        parts = ((self.said, 1), self.undo_button, make_button(tr("Close"), self.reject))
        return layouts.row(*parts, spacing=8, margins=(16, 10, 16, 12))

    @property
    def page(self) -> PastPage:
        """The page that is shown."""
        page = self.tabs.currentWidget()
        assert isinstance(page, PastPage)
        return page

    def tell(self, text: str, *, undo: bool = False) -> None:
        """Say what was done; `undo` offers for a while to take it back."""
        self.said.setText(text)
        self.undo_button.setVisible(undo)
        if undo:
            self._undo_ends.start()
        announce(self.said, text)

    def undo(self) -> None:
        """Take the latest step back, then look again."""
        self.tell(tr("Taking back…"))
        self._undoing.take_back(self, self._say_undone, failed=self.page.tell_failure, asked=lambda: self.tell(""))

    def _say_undone(self, done: Marked) -> None:
        self.tell(undone_words(done))
        self.page.load()

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
