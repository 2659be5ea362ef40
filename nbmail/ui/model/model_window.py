"""The window "What nbmail has learned": how good it is, its words, methods, marks, doubts, and a new beginning."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QDialog, QLayout, QListWidget, QStackedWidget, QWidget

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.model_files import ModelFileActions
from nbmail.ui.actions.undo_redo import UndoActions, undone_words
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import resize_to_screen, scaled
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.accuracy_page import AccuracyPage
from nbmail.ui.model.keeping_page import KeepingPage
from nbmail.ui.model.methods_page import MethodsPage
from nbmail.ui.model.model_page import ModelPage, PageContext
from nbmail.ui.model.words_page import WordsPage
from nbmail.ui.past.doubts_page import DoubtsPage
from nbmail.ui.past.marks_page import MarksPage
from nbmail.ui.past.sender_page import SenderPage
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import UNDO_SECONDS, announce, make_button, quiet_button
from nbmail.worker.protocol import Marked

OFTEN = 700
"""Milliseconds between two looks at what changed in the list."""
LEAST_NAMES = 150
BESIDE = 640
"""Pixels from which on the names of the pages stand beside them; in a narrower window they are chosen from above."""


class ModelWindow(QDialog):
    """Stays beside the main window; closing it only hides it. Signals: those of every dialog."""

    def __init__(
        self,
        parent: QWidget,
        requests: EngineRequests,
        table: MailTable,
        settings: CurrentSettings,
        *,
        reader: OpenMessage,
        marking: MarkingActions,
        undoing: UndoActions,
        files: ModelFileActions,
        open_words: Callable[[Sequence[str]], None],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(parent)
        self._undoing = undoing
        self.setWindowTitle(tr("What nbmail has learned"))
        self.setModal(False)
        resize_to_screen(self, 900, 620)
        foot = self._make_foot()
        context = PageContext(requests, table, self.tell)
        self.accuracy = AccuracyPage(context, settings)
        self.words = WordsPage(context, open_words)
        self.methods = MethodsPage(context, settings)
        self.marks = MarksPage(context, undoing, clock)
        self.doubts = DoubtsPage(context, marking)
        self.one_sender = SenderPage(context, reader, clock)
        self.keeping = KeepingPage(context, files)
        self._add_pages()
        self._changed = layouts.single_shot_timer(self, OFTEN, self._refresh)
        self._undo_ends = layouts.single_shot_timer(self, 1000 * UNDO_SECONDS, self.undo_button.hide)
        table.mails.counted.connect(self._note_change)
        handle = parent.windowHandle()
        if handle is not None:
            # Qt leaves other windows standing until the program ends.
            handle.visibleChanged.connect(lambda shown: None if shown else self.reject())
        made = layouts.column(self._above, layouts.row(self.names, (self._stack, 1)), foot)
        made.setStretch(1, 1)
        self.setLayout(made)
        # Before it is shown: names that stand beside the pages would make it wider than a small screen for good.
        self._fit()

    def _add_pages(self) -> None:
        self.names, self.chooser, self._stack = QListWidget(), QComboBox(), QStackedWidget()
        self.names.setProperty("names", True)
        self.names.setAccessibleName(tr("Pages"))
        layouts.name_combo(self.chooser, tr("Pages"))
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        pages = {
            tr("How good it is"): self.accuracy,
            tr("Words"): self.words,
            tr("Ways of learning"): self.methods,
            tr("Marks"): self.marks,
            tr("Doubtful marks"): self.doubts,
            tr("This sender"): self.one_sender,
            tr("Keep, begin anew"): self.keeping,
        }
        for name, page in pages.items():
            self.names.addItem(name)
            self.chooser.addItem(name)
            self._stack.addWidget(page)
        self.names.setFixedWidth(max(scaled(self, LEAST_NAMES), self.names.sizeHintForColumn(0) + scaled(self, 28)))
        self.names.setCurrentRow(0)
        self.names.currentRowChanged.connect(self._turn_to)
        self.chooser.currentIndexChanged.connect(self.names.setCurrentRow)
        self._above = layouts.as_widget(layouts.row(self.chooser, margins=(16, 10, 16, 6)))

    def _make_foot(self) -> QLayout:
        self.said = wrapping_label()
        self.said.setAccessibleName(tr("Status"))
        self.undo_button = quiet_button(tr("Undo"), self.undo)
        self.undo_button.setAutoDefault(False)
        self.undo_button.setToolTip(tr("Take the latest step back"))
        self.undo_button.hide()
        parts = ((self.said, 1), self.undo_button, make_button(tr("Close"), self.reject))
        return layouts.row(*parts, spacing=8, margins=(16, 10, 16, 12))

    @property
    def page(self) -> ModelPage:
        page = self._stack.currentWidget()
        assert isinstance(page, ModelPage)
        return page

    def go_to(self, page: ModelPage) -> None:
        self.names.setCurrentRow(self._stack.indexOf(page))

    def tell(self, text: str, *, undo: bool = False) -> None:
        """Say what was done, until something else is; `undo` offers for a while to take it back."""
        self.said.setText(text)
        self.undo_button.setVisible(undo)
        self._undo_ends.start()
        announce(self.said, text)

    def undo(self) -> None:
        self.tell(tr("Taking back…"))
        self._undoing.take_back(self, self._say_undone, failed=self.page.tell_failure, asked=lambda: self.tell(""))

    def _say_undone(self, done: Marked) -> None:
        self.tell(undone_words(done))
        self.page.load()

    def _turn_to(self, row: int) -> None:
        self.page.stop()
        self._stack.setCurrentIndex(row)
        self.chooser.setCurrentIndex(row)
        if self.undo_button.isHidden():
            self.tell("")
        if self.isVisible():
            self.page.load()

    def _note_change(self) -> None:
        if self.isVisible() and not self._changed.isActive():
            self._changed.start()

    def _refresh(self) -> None:
        if not self._undo_ends.isActive():
            self.tell("")
        self.page.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.tell("")
            self.page.load()
            (self.names if self._above.isHidden() else self.chooser).setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.width() >= scaled(self, BESIDE)
        self.names.setVisible(wide)
        self._above.setHidden(wide)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._changed.stop()
            self.page.stop()
