"""Page of the model's accuracy on the user's marked messages."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox

from nbmail.core.evaluation.tested_models import LearningPoint
from nbmail.core.scoring.verdict import Costs
from nbmail.ui.dialogs.cost_setting import CostSetting
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button, quiet_button
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.lab.curve_chart import CurveChart
from nbmail.ui.lab.method_texts import method_text
from nbmail.ui.lab.own_classes import has_own_classes
from nbmail.ui.model.accuracy_texts import headline_text
from nbmail.ui.model.mistakes_window import show_mistakes
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.model.reliability_chart import ReliabilityChart
from nbmail.ui.model.results_table import ResultsTable
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.failure_texts import failure_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.window.context import WindowContext
from nbmail.worker.protocol.quality import Accuracy
from nbmail.worker.protocol.ticket import Progress

TWO_COLUMNS = 560
"""Minimum width in pixels for the results and the chart side by side."""


class AccuracyPage(ModelPage):
    """Accuracy of models that had not learned the tested message, with the setting that it depends
    on.
    """

    follows = True

    def __init__(self, context: WindowContext, say: Report) -> None:
        super().__init__(context, say)
        self.summary = wrapping_label(kind="title")
        self.results = ResultsTable()
        self.reliability = ReliabilityChart()
        rates = (tr("spam caught"), "spam"), (tr("false alarms"), "ham")
        self.curve = CurveChart(tr("Spam caught and false alarms by number of marks"), rates)
        accuracies = (
            (tr("accuracy on newer mail"), "accent"),
            (tr("on the training mail itself"), "muted"),
        )
        self.accuracy_curve = CurveChart(tr("Accuracy by number of marks"), accuracies)
        self.own_classes = QCheckBox(tr("All classes instead of spam and good mail"))
        self.false_alarms = quiet_button("", lambda: self._show_mistakes(spam=False), flush=True)
        self.missed = quiet_button("", lambda: self._show_mistakes(spam=True), flush=True)
        for button in (self.false_alarms, self.missed):
            button.setAutoDefault(False)
        self.cost = CostSetting(Costs(*self.settings.value.costs), self.mails.mail.count_above)
        self.cost.changed.connect(self._change_cost)
        self.draw = make_button(tr("&Show learning curve"), self.draw_curve)
        self.curve_text = wrapping_label(
            tr(
                "Shows how accuracy depends on the number of marks. nbmail tests on the "
                "newest fifth of your "
                "marked messages."
            ),
            "muted",
        )
        mistakes = layouts.Flow(self.false_alarms, self.missed, gap=12)
        left = layouts.column(
            wrapping_label(tr("Results"), "title"), self.results, mistakes, None, spacing=8
        )
        right = layouts.column(
            wrapping_label(tr("Predicted and actual"), "title"), (self.reliability, 1), spacing=8
        )
        self._columns = layouts.row(left, right, spacing=24)
        self._columns.setStretch(0, 1)
        self._columns.setStretch(1, 1)
        asked = layouts.row(self.draw, self.own_classes, None, spacing=12)
        curve = layouts.column(asked, self.curve_text, spacing=6)
        parts = (
            self.summary,
            6,
            self._columns,
            8,
            self.cost,
            12,
            curve,
            self.accuracy_curve,
            8,
            self.curve,
            None,
        )
        content = layouts.as_widget(layouts.column(*parts, spacing=8, margins=(20, 18, 20, 16)))
        self.curve.hide()
        self.accuracy_curve.hide()
        self.area = layouts.scroll_area(content)
        self.lay_out(self.area)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= scaled(self, TWO_COLUMNS)
        directions = QBoxLayout.Direction
        self._columns.setDirection(directions.LeftToRight if wide else directions.TopToBottom)

    def load(self) -> None:
        self.cost.show_costs(Costs(*self.settings.value.costs))
        self.own_classes.setVisible(has_own_classes(self.mails.mail))
        self.request(
            self.engine.measure_accuracy(), self._show, tr("Measuring accuracy…"), keep=True
        )

    def _show(self, accuracy: Accuracy) -> None:
        self.summary.setText(headline_text(accuracy.recall, accuracy.false_positives))
        self.cost.show_tested(accuracy.spam_chances, accuracy.ham_chances)
        self.results.show_counts(accuracy)
        self.reliability.show_bins(accuracy.reliability)
        lost = accuracy.ham[0]
        missed = accuracy.spam[2]
        self.false_alarms.setText(tr_count("Show %n false alarm", "Show %n false alarms", lost))
        self.missed.setText(
            tr_count("Show %n missed spam message", "Show %n missed spam messages", missed)
        )
        self.false_alarms.setVisible(lost > 0)
        self.missed.setVisible(missed > 0)
        self.show_content()

    def _change_cost(self, costs: Costs) -> None:
        self.settings.change(self.settings.value.with_costs(costs.values))
        self.say(tr("Costs changed."), undo=True)
        self.load()

    def _show_mistakes(self, *, spam: bool) -> None:
        self.engine.report_training().then(
            lambda report: show_mistakes(self, report, self.mail_table, spam=spam)
        )

    # ---------------------------------------------------------------------------------------------
    # learning curve

    def draw_curve(self) -> None:
        """Request the learning curve, and draw its points as they arrive."""
        self.curve_text.setText(tr("Calculating the learning curve…"))
        self.keep_latest(
            "curve", self.engine.draw_learning_curve(self.own_classes.isChecked())
        ).then(
            self._show_curve,
            failed=lambda failure: self.curve_text.setText(failure_text(failure)),
            progressed=self._extend_curve,
        )

    def _extend_curve(self, progress: Progress[tuple[LearningPoint, ...]]) -> None:
        if progress.so_far:
            self._draw_points(progress.so_far)
        if progress.total:
            text = tr("Calculating the learning curve: {done} of {total}")
            self.curve_text.setText(
                text.format(done=format_count(progress.done), total=format_count(progress.total))
            )

    def _show_curve(self, points: Sequence[LearningPoint]) -> None:
        self._draw_points(points)
        text = tr(
            "{method}: each point is a model trained on that number of marks and tested on "
            "{count} newer messages."
        )
        tested = format_count(points[-1].unseen.accuracy.count)
        self.curve_text.setText(text.format(method=method_text(points[-1].method), count=tested))

    def _draw_points(self, points: Sequence[LearningPoint]) -> None:
        self.accuracy_curve.show_points(
            [(each.labels, (each.unseen.accuracy, each.learned)) for each in points]
        )
        rates = [
            (each.labels, (each.unseen.recall, each.unseen.false_positives)) for each in points
        ]
        self.curve.show_points(rates)
        self.curve.setVisible(points[0].unseen.recall.count > 0)
        if self.accuracy_curve.isHidden():
            self.accuracy_curve.show()
            bar = self.area.verticalScrollBar()
            bar.rangeChanged.connect(
                lambda _, most: bar.setValue(most), Qt.ConnectionType.SingleShotConnection
            )
