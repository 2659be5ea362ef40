"""The methods side by side on one's own mail, and the choice between them."""

from dataclasses import replace

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import join_sentences, plain_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.model_page import ModelPage, PageContext
from nbmail.ui.model.model_texts import comparison_words, share_words
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import make_button
from nbmail.worker.protocol.own_model import CompareMethods, MethodComparison, MethodFigures, UseMethod


class MethodsPage(ModelPage):
    """Every way of learning, with its figures once they were compared. Has no signals of its own."""

    def __init__(self, context: PageContext, settings: CurrentSettings) -> None:
        super().__init__(context)
        self._settings = settings
        self._compared: MethodComparison | None = None
        headings = (tr("Way of learning"), tr("Caught"), tr("Misjudged"), tr("Misplaced"))
        self.table: TextTable[str] = TextTable(
            headings, (180, 100, 100, 80), 0, tr("Ways of learning"), numbers=(1, 2, 3)
        )
        self.compare = make_button(tr("&Compare on my mail"), self.compare_all)
        self.use = make_button(tr("&Use this one"), self.use_current)
        self.hint = plain_label()
        self.hold(self.table, self.hint, self.compare, self.use)
        self.table.activated.disconnect()
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._enable())

    def load(self) -> None:
        """Show what is known of each, nothing before they were compared."""
        known = {each.method: each for each in self._compared.methods} if self._compared is not None else {}
        names = method_words()
        self.table.set_rows([self._line(name, words, known.get(name)) for name, words in names])
        text = tr("Each learns from your older marked mail and is compared on newer: the golden rule.")
        if self._compared is not None:
            text = comparison_words(self._compared, dict(names)[self._compared.best.method])
        self.hint.setText(text)
        self.show_content()
        self._enable()

    def _line(self, name: str, words: str, figures: MethodFigures | None) -> TextRow[str]:
        if name == self._settings.value.method:
            words = tr("In use: {method}").format(method=words)
        cells = ("", "", "")
        if figures is not None:
            order = phrases.exact_percent(round(figures.one_minus_auc / 100, 4))
            cells = (share_words(figures.caught), share_words(figures.misjudged), order)
        explained = tr("How often a good message scored higher than a junk message: the less the better.")
        return TextRow((words, *cells), name, (words, *cells[:2], join_sentences(cells[2], explained)))

    def _enable(self) -> None:
        listed = self.stack.currentWidget() is self.table
        self.compare.setEnabled(listed)
        self.use.setEnabled(listed and self.table.current() != self._settings.value.method)

    def compare_all(self) -> None:
        self.ask(CompareMethods(), self._take, tr("Each way of learning learns your mail and is judged…"))
        self._enable()

    def _take(self, compared: MethodComparison) -> None:
        self._compared = compared
        self.load()

    def use_current(self) -> None:
        """Learn by the current one from now on."""
        name = self.table.selected()
        words = dict(method_words())[name]
        waiting = tr("Learning everything by another way. Until that is done all scores stay as they are…")
        self.ask(UseMethod(name), lambda _: self._used(name, words), waiting)
        self._enable()

    def _used(self, name: str, words: str) -> None:
        self._settings.change(replace(self._settings.value, method=name))
        self.tell(tr("From now on nbmail learns by {method}. All scores are those of this way.").format(method=words))
        self.load()


def method_words() -> tuple[tuple[str, str], ...]:
    """Every way of learning, the recommended one first."""
    return (
        ("balanced", tr("balanced evidence (recommended)")),
        ("multinomial", tr("how often each word comes (multinomial)")),
        ("complement", tr("how often it comes in the others (complement)")),
        ("bernoulli", tr("which words are there (Bernoulli)")),
        ("bernoulli-complete", tr("which are there and which are not (Bernoulli)")),
        ("categorical", tr("facts rather than words (categorical)")),
        ("gaussian", tr("sizes and shares (Gaussian)")),
        ("tree", tr("words that depend on each other (tree)")),
        ("logistic", tr("weights that learn from mistakes (logistic)")),
    )
