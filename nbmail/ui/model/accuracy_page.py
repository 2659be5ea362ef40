"""How good the model is on one's own mail: right and wrong, promises and what came of them, what more marks bring."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QWidget

from nbmail.ui.dialogs.cost_setting import CostSetting
from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.plain_text import plain_label, wrapping_label
from nbmail.ui.kit.theme import set_style
from nbmail.ui.model.model_page import NO_TICKET, ModelPage, PageContext, failure_text
from nbmail.ui.model.model_texts import accuracy_words
from nbmail.ui.model.plot import CurveChart, PromiseChart
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import make_button, quiet_button
from nbmail.worker.protocol import Progress
from nbmail.worker.protocol.own_model import (
    Accuracy,
    CurvePoint,
    DrawLearningCurve,
    JudgeModel,
    ReportTraining,
    TrainingReport,
)

BESIDE = 560
"""Pixels from which on table and picture stand beside each other."""


class AccuracyPage(ModelPage):
    """Figures of messages that the model had not learned, and the dial that they hang on. Has no signals of its own."""

    follows = True

    def __init__(self, context: PageContext, settings: CurrentSettings) -> None:
        super().__init__(context)
        self._settings, self._curve_ticket = settings, NO_TICKET
        self.summary, self.confusion = wrapping_label(kind="title"), ConfusionTable()
        self.promises, self.curve = PromiseChart(), CurveChart()
        self.misjudged, self.missed = quiet_button("", flush=True), quiet_button("", flush=True)
        for button in (self.misjudged, self.missed):
            button.setAutoDefault(False)
        self.misjudged.clicked.connect(lambda: self._show_mistakes(junk=False))
        self.missed.clicked.connect(lambda: self._show_mistakes(junk=True))
        self.cost = CostSetting(settings.value.junk_seen_per_lost, self.mails.mail.count_above)
        self.cost.changed.connect(self._change_cost)
        self.draw = make_button(tr("&Draw what more marks bring"), self.draw_curve)
        self.stack.addWidget(self._lay_out())
        self.setLayout(layouts.column((self.stack, 1)))

    def _lay_out(self) -> QWidget:
        self.curve_words = wrapping_label(
            tr("How good would nbmail be with fewer marks? The newest fifth of your marked mail is judged for that."),
            "muted",
        )
        mistakes = layouts.Flow(self.misjudged, self.missed, gap=12)
        left = layouts.column(
            wrapping_label(tr("What becomes of it"), "title"), self.confusion, mistakes, None, spacing=8
        )
        right = layouts.column(
            wrapping_label(tr("Promised, and what came of it"), "title"), (self.promises, 1), spacing=8
        )
        self._figures = layouts.row(left, right, spacing=24)
        self._figures.setStretch(0, 1)
        self._figures.setStretch(1, 1)
        drawing = layouts.column((self.draw, Qt.AlignmentFlag.AlignLeft), self.curve_words, spacing=6)
        parts = (self.summary, 6, self._figures, 8, self.cost, 12, drawing, self.curve, None)
        content = layouts.as_widget(layouts.column(*parts, spacing=8, margins=(20, 18, 20, 16)))
        self.curve.hide()
        self._area = layouts.scroll_area(content)
        return self._area

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = event.size().width() >= scaled(self, BESIDE)
        directions = QBoxLayout.Direction
        self._figures.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    def load(self) -> None:
        """Ask how good it is now; what is shown stays until that comes."""
        self.cost.update_texts()
        self.ask(JudgeModel(), self._show, tr("Looking at what was said before each mark…"), keep=True)

    def stop(self) -> None:
        super().stop()
        self.requests.drop(self._curve_ticket)

    def _show(self, told: Accuracy) -> None:
        self.summary.setText(accuracy_words(told))
        self.confusion.show_counts(told)
        self.promises.show_promises(told.promises)
        lost, missed = told.good[0], told.junk[2]
        self.misjudged.setText(tr_count("See the %n misjudged", "See the %n misjudged", lost))
        self.missed.setText(tr_count("See the %n missed", "See the %n missed", missed))
        self.misjudged.setVisible(lost > 0)
        self.missed.setVisible(missed > 0)
        self.show_content()

    def _change_cost(self, cost: float) -> None:
        """Other verdicts, so other figures."""
        self._settings.change(replace(self._settings.value, junk_seen_per_lost=cost))
        self.load()

    def _show_mistakes(self, *, junk: bool) -> None:
        self.requests.ask(ReportTraining(), lambda report: self._list_mistakes(report, junk=junk))

    def _list_mistakes(self, report: TrainingReport, *, junk: bool) -> None:
        title, messages = tr("Good mail called junk"), report.misjudged
        about = tr(
            "By what nbmail learned from the others, each would have been called junk. The surest mistake first."
        )
        if junk:
            title, messages = tr("Junk called good"), report.missed
            about = tr(
                "By what nbmail learned from the others, each would have been called good. The surest mistake first."
            )
        MessagesWindow(self, title, about, dict.fromkeys(messages, ()), self.mail_table).show()

    # ---------------------------------------------------------------------------------------------- the curve

    def draw_curve(self) -> None:
        """Ask for the curve; it grows while it is asked for, in view."""
        self.requests.drop(self._curve_ticket)
        self.curve_words.setText(tr("Learning your marked mail step by step…"))
        self._curve_ticket = self.requests.ask(
            DrawLearningCurve(),
            self._show_curve,
            failed=lambda failure: self.curve_words.setText(failure_text(failure)),
            progressed=self._grow_curve,
        )

    def _grow_curve(self, progress: Progress[tuple[CurvePoint, ...]]) -> None:
        if progress.so_far:
            self._draw_points(progress.so_far)
        if progress.total:
            text = tr("Learning your marked mail step by step: {done} of {total}")
            self.curve_words.setText(text.format(done=format_count(progress.done), total=format_count(progress.total)))

    def _show_curve(self, points: Any) -> None:
        self._draw_points(points)
        text = tr("Each point is a model of so many marks, judged on {count} newer messages that it never learned.")
        last = points[-1]
        self.curve_words.setText(text.format(count=format_count(last.caught.count + last.misjudged.count)))

    def _draw_points(self, points: Any) -> None:
        self.curve.show_points(points)
        if self.curve.isHidden():
            self.curve.show()
            bar = self._area.verticalScrollBar()
            bar.rangeChanged.connect(lambda _, most: bar.setValue(most), Qt.ConnectionType.SingleShotConnection)


class ConfusionTable(QWidget):
    """How many of either kind were called what. Has no signals of its own."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        called = (tr("called junk"), tr("unsure"), tr("called good"))
        for column, words in enumerate(called, 1):
            grid.addWidget(plain_label(words, "muted"), 0, column, Qt.AlignmentFlag.AlignCenter)
            grid.setColumnStretch(column, 1)
        self.cells: list[QLabel] = []
        for row, kind in enumerate((tr("junk"), tr("good mail")), 1):
            grid.addWidget(plain_label(kind), row, 0)
            for column, words in enumerate(called, 1):
                cell = plain_label("", "title")
                cell.setAlignment(Qt.AlignmentFlag.AlignCenter)
                cell.setMargin(8)
                cell.setToolTip(f"{kind}, {words}")
                grid.addWidget(cell, row, column)
                self.cells.append(cell)

    def show_counts(self, told: Accuracy) -> None:
        """Show these, right ones and wrong ones each in its colour."""
        looks = ("good", "unsure", "junk", "junk", "unsure", "good")
        for cell, count, look in zip(self.cells, (*told.junk, *told.good), looks, strict=True):
            cell.setText(format_count(count))
            cell.setAccessibleName(f"{cell.toolTip()}: {format_count(count)}")
            set_style(cell, "cell", look if count else "empty")
