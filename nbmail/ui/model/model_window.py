"""Window about the model: accuracy, words, methods, history, doubtful marks, model files.

The pages of words and of model files are here.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QLineEdit, QListWidget, QStackedWidget

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.model_actions import ModelActions, ask_to_rebuild, backup_text, rebuilt_text
from nbmail.ui.actions.step_texts import undone_text
from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce, name_combo
from nbmail.ui.kit.buttons import make_button, quiet_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.labels import plain_label, wrapping_label
from nbmail.ui.kit.sizes import resize_to_screen, scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.accuracy_page import AccuracyPage
from nbmail.ui.model.folders_page import FoldersPage
from nbmail.ui.model.marks_page import DoubtfulMarksPage, HistoryPage
from nbmail.ui.model.methods_page import MethodsPage
from nbmail.ui.model.model_page import ModelPage, page_footer
from nbmail.ui.notices.status_line import UNDO_SECONDS, Report
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.mark_texts import counted_phrase_text
from nbmail.ui.texts.number_texts import signed
from nbmail.ui.texts.plain_text import join_sentences, visible
from nbmail.ui.window.context import WindowContext
from nbmail.worker.protocol.marks import Marked, ModelReset
from nbmail.worker.protocol.words import WordFigures, WordOrder, WordPage

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
        parts = ((self.status, 1), self.undo_button, make_button(tr("Close"), self.reject))
        footer = layouts.row(*parts, spacing=8, margins=(16, 10, 16, 12))
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
        window.model.counted.connect(
            lambda: (
                self._changed.start() if self.isVisible() and not self._changed.isActive() else None
            )
        )
        handle = window.window.windowHandle()
        if handle is not None:
            # Qt keeps the other windows open until the program ends.
            handle.visibleChanged.connect(lambda shown: None if shown else self.reject())
        made = layouts.column(self._chooser_row, layouts.row(self.names, (self._stack, 1)), footer)
        made.setStretch(1, 1)
        self.setLayout(made)
        # Before the window is shown: the list of pages would make it permanently wider than a small
        # screen.
        self._fit()

    def _add_pages(self) -> None:
        self.names = QListWidget()
        self.chooser = QComboBox()
        self._stack = QStackedWidget()
        self.names.setProperty("names", True)
        self.names.setAccessibleName(tr("Pages"))
        name_combo(self.chooser, tr("Pages"))
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        pages = {
            tr("Accuracy"): self.accuracy,
            tr("Words"): self.words,
            tr("Methods"): self.methods,
            tr("Folders"): self.folders,
            tr("History"): self.history,
            tr("Doubtful marks"): self.doubtful,
            tr("Model files and reset"): self.files,
        }
        self.names.addItems([*pages])
        self.chooser.addItems([*pages])
        for page in pages.values():
            self._stack.addWidget(page)
        self.names.setFixedWidth(
            max(scaled(self, MIN_NAMES), self.names.sizeHintForColumn(0) + scaled(self, 28))
        )
        self.names.setCurrentRow(0)
        self.names.currentRowChanged.connect(self._turn_to)
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
        def undone(done: Marked) -> None:
            self.say(undone_text(done))
            self.page.load()

        self.say(tr("Undoing…"))
        self._undoing.undo_over(
            self, undone, failed=self.page.say_failure, before_question=lambda: self.say("")
        )

    def _turn_to(self, row: int) -> None:
        self.page.stop()
        self._stack.setCurrentIndex(row)
        self.chooser.setCurrentIndex(row)
        if self.undo_button.isHidden():
            self.say("")
        if self.isVisible():
            self.page.load()

    def _refresh(self) -> None:
        if not self._undo_ends.isActive():
            self.say("")
        self.page.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.say("")
            self.page.load()
            (self.names if self._chooser_row.isHidden() else self.chooser).setFocus(
                Qt.FocusReason.OtherFocusReason
            )

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


class FilesPage(ModelPage):
    """Export, import, rebuild and reset of the model. Rebuild and reset ask first."""

    def __init__(self, context: WindowContext, say: Report, files: ModelActions) -> None:
        super().__init__(context, say)
        self.export = make_button(tr("&Export…"), files.export_model)
        self.import_ = make_button(tr("&Import…"), files.import_model)
        self.rebuild = make_button(tr("&Rebuild…"), lambda: ask_to_rebuild(self, self._rebuild))
        self.reset = make_button(tr("Re&set…"), self.confirm_reset)
        export = tr(
            "Saves all counts as tables that a spreadsheet can open. They contain words from "
            "your mail, so share them "
            "with care."
        )
        import_ = tr(
            "Adds training from nbmail or another filter. You see a preview first and can "
            "undo the import."
        )
        rebuild = tr(
            "Recalculates counts and corrections from your marks, after a backup. Your marks "
            "don't change."
        )
        reset = tr("Deletes all marks and imports, after a backup. You can undo this.")
        texts = (
            (tr("Export model"), export, self.export),
            (tr("Import training from nbmail or another filter"), import_, self.import_),
            (tr("Rebuild model"), rebuild, self.rebuild),
            (tr("Reset training"), reset, self.reset),
        )
        rows = [
            part
            for title, about, button in texts
            for part in (layouts.action_row(title, about, button), 18)
        ]
        self.lay_out(
            layouts.scroll_area(
                layouts.as_widget(layouts.column(*rows, None, margins=(24, 22, 24, 16)))
            )
        )
        self.show_content()

    def load(self) -> None:
        self.show_content()

    def _rebuild(self) -> None:
        self.request(
            self.engine.rebuild(),
            lambda backup: self._end(rebuilt_text(backup)),
            tr("Rebuilding model…"),
        )

    def confirm_reset(self) -> None:
        text = tr("Delete all marks and imports?")
        more = tr(
            "nbmail saves a backup of the model first, and you can undo the reset. Your mail "
            "is not deleted."
        )
        box = question_box(self, tr("Reset training?"), text, more, icon="warning")

        def say_reset(done: ModelReset) -> None:
            forgot = tr_count(
                "Reset finished: %n mark deleted.", "Reset finished: %n marks deleted.", done.labels
            )
            self._end(join_sentences(forgot, backup_text(done.backup)), undo=True)

        def reset() -> None:
            self.request(self.engine.reset(), say_reset, tr("Saving a backup, then resetting…"))

        open_question(box, tr("Reset"), tr("Cancel"), reset)

    def _end(self, text: str, *, undo: bool = False) -> None:
        self.say(text, undo=undo)
        self.show_content()


BATCH = 200
"""Number of words in the first request, and of additional words in each further one."""
PAUSE = 200
"""Milliseconds from the last key in the search field to the request."""
MAX_WORD = 60
ORDER_OF_COLUMN = (
    WordOrder.NAME,
    None,
    WordOrder.SPAM,
    WordOrder.HAM,
    None,
    None,
    WordOrder.STRONGEST,
)
"""Order for a click on each heading, None if there is none."""


class WordsPage(ModelPage):
    """Words in the selected order, by default strongest first."""

    follows = True

    def __init__(
        self, context: WindowContext, say: Report, open_words: Callable[[Sequence[str]], None]
    ) -> None:
        super().__init__(context, say)
        self._open_words = open_words
        self._limit = BATCH
        self.search = QLineEdit(clearButtonEnabled=True)
        self.ignored = QCheckBox(tr("Only &ignored words"))
        self.phrases = QCheckBox(tr("Only &phrases"))
        self.search.setPlaceholderText(tr("Search words, or type a phrase to add"))
        self.search.setAccessibleName(tr("Search words"))
        orders = (
            (tr("Strongest"), WordOrder.STRONGEST),
            (tr("Strongest for spam"), WordOrder.SPAMMIEST),
            (tr("Strongest for good mail"), WordOrder.HAMMIEST),
            (tr("Most common"), WordOrder.COMMON),
            (tr("Most often in spam"), WordOrder.SPAM),
            (tr("Most often in good mail"), WordOrder.HAM),
            (tr("Name"), WordOrder.NAME),
        )
        self.order = combo_of(orders, tr("Sort by"))
        counts = (tr("In spam"), tr("In good"), tr("Log-ratio"), tr("Correction"), tr("Weight"))
        headings = (tr("Word"), tr("Found in"), *counts)
        widths = (160, 100, 75, 80, 85, 90, 90)
        self.table = TextTable[WordFigures](
            headings, widths, 0, tr("Words in the model"), numbers=range(2, 7), spare=(1, 4, 5)
        )
        self.more = make_button(tr("Show &more"), self.load_more)
        self.hint = plain_label()
        self.open = make_button(tr("Show &details"), self.open_current)
        self.ignore = make_button(tr("I&gnore word"), self.ignore_current)
        self.add = make_button(
            tr("&Add phrase"), lambda: self._set_phrase(self.search.text(), used=True)
        )
        self.add.setToolTip(
            tr(
                "Type two words or more in the search field. A phrase counts in addition to "
                "its words."
            )
        )

        def remove() -> None:
            phrase = self.table.selected().word.removeprefix("phrase:")
            self._set_phrase(phrase, used=False)

        self.remove = make_button(tr("&Remove phrase"), remove)
        choices = layouts.row(self.order, None, self.ignored, self.phrases, spacing=8)
        asked = layouts.column(self.search, choices, spacing=8, margins=(16, 12, 16, 10))
        footer = page_footer(self.hint, self.more, self.add, self.remove, self.ignore, self.open)
        self.lay_out(self.table, footer, above=asked)
        self._connect()
        self._show(WordPage(0, ()))

    def _connect(self) -> None:
        soon = single_shot_timer(self, PAUSE, self._reload)
        self.search.textChanged.connect(lambda _: soon.start())
        self.search.textChanged.connect(self._enable)
        self.order.currentIndexChanged.connect(self._reload)
        for box, other in ((self.ignored, self.phrases), (self.phrases, self.ignored)):
            box.toggled.connect(lambda on, other=other: other.setEnabled(not on))
            box.toggled.connect(self._reload)
        self.table.activated.connect(self.open_current)
        self.table.selectionModel().currentRowChanged.connect(self._enable)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._sort_by)

    def _sort_by(self, column: int) -> None:
        if ORDER_OF_COLUMN[column] is not None:
            self.order.setCurrentIndex(self.order.findData(ORDER_OF_COLUMN[column]))

    def _reload(self) -> None:
        self._limit = BATCH
        self.load()

    def load(self) -> None:
        search = self.search.text().strip()
        order = WordOrder(self.order.currentData())
        only = {"ignored": self.ignored.isChecked(), "phrases": self.phrases.isChecked()}
        words = self.engine.list_words(search, order, limit=self._limit, **only)
        self.request(words, self._show, tr("Loading words…"), keep=True)

    def load_more(self) -> None:
        self._limit += BATCH
        self.load()

    def _show(self, page: WordPage) -> None:
        self.table.set_rows([_row(word) for word in page.words])
        more = page.total > len(page.words)
        self.more.setVisible(more)
        self.order.setEnabled(not (self.ignored.isChecked() or self.phrases.isChecked()))
        shown = tr("Showing {count}.").format(count=format_count(len(page.words))) if more else ""
        count = tr_count("%n word.", "%n words.", page.total)
        if self.phrases.isChecked():
            count = tr_count("%n phrase.", "%n phrases.", page.total)
        self.hint.setText(join_sentences(count, shown))
        if page.words:
            self.show_content()
        elif self.ignored.isChecked():
            self.show_note(tr("No words are ignored. An ignored word doesn't affect any score."))
        elif self.phrases.isChecked():
            self.show_note(
                tr(
                    "No phrases. Type one in the search field, as in “be your own boss”, and "
                    "add it."
                )
            )
        elif self.search.text().strip():
            self.show_note(tr("No words match."))
        else:
            self.show_note(tr("No words yet. Mark some messages first."))
        self._enable()

    def _enable(self, *_: object) -> None:
        word = self.table.current()
        for button in (self.open, self.ignore):
            button.setEnabled(word is not None and self.stack.currentWidget() is self.table)
        self.add.setEnabled(len(self.search.text().split()) > 1)
        self.remove.setVisible(word is not None and word.place == "phrase")
        self.ignore.setText(
            tr("&Use word again") if word is not None and word.ignored else tr("I&gnore word")
        )

    def open_current(self) -> None:
        self._open_words([self.table.selected().word])

    def ignore_current(self) -> None:
        word = self.table.selected()
        text = tr("“{word}” is used again.") if word.ignored else tr("“{word}” is now ignored.")
        text = text.format(word=feature_text(word.word))
        ticket = self.engine.ignore_word(word.word, ignored=not word.ignored)
        ticket.then(partial(self.say_done, text), failed=self.say_failure)

    def _set_phrase(self, phrase: str, *, used: bool) -> None:
        def done(marked: Marked) -> None:
            text = counted_phrase_text(marked.unread) if used else tr("The phrase is removed.")
            self.say_done(text, marked)

        self.request(
            self.engine.set_phrase(phrase, used=used), done, tr("Counting the phrase in your mail…")
        )


def _row(word: WordFigures) -> TextRow[WordFigures]:
    weight = word.log_ratio + word.correction
    parts = (
        signed(word.log_ratio),
        signed(word.correction) if word.correction else "",
    )
    shown = tr("ignored") if word.ignored else signed(weight)
    name = visible(feature_text(word.word), MAX_WORD)
    place = tr("text") if word.place == "body" else place_text(word.place)
    cells = (name, place, format_count(word.spam), format_count(word.ham), *parts, shown)
    tip = tr("Its words also count one by one.") if word.place == "phrase" else name
    return TextRow(cells, word, (tip, *cells[1:]))
