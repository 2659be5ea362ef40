"""Page of the suggested folders: how often the suggestions were right."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QWidget

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.evidence.features.place_texts import place_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import name_combo
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import SideWindow, close_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.lab.curve_chart import CurveChart
from nbmail.ui.lab.method_texts import method_names
from nbmail.ui.model.accuracy_texts import share_text
from nbmail.ui.model.folder_matrix import LONGEST, FolderMatrix
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import signed
from nbmail.ui.texts.plain_text import visible
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.folders import ENOUGH_MESSAGES, FolderFigures, FolderReport, FolderWord

WORDS = 200
"""Listed words of a folder."""
LEAST_TABLE = 190
"""Minimum height of a table in pixels. In a low window the page scrolls."""


class FoldersPage(ModelPage):
    """Page of one account at a time. Every suggestion was made before its message was learned."""

    def __init__(self, context: WindowContext, say: Report) -> None:
        super().__init__(context, say)
        self._reports: Sequence[FolderReport] = ()
        self.account = QComboBox()
        name_combo(self.account, tr("Account"))
        self.account.currentIndexChanged.connect(self._show_account)
        self.summary = wrapping_label()
        self._make_tables()
        lines = (tr("first suggestion right"), "accent"), (tr("one of three right"), "ham")
        name = tr("Right suggestions by number of filed messages")
        self.curve = CurveChart(name, lines, tr("filed messages"))
        self.words = make_button(tr("Show &words"), self.show_words)
        self.compare = make_button(tr("&Compare methods"), self.compare_methods)
        self._fill_page()

    def _make_tables(self) -> None:
        headings = (
            tr("Folder"),
            tr("Messages"),
            tr("First right"),
            tr("Among three"),
            tr("Mistaken for"),
        )
        widths = (160, 75, 95, 95, 150)
        self.table = TextTable[str](
            headings, widths, 0, tr("Folders"), numbers=(1, 2, 3), spare=(4, 1)
        )
        self.table.activated.connect(self.show_words)
        self.table.setMinimumHeight(scaled(self, LEAST_TABLE))
        self.against = FolderMatrix()
        self.against.setMinimumHeight(scaled(self, LEAST_TABLE))

    def _fill_page(self) -> None:
        about = tr("Rows: where you filed a message. Columns: the first suggestion for it.")
        contents = layouts.column(
            self.account,
            self.summary,
            self.table,
            layouts.row(self.words, self.compare, None, spacing=8),
            8,
            wrapping_label(tr("Folder against folder"), "title"),
            wrapping_label(about, "muted"),
            self.against,
            8,
            self.curve,
            None,
            spacing=8,
            margins=(20, 18, 20, 16),
        )
        self.lay_out(layouts.scroll_area(layouts.as_widget(contents)))

    # ---------------------------------------------------------------------------------------------
    # the report of an account

    def load(self) -> None:
        self.request(self.engine.report_folders(), self._show, tr("Loading folders…"), keep=True)

    def _show(self, reports: Sequence[FolderReport]) -> None:
        self._reports = [each for each in reports if each.folders]
        if not self._reports:
            text = tr(
                "No suggested folder has mail yet. Choose folders in the settings of an account."
            )
            self.show_note(text)
            return
        self._list_accounts()
        self._show_account()
        self.show_content()

    def _list_accounts(self) -> None:
        """List the accounts. The shown one stays selected."""
        shown = self.account.currentText()
        with QSignalBlocker(self.account):
            self.account.clear()
            self.account.addItems([each.account for each in self._reports])
            self.account.setCurrentText(shown)
        self.account.setVisible(len(self._reports) > 1)

    @property
    def _report(self) -> FolderReport:
        return self._reports[max(0, self.account.currentIndex())]

    def _show_account(self, _: int = 0) -> None:
        report = self._report
        self.summary.setText(_summary_text(report))
        names = [each.name for each in report.folders]
        rows = zip(report.folders, report.table, strict=True)
        self.table.set_rows([_row(figures, names, counts) for figures, counts in rows])
        self.against.show_report(report)
        self.curve.show_points([(each.labels, (each.first, each.three)) for each in report.curve])
        self.curve.setVisible(len(report.curve) > 1)

    # ---------------------------------------------------------------------------------------------
    # words of a folder

    def show_words(self, _: object = None) -> None:
        """Show the words that separate the current folder best from all others."""
        name = self.table.current()
        if name is None:
            return
        folder = FolderName(self._report.account, name)
        self.engine.list_folder_words(folder, WORDS).then(
            lambda words: self._show_word_window(name, words), failed=self.say_failure
        )

    def _show_word_window(self, name: str, words: Sequence[FolderWord]) -> None:
        headings = (
            tr("Word"),
            tr("Found in"),
            tr("In the folder"),
            tr("Elsewhere"),
            tr("Log-ratio"),
        )
        widths = (180, 100, 80, 80, 80)
        table = TextTable[str](headings, widths, 0, tr("Words"), numbers=(2, 3, 4))
        table.set_rows([_word_row(each) for each in words])
        title = tr("Words of {folder}").format(folder=visible(name, LONGEST))
        about = tr("A positive log-ratio favors the folder.")
        TableWindow(self, title, about, table, (600, 520)).show()

    # ---------------------------------------------------------------------------------------------
    # comparison of methods

    def compare_methods(self) -> None:
        """Show the share of the newest filed messages that each method put right, best first."""
        self.request(
            self.engine.compare_folder_methods(self._report.account),
            self._show_comparison,
            tr("Comparing methods…"),
        )

    def _show_comparison(self, methods: Mapping[str, Proportion]) -> None:
        self.show_content()
        names = dict(method_names())
        names[""] = tr("Suggestions: balanced evidence and your habits")
        headings = (tr("Method"), tr("Right"))
        table = TextTable[str](headings, (320, 150), 0, tr("Methods"), whole=(1,))
        ranked = sorted(methods.items(), key=lambda one: -one[1].share)
        table.set_rows(
            [TextRow((names[method], share_text(right)), method) for method, right in ranked]
        )
        title = tr("Methods compared on your folders")
        about = tr(
            "Each method learned your older filed messages and was tested on the newest fifth."
        )
        TableWindow(self, title, about, table, (560, 420)).show()


class TableWindow(SideWindow):
    """Window with a table of texts."""

    def __init__(
        self, parent: QWidget, title: str, about: str, table: TextTable[str], size: tuple[int, int]
    ) -> None:
        width, height = size
        super().__init__(parent, title, width, height)
        self.table = table
        contents = layouts.column(
            wrapping_label(about, "muted"),
            (table, 1),
            close_button(self),
            spacing=10,
            margins=(18, 16, 18, 14),
        )
        self.setLayout(contents)


def _summary_text(report: FolderReport) -> str:
    if not report.first.count:
        return tr("No suggestion was made yet: that takes two folders with mail.")
    text = tr(
        "{count} filed messages: the first suggestion was right for {first}, one of the three "
        "for {three}."
    )
    return text.format(
        count=format_count(report.first.count),
        first=share_text(report.first),
        three=share_text(report.three),
    )


def _row(figures: FolderFigures, names: Sequence[str], counts: Sequence[int]) -> TextRow[str]:
    mistaken = _mistaken_text(figures.name, names, counts)
    if figures.messages < ENOUGH_MESSAGES:
        text = tr("not suggested below {count} messages")
        mistaken = text.format(count=ENOUGH_MESSAGES)
    cells = (
        visible(figures.name, LONGEST),
        format_count(figures.messages),
        _found_text(figures.first),
        _found_text(figures.three),
        mistaken,
    )
    return TextRow(cells, figures.name)


def _mistaken_text(folder: str, names: Sequence[str], counts: Sequence[int]) -> str:
    """Return the folder that was wrongly suggested most often, with its number of messages."""
    others = {name: count for name, count in zip(names, counts, strict=True) if count}
    others.pop(folder, None)
    if not others:
        return ""
    name = max(others, key=lambda name: others[name])
    return f"{visible(name, LONGEST)} ({format_count(others[name])})"


def _found_text(rate: Proportion) -> str:
    if not rate.count:
        return "–"
    text = tr("{found} of {count}")
    return text.format(found=format_count(rate.found), count=format_count(rate.count))


def _word_row(word: FolderWord) -> TextRow[str]:
    cells = (
        visible(feature_text(word.word), LONGEST),
        tr("text") if word.place == "body" else place_text(word.place),
        format_count(word.inside),
        format_count(word.outside),
        signed(word.log_ratio),
    )
    return TextRow(cells, word.word)
