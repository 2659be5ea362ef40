"""Suggested folders: how often they were right, folder against folder, the words of a folder, other
methods.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QTableWidget, QTableWidgetItem, QWidget

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import name_combo
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import SideWindow, close_button
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable, style_table
from nbmail.ui.model.charts import CurveChart
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.model.model_texts import method_names, share_text
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import signed
from nbmail.ui.texts.plain_text import visible
from nbmail.ui.window.context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.folders import ENOUGH_MESSAGES, FolderFigures, FolderReport, FolderWord

LONGEST = 60
WORDS = 200
MOST_COLUMNS = 40
"""Columns of the table of folder against folder, those with the most messages."""


class FoldersPage(ModelPage):
    """Page of one account at a time. Every suggestion was made before its message was learned."""

    def __init__(self, context: WindowContext, say: Report) -> None:
        super().__init__(context, say)
        self._reports: Sequence[FolderReport] = ()
        self.account = QComboBox()
        self.summary = wrapping_label()
        name_combo(self.account, tr("Account"))
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
        self.against = QTableWidget()
        lines = (tr("first suggestion right"), "accent"), (tr("one of three right"), "ham")
        self.curve = CurveChart(
            tr("Right suggestions by number of filed messages"), lines, tr("filed messages")
        )
        self.words = make_button(tr("Show &words"), self.show_words)
        self.compare = make_button(tr("&Compare methods"), self.compare_methods)
        self.account.currentIndexChanged.connect(self._show_account)
        self.table.activated.connect(self.show_words)
        style_table(self.against)
        self.against.setAccessibleName(tr("Folder against folder"))
        for table in (self.table, self.against):
            table.setMinimumHeight(scaled(self, 190))
        about = wrapping_label(
            tr("Rows: where you filed a message. Columns: the first suggestion for it."), "muted"
        )
        buttons = layouts.row(self.words, self.compare, None, spacing=8)
        parts = (
            *(self.account, self.summary, self.table, buttons, 8),
            *(
                wrapping_label(tr("Folder against folder"), "title"),
                about,
                self.against,
                8,
                self.curve,
                None,
            ),
        )
        content = layouts.as_widget(layouts.column(*parts, spacing=8, margins=(20, 18, 20, 16)))
        self.lay_out(layouts.scroll_area(content))

    def load(self) -> None:
        self.request(self.engine.report_folders(), self._show, tr("Loading folders…"), keep=True)

    def _show(self, reports: Sequence[FolderReport]) -> None:
        self._reports = [each for each in reports if each.folders]
        shown = self.account.currentText()
        with QSignalBlocker(self.account):
            self.account.clear()
            self.account.addItems([each.account for each in self._reports])
            self.account.setCurrentText(shown)
        self.account.setVisible(len(self._reports) > 1)
        if self._reports:
            self._show_account()
            self.show_content()
        else:
            self.show_note(
                tr(
                    "No suggested folder has mail yet. Choose folders in the settings of an "
                    "account."
                )
            )

    @property
    def _report(self) -> FolderReport:
        return self._reports[max(0, self.account.currentIndex())]

    def _show_account(self, _: int = 0) -> None:
        report = self._report
        text = tr(
            "{count} filed messages: the first suggestion was right for {first}, one of the "
            "three for {three}."
        )
        shares = {"first": share_text(report.first), "three": share_text(report.three)}
        text = text.format(count=format_count(report.first.count), **shares)
        none = tr("No suggestion was made yet: that takes two folders with mail.")
        self.summary.setText(text if report.first.count else none)
        names = [each.name for each in report.folders]
        rows = zip(report.folders, report.table, strict=True)
        self.table.set_rows([_row(figures, names, counts) for figures, counts in rows])
        self._show_against(report)
        self.curve.show_points([(each.labels, (each.first, each.three)) for each in report.curve])
        self.curve.setVisible(len(report.curve) > 1)

    def _show_against(self, report: FolderReport) -> None:
        """Show the counts of the largest folders; correct suggestions are bold."""
        ranked = sorted(
            range(len(report.folders)), key=lambda place: -report.folders[place].messages
        )
        shown = sorted(ranked[:MOST_COLUMNS])
        names = [visible(report.folders[place].name, LONGEST) for place in shown]
        self.against.setRowCount(len(shown))
        self.against.setColumnCount(len(shown) + 1)
        self.against.setHorizontalHeaderLabels([tr("Filed in"), *names])
        for row, filed in enumerate(shown):
            self.against.setItem(row, 0, QTableWidgetItem(names[row]))
            for column, first in enumerate(shown):
                count = report.table[filed][first]
                item = QTableWidgetItem(format_count(count) if count else "")
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                font = item.font()
                font.setBold(filed == first)
                item.setFont(font)
                tip = tr("Filed in {folder}, suggested {other}: {count}")
                item.setToolTip(
                    tip.format(folder=names[row], other=names[column], count=format_count(count))
                )
                self.against.setItem(row, column + 1, item)
        self.against.resizeColumnsToContents()

    def show_words(self, _: object = None) -> None:
        """Show the words of the current folder, those that separate it best from all others
        first.
        """
        name = self.table.current()
        if name is None:
            return

        def show(words: Sequence[FolderWord]) -> None:
            title = tr("Words of {folder}")
            about = tr("A positive log-ratio favors the folder.")
            headings = (
                tr("Word"),
                tr("Found in"),
                tr("In the folder"),
                tr("Elsewhere"),
                tr("Log-ratio"),
            )
            table = TextTable[str](
                headings, (180, 100, 80, 80, 80), 0, tr("Words"), numbers=(2, 3, 4)
            )
            table.set_rows([_word_row(each) for each in words])
            TableWindow(
                self, title.format(folder=visible(name, LONGEST)), about, table, (600, 520)
            ).show()

        self.engine.list_folder_words(FolderName(self._report.account, name), WORDS).then(
            show, failed=self.say_failure
        )

    def compare_methods(self) -> None:
        """Show the share of the newest filed messages that each method put right, best first."""

        def show(methods: Mapping[str, Proportion]) -> None:
            self.show_content()
            names = {
                "": tr("Suggestions: balanced evidence and your habits"),
                **dict(method_names()),
            }
            table = TextTable[str](
                (tr("Method"), tr("Right")), (320, 150), 0, tr("Methods"), whole=(1,)
            )
            ranked = sorted(methods.items(), key=lambda one: -one[1].share)
            table.set_rows(
                [TextRow((names[method], share_text(right)), method) for method, right in ranked]
            )
            about = tr(
                "Each method learned your older filed messages and was tested on the newest fifth."
            )
            TableWindow(
                self, tr("Methods compared on your folders"), about, table, (560, 420)
            ).show()

        self.request(
            self.engine.compare_folder_methods(self._report.account), show, tr("Comparing methods…")
        )


class TableWindow(SideWindow):
    """Window with a table of texts."""

    def __init__(
        self, parent: QWidget, title: str, about: str, table: TextTable[str], size: tuple[int, int]
    ) -> None:
        super().__init__(parent, title, *size)
        self.table = table
        parts = (wrapping_label(about, "muted"), (table, 1), close_button(self))
        self.setLayout(layouts.column(*parts, spacing=10, margins=(18, 16, 18, 14)))


def _row(figures: FolderFigures, names: Sequence[str], counts: Sequence[int]) -> TextRow[str]:
    others = {
        name: count
        for name, count in zip(names, counts, strict=True)
        if count and name != figures.name
    }
    mistaken = max(others, key=lambda name: others[name], default="")
    shown = f"{visible(mistaken, LONGEST)} ({format_count(others[mistaken])})" if mistaken else ""
    if figures.messages < ENOUGH_MESSAGES:
        shown = tr("not suggested below {count} messages").format(count=ENOUGH_MESSAGES)
    text = tr("{found} of {count}")
    rates = (
        text.format(found=format_count(each.found), count=format_count(each.count))
        if each.count
        else "–"
        for each in (figures.first, figures.three)
    )
    return TextRow(
        (visible(figures.name, LONGEST), format_count(figures.messages), *rates, shown),
        figures.name,
    )


def _word_row(word: FolderWord) -> TextRow[str]:
    name = visible(feature_text(word.word), LONGEST)
    place = tr("text") if word.place == "body" else place_text(word.place)
    counts = format_count(word.inside), format_count(word.outside)
    return TextRow((name, place, *counts, signed(word.log_ratio)), word.word)
