"""All words of the model, with their counts and what they say: searched, sorted, each with its messages."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences, plain_label, visible
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.model_page import ModelPage, PageContext, PageFoot
from nbmail.ui.window.notices import make_button
from nbmail.worker.protocol import Marked
from nbmail.worker.protocol.words import IgnoreWord, ListWords, WordFigures, WordOrder, WordPage

MOST = 200
"""Words asked for at first, and so many more each time more are wanted."""
PAUSE = 200
"""Milliseconds after the last key in the search field."""
LONGEST = 60
BY_HEADING = (WordOrder.NAME, None, WordOrder.JUNK, WordOrder.GOOD, WordOrder.STRONGEST)
"""By what a click on each heading sorts."""


class WordsPage(ModelPage):
    """Words, the strongest first unless asked for otherwise. Has no signals of its own."""

    follows = True

    def __init__(self, context: PageContext, open_words: Callable[[Sequence[str]], None]) -> None:
        super().__init__(context)
        self._open_words, self._wanted = open_words, MOST
        self.search, self.order, self.ignored = QLineEdit(), QComboBox(), QCheckBox(tr("Only &ignored ones"))
        self.search.setPlaceholderText(tr("Search words"))
        self.search.setAccessibleName(tr("Search words"))
        self.search.setClearButtonEnabled(True)
        for order, words in _orders():
            self.order.addItem(words, order)
        layouts.name_combo(self.order, tr("Order"))
        headings = (tr("Word"), tr("Found in"), tr("In junk"), tr("In good mail"), tr("Says"))
        self.table: TextTable[WordFigures] = TextTable(
            headings, (200, 120, 80, 100, 110), 0, tr("Words of the model"), numbers=(2, 3, 4)
        )
        self.more, self.hint = make_button(tr("Show &more"), self.load_more), plain_label()
        self.open = make_button(tr("&All about it…"), self.open_current)
        self.turn = make_button(tr("I&gnore it"), self.turn_current)
        self.stack.addWidget(self.table)
        choices = layouts.row(self.order, None, self.ignored, spacing=8)
        asked = layouts.column(self.search, choices, spacing=8, margins=(16, 12, 16, 10))
        self.setLayout(layouts.column(asked, (self.stack, 1), PageFoot(self.hint, self.more, self.turn, self.open)))
        self._connect()
        self._show(WordPage(0, ()))

    def _connect(self) -> None:
        soon = layouts.single_shot_timer(self, PAUSE, self._ask_anew)
        self.search.textChanged.connect(lambda _: soon.start())
        self.order.currentIndexChanged.connect(self._ask_anew)
        self.ignored.toggled.connect(self._ask_anew)
        self.table.activated.connect(self.open_current)
        self.table.selectionModel().currentRowChanged.connect(self._enable)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._sort_by)

    def _sort_by(self, column: int) -> None:
        if BY_HEADING[column] is not None:
            self.order.setCurrentIndex(self.order.findData(BY_HEADING[column]))

    def _ask_anew(self) -> None:
        self._wanted = MOST
        self.load()

    def load(self) -> None:
        """Ask for them; what is shown stays until they come."""
        order = WordOrder(self.order.currentData())
        command = ListWords(self.search.text().strip(), order, most=self._wanted, ignored=self.ignored.isChecked())
        self.ask(command, self._show, tr("Looking through the words…"), keep=True)

    def load_more(self) -> None:
        self._wanted += MOST
        self.load()

    def _show(self, page: WordPage) -> None:
        self.table.set_rows([_line(word) for word in page.words])
        self.more.setVisible(page.total > len(page.words))
        self.order.setEnabled(not self.ignored.isChecked())
        shown = (
            tr("{count} are shown.").format(count=format_count(len(page.words))) if page.total > len(page.words) else ""
        )
        self.hint.setText(join_sentences(tr_count("%n word.", "%n words.", page.total), shown))
        if page.words:
            self.show_content()
        elif self.ignored.isChecked():
            self.say(tr("No word is ignored. A word that is ignored adds nothing to any score."))
        elif self.search.text().strip():
            self.say(tr("No word that was learned matches."))
        else:
            self.say(tr("No words yet: they come with the first marks."))
        self._enable()

    def _enable(self, *_: object) -> None:
        word = self.table.current()
        for button in (self.open, self.turn):
            button.setEnabled(word is not None and self.stack.currentWidget() is self.table)
        self.turn.setText(tr("Let it &count again") if word is not None and word.ignored else tr("I&gnore it"))

    def open_current(self) -> None:
        self._open_words([self.table.selected().word])

    def turn_current(self) -> None:
        """Ignore the current word, or let it count again."""
        word = self.table.selected()
        text = tr("“{word}” counts again.") if word.ignored else tr("“{word}” is ignored from now on.")
        said = text.format(word=feature_text(word.word, word.place))

        def told(done: Marked) -> None:
            self.tell(join_sentences(said, phrases.changed_verdicts_text(done.turned)), undo=True)
            self.load()

        self.requests.ask(IgnoreWord(word.word, ignored=not word.ignored), told, failed=self.tell_failure)


def _orders() -> tuple[tuple[WordOrder, str], ...]:
    return (
        (WordOrder.STRONGEST, tr("strongest first")),
        (WordOrder.JUNKIEST, tr("most for junk first")),
        (WordOrder.GOODEST, tr("most for good mail first")),
        (WordOrder.COMMON, tr("most common first")),
        (WordOrder.JUNK, tr("most in junk first")),
        (WordOrder.GOOD, tr("most in good mail first")),
        (WordOrder.NAME, tr("by name")),
    )


def _line(word: WordFigures) -> TextRow[WordFigures]:
    weight = word.log_ratio + word.correction
    said = tr("ignored") if word.ignored else phrases.signed(weight)
    name = visible(feature_text(word.word, word.place), LONGEST)
    place = tr("text") if word.place == "body" else place_text(word.place)
    return TextRow((name, place, format_count(word.junk), format_count(word.good), said), word)
