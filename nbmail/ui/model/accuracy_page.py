"""Page of the model's accuracy on the user's marked messages."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from nbmail.core.evaluation.tested_models import LearningPoint
from nbmail.core.scoring.verdict import Costs
from nbmail.ui.dialogs.cost_setting import CostSetting
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.lab.learning_curve import LearningCurve
from nbmail.ui.model.mistakes_window import show_mistakes
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.model.reliability_chart import ReliabilityChart
from nbmail.ui.model.results_table import ResultsTable
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.quality import Accuracy
from nbmail.worker.protocol.ticket import Ticket

TWO_COLUMNS = 560
"""Minimum width in pixels for the results and the chart side by side."""


class AccuracyPage(ModelPage):
    """Accuracy of models that had not learned the tested message, and the costs of mistakes."""

    follows = True

    def __init__(self, context: WindowContext, say: Report) -> None:
        super().__init__(context, say)
        self.summary = wrapping_label(kind="title")
        self.results = ResultsTable()
        self.reliability = ReliabilityChart()
        self.false_alarms = quiet_button("", lambda: self._show_mistakes(spam=False), flush=True)
        self.false_alarms.setAutoDefault(False)
        self.missed = quiet_button("", lambda: self._show_mistakes(spam=True), flush=True)
        self.missed.setAutoDefault(False)
        costs = Costs(*self.settings.value.costs)
        self.cost = CostSetting(costs, self.mails.mail.count_above, names_tested=False)
        self.cost.tested.connect(self.summary.setText)
        self.cost.changed.connect(self._change_cost)
        self.learning_curve = LearningCurve(self._request_curve)
        self.learning_curve.appeared.connect(self._scroll_to_end)
        self._fill_page()

    def _fill_page(self) -> None:
        mistakes = layouts.Flow(self.false_alarms, self.missed, gap=12)
        results_title = wrapping_label(tr("Results"), "title")
        left = layouts.column(results_title, self.results, mistakes, None, spacing=8)
        chart_title = wrapping_label(tr("Predicted and actual"), "title")
        right = layouts.column(chart_title, (self.reliability, 1), spacing=8)
        self._columns = layouts.row(left, right, spacing=24)
        self._columns.setStretch(0, 1)
        self._columns.setStretch(1, 1)
        contents = layouts.column(
            self.summary,
            6,
            self._columns,
            8,
            self.cost,
            12,
            self.learning_curve,
            None,
            spacing=8,
            margins=(20, 18, 20, 16),
        )
        self.area = layouts.scroll_area(layouts.as_widget(contents))
        self.lay_out(self.area)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() >= scaled(self, TWO_COLUMNS):
            self._columns.setDirection(QBoxLayout.Direction.LeftToRight)
        else:
            self._columns.setDirection(QBoxLayout.Direction.TopToBottom)

    def load(self) -> None:
        self.cost.show_costs(Costs(*self.settings.value.costs))
        self.learning_curve.show_classes(self.mails.mail)
        self.request(
            self.engine.measure_accuracy(), self._show, tr("Measuring accuracy…"), keep=True
        )

    def _show(self, accuracy: Accuracy) -> None:
        self.cost.show_tested(accuracy.spam_chances, accuracy.ham_chances)
        self.results.show_counts(accuracy)
        self.reliability.show_bins(accuracy.reliability)
        lost = accuracy.ham[0]
        missed = accuracy.spam[2]
        self.false_alarms.setText(tr_count("Show %n false alarm", "Show %n false alarms", lost))
        self.false_alarms.setVisible(lost > 0)
        self.missed.setText(
            tr_count("Show %n missed spam message", "Show %n missed spam messages", missed)
        )
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

    def _request_curve(self, own_classes: bool) -> Ticket[tuple[LearningPoint, ...]]:
        """Request the learning curve. A request that is still running is dropped."""
        return self.keep_latest("curve", self.engine.draw_learning_curve(own_classes))

    def _scroll_to_end(self) -> None:
        """Scroll to the charts as soon as they are laid out."""
        bar = self.area.verticalScrollBar()
        once = Qt.ConnectionType.SingleShotConnection
        bar.rangeChanged.connect(lambda _, most: bar.setValue(most), once)
