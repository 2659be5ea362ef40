"""Window about the model, with a list of its pages."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QDialog, QListWidget, QStackedWidget

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.model_actions import ModelActions
from nbmail.ui.actions.step_texts import undone_text
from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce, name_combo
from nbmail.ui.kit.buttons import make_button, quiet_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import resize_to_screen, scaled
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.lab.methods_page import MethodsPage
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.accuracy_page import AccuracyPage
from nbmail.ui.model.doubtful_marks_page import DoubtfulMarksPage
from nbmail.ui.model.files_page import FilesPage
from nbmail.ui.model.folders_page import FoldersPage
from nbmail.ui.model.history_page import HistoryPage
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.model.words_page import WordsPage
from nbmail.ui.notices.status_line import UNDO_SECONDS
from nbmail.ui.texts.language import tr
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import Marked

INTERVAL = 700
"""Minimum interval in milliseconds between two updates after changes of the list."""
MIN_NAMES = 150
TWO_COLUMNS = 640
"""Minimum width in pixels for the list of pages. A narrower window shows a combo box instead."""


class ModelWindow(QDialog):
    """Window next to the main window. Closing hides it."""

    def __init__(
        self,
        window: WindowContext,
        reader: OpenMessage,
        marking: MarkingActions,
        undoing: UndoActions,
        *,
        files: ModelActions,
        open_words: Callable[[Sequence[str]], None],
    ) -> None:
        super().__init__(window.window)
        self._undoing = undoing
        self.setWindowTitle(tr("Training and accuracy"))
        self.setModal(False)
        resize_to_screen(self, 1060, 640)
        self.status = wrapping_label()
        self.undo_button = quiet_button(tr("Undo"), self.undo)
        self.undo_button.setAutoDefault(False)
        self.undo_button.setToolTip(tr("Undo the last change"))
        self.undo_button.hide()
        self.accuracy = AccuracyPage(window, self.say)
        self.words = WordsPage(window, self.say, open_words)
        self.methods = MethodsPage(window, self.say)
        self.folders = FoldersPage(window, self.say)
        self.history = HistoryPage(window, self.say, undoing)
        self.doubtful = DoubtfulMarksPage(window, self.say, marking)
        self.files = FilesPage(window, self.say, files)
        self._add_pages()
        self._changed = single_shot_timer(self, INTERVAL, self._refresh)
        self._undo_ends = single_shot_timer(self, 1000 * UNDO_SECONDS, self.undo_button.hide)
        window.model.counted.connect(self._refresh_soon)
        handle = window.window.windowHandle()
        if handle is not None:
            handle.visibleChanged.connect(self._follow_main_window)
        self._lay_out()
        # Before the window is shown: the list of pages would make it permanently wider than a small
        # screen.
        self._fit()

    def _lay_out(self) -> None:
        close = make_button(tr("Close"), self.reject)
        footer = layouts.row(
            (self.status, 1), self.undo_button, close, spacing=8, margins=(16, 10, 16, 12)
        )
        pages = layouts.row(self.names, (self._stack, 1))
        contents = layouts.column(self._chooser_row, pages, footer)
        contents.setStretch(1, 1)
        self.setLayout(contents)

    def _add_pages(self) -> None:
        """Add the pages with their names, in a list and in the combo box of a narrow window."""
        pages: dict[str, ModelPage] = {
            tr("Accuracy"): self.accuracy,
            tr("Words"): self.words,
            tr("Methods"): self.methods,
            tr("Folders"): self.folders,
            tr("History"): self.history,
            tr("Doubtful marks"): self.doubtful,
            tr("Model files and reset"): self.files,
        }
        self._stack = QStackedWidget()
        for page in pages.values():
            self._stack.addWidget(page)

        self.names = QListWidget()
        self.names.setProperty("names", True)
        self.names.setAccessibleName(tr("Pages"))
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.names.addItems([*pages])
        widest = self.names.sizeHintForColumn(0) + scaled(self, 28)
        self.names.setFixedWidth(max(scaled(self, MIN_NAMES), widest))
        self.names.setCurrentRow(0)
        self.names.currentRowChanged.connect(self._turn_to)

        self.chooser = QComboBox()
        name_combo(self.chooser, tr("Pages"))
        self.chooser.addItems([*pages])
        self.chooser.currentIndexChanged.connect(self.names.setCurrentRow)
        self._chooser_row = layouts.as_widget(layouts.row(self.chooser, margins=(16, 10, 16, 6)))

    @property
    def page(self) -> ModelPage:
        page = self._stack.currentWidget()
        assert isinstance(page, ModelPage)
        return page

    def go_to(self, page: ModelPage) -> None:
        self.names.setCurrentRow(self._stack.indexOf(page))

    def say(self, text: str, *, undo: bool = False) -> None:
        """Show a result in the status line. `undo`: with an Undo button for some seconds."""
        self.status.setText(text)
        self.undo_button.setVisible(undo)
        self._undo_ends.start()
        announce(self.status, text)

    def undo(self) -> None:
        self.say(tr("Undoing…"))
        self._undoing.undo_over(
            self,
            self._report_undone,
            failed=self.page.say_failure,
            before_question=lambda: self.say(""),
        )

    def _report_undone(self, done: Marked) -> None:
        self.say(undone_text(done))
        self.page.load()

    def _turn_to(self, row: int) -> None:
        self.page.stop()
        self._stack.setCurrentIndex(row)
        self.chooser.setCurrentIndex(row)
        if self.undo_button.isHidden():
            self.say("")
        if self.isVisible():
            self.page.load()

    def _follow_main_window(self, is_shown: bool) -> None:
        """Close with the main window: Qt keeps other windows open until the program ends."""
        if not is_shown:
            self.reject()

    def _refresh_soon(self) -> None:
        if self.isVisible() and not self._changed.isActive():
            self._changed.start()

    def _refresh(self) -> None:
        if not self._undo_ends.isActive():
            self.say("")
        self.page.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.say("")
            self.page.load()
            chooser = self.names if self._chooser_row.isHidden() else self.chooser
            chooser.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.width() >= scaled(self, TWO_COLUMNS)
        self.names.setVisible(wide)
        self._chooser_row.setHidden(wide)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._changed.stop()
            self.page.stop()
