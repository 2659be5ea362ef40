"""Page of the words that the model has learned."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QCheckBox, QLineEdit

from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.evidence.features.place_texts import place_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.model.model_page import ModelPage, page_footer
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.mark_texts import counted_phrase_text
from nbmail.ui.texts.number_texts import signed
from nbmail.ui.texts.plain_text import join_sentences, visible
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.words import WordFigures, WordOrder, WordPage

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
        self._make_search()
        self._make_table()
        self._make_buttons()
        self._fill_page()
        self._connect()
        self._show(WordPage(0, ()))

    def _make_search(self) -> None:
        self.search = QLineEdit(clearButtonEnabled=True)
        self.search.setPlaceholderText(tr("Search words, or type a phrase to add"))
        self.search.setAccessibleName(tr("Search words"))
        self.ignored = QCheckBox(tr("Only &ignored words"))
        self.phrases = QCheckBox(tr("Only &phrases"))
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

    def _make_table(self) -> None:
        headings = (
            tr("Word"),
            tr("Found in"),
            tr("In spam"),
            tr("In good"),
            tr("Log-ratio"),
            tr("Correction"),
            tr("Weight"),
        )
        widths = (160, 100, 75, 80, 85, 90, 90)
        self.table = TextTable[WordFigures](
            headings, widths, 0, tr("Words in the model"), numbers=range(2, 7), spare=(1, 4, 5)
        )
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._sort_by)

    def _make_buttons(self) -> None:
        self.hint = plain_label()
        self.more = make_button(tr("Show &more"), self.load_more)
        self.open = make_button(tr("Show &details"), self.open_current)
        self.ignore = make_button(tr("I&gnore word"), self.ignore_current)
        self.remove = make_button(tr("&Remove phrase"), self._remove_phrase)
        self.add = make_button(tr("&Add phrase"), self._add_phrase)
        about = tr(
            "Type two words or more in the search field. A phrase counts in addition to its words."
        )
        self.add.setToolTip(about)

    def _fill_page(self) -> None:
        choices = layouts.row(self.order, None, self.ignored, self.phrases, spacing=8)
        asked = layouts.column(self.search, choices, spacing=8, margins=(16, 12, 16, 10))
        footer = page_footer(self.hint, self.more, self.add, self.remove, self.ignore, self.open)
        self.lay_out(self.table, footer, above=asked)

    def _connect(self) -> None:
        soon = single_shot_timer(self, PAUSE, self._reload)
        self.search.textChanged.connect(lambda _: soon.start())
        self.search.textChanged.connect(self._enable)
        self.order.currentIndexChanged.connect(self._reload)
        # Only one of the boxes can be checked.
        self.ignored.toggled.connect(self.phrases.setDisabled)
        self.ignored.toggled.connect(self._reload)
        self.phrases.toggled.connect(self.ignored.setDisabled)
        self.phrases.toggled.connect(self._reload)
        self.table.activated.connect(self.open_current)
        self.table.selectionModel().currentRowChanged.connect(self._enable)

    # ---------------------------------------------------------------------------------------------
    # the list

    def _sort_by(self, column: int) -> None:
        if ORDER_OF_COLUMN[column] is not None:
            self.order.setCurrentIndex(self.order.findData(ORDER_OF_COLUMN[column]))

    def _reload(self) -> None:
        self._limit = BATCH
        self.load()

    def load(self) -> None:
        words = self.engine.list_words(
            self.search.text().strip(),
            WordOrder(self.order.currentData()),
            limit=self._limit,
            ignored=self.ignored.isChecked(),
            phrases=self.phrases.isChecked(),
        )
        self.request(words, self._show, tr("Loading words…"), keep=True)

    def load_more(self) -> None:
        self._limit += BATCH
        self.load()

    def _show(self, page: WordPage) -> None:
        self.table.set_rows([_row(word) for word in page.words])
        self.more.setVisible(page.total > len(page.words))
        self.order.setEnabled(not (self.ignored.isChecked() or self.phrases.isChecked()))
        self.hint.setText(self._count_text(page))
        if page.words:
            self.show_content()
        else:
            self.show_note(self._empty_text())
        self._enable()

    def _count_text(self, page: WordPage) -> str:
        count = tr_count("%n word.", "%n words.", page.total)
        if self.phrases.isChecked():
            count = tr_count("%n phrase.", "%n phrases.", page.total)
        if page.total <= len(page.words):
            return count
        shown = tr("Showing {count}.").format(count=format_count(len(page.words)))
        return join_sentences(count, shown)

    def _empty_text(self) -> str:
        """Return why the list is empty."""
        if self.ignored.isChecked():
            return tr("No words are ignored. An ignored word doesn't affect any score.")
        if self.phrases.isChecked():
            return tr(
                "No phrases. Type one in the search field, as in “be your own boss”, and add it."
            )
        if self.search.text().strip():
            return tr("No words match.")
        return tr("No words yet. Mark some messages first.")

    def _enable(self, *_: object) -> None:
        word = self.table.current()
        is_listed = word is not None and self.stack.currentWidget() is self.table
        self.open.setEnabled(is_listed)
        self.ignore.setEnabled(is_listed)
        is_ignored = word is not None and word.ignored
        self.ignore.setText(tr("&Use word again") if is_ignored else tr("I&gnore word"))
        self.add.setEnabled(len(self.search.text().split()) > 1)
        self.remove.setVisible(word is not None and word.place == "phrase")

    # ---------------------------------------------------------------------------------------------
    # changes

    def open_current(self) -> None:
        self._open_words([self.table.selected().word])

    def ignore_current(self) -> None:
        word = self.table.selected()
        text = tr("“{word}” is used again.") if word.ignored else tr("“{word}” is now ignored.")
        text = text.format(word=feature_text(word.word))
        ticket = self.engine.ignore_words([word.word], ignored=not word.ignored)
        ticket.then(partial(self.say_done, text), failed=self.say_failure)

    def _add_phrase(self) -> None:
        self._set_phrase(self.search.text(), used=True)

    def _remove_phrase(self) -> None:
        phrase = self.table.selected().word.removeprefix("phrase:")
        self._set_phrase(phrase, used=False)

    def _set_phrase(self, phrase: str, *, used: bool) -> None:
        def report(done: Marked) -> None:
            text = counted_phrase_text(done.unread) if used else tr("The phrase is removed.")
            self.say_done(text, done)

        waiting = tr("Counting the phrase in your mail…")
        self.request(self.engine.set_phrase(phrase, used=used), report, waiting)


def _row(word: WordFigures) -> TextRow[WordFigures]:
    name = visible(feature_text(word.word), MAX_WORD)
    weight = signed(word.log_ratio + word.correction)
    cells = (
        name,
        tr("text") if word.place == "body" else place_text(word.place),
        format_count(word.spam),
        format_count(word.ham),
        signed(word.log_ratio),
        signed(word.correction) if word.correction else "",
        tr("ignored") if word.ignored else weight,
    )
    tip = tr("Its words also count one by one.") if word.place == "phrase" else name
    return TextRow(cells, word, (tip, *cells[1:]))
