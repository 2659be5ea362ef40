"""Learning curve of the model: accuracy by the number of marks, drawn on request."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from nbmail.core.evaluation.tested_models import LearningPoint
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.lab.curve_chart import CurveChart
from nbmail.ui.lab.method_texts import method_text
from nbmail.ui.lab.own_classes import OwnClassesBox
from nbmail.ui.list.contents.mail_columns import MailColumns
from nbmail.ui.texts.error_texts import failure_text
from nbmail.ui.texts.language import format_count, tr
from nbmail.worker.protocol.ticket import Failed, Progress, Ticket

Points = tuple[LearningPoint, ...]


class LearningCurve(QWidget):
    """Button that requests the learning curve, and its charts.

    `request` is called with True for all classes. Signals: `appeared()` when charts get visible.
    """

    appeared = Signal()

    def __init__(self, request: Callable[[bool], Ticket[Points]]) -> None:
        super().__init__()
        self._request = request
        self.draw = make_button(tr("&Show learning curve"), self.draw_curve)
        self.own_classes = OwnClassesBox()
        about = tr(
            "Shows how accuracy depends on the number of marks. nbmail tests on the newest "
            "fifth of your marked messages."
        )
        self.text = wrapping_label(about, "muted")
        accuracies = (
            (tr("accuracy on newer mail"), "accent"),
            (tr("on the training mail itself"), "muted"),
        )
        self.accuracy = CurveChart(tr("Accuracy by number of marks"), accuracies)
        rates = (tr("spam caught"), "spam"), (tr("false alarms"), "ham")
        self.rates = CurveChart(tr("Spam caught and false alarms by number of marks"), rates)
        self.accuracy.hide()
        self.rates.hide()
        buttons = layouts.row(self.draw, self.own_classes, None, spacing=12)
        asked = layouts.column(buttons, self.text, spacing=6)
        self.setLayout(layouts.column(asked, self.accuracy, 8, self.rates, spacing=8))

    def show_classes(self, mail: MailColumns) -> None:
        self.own_classes.show_for(mail)

    def draw_curve(self) -> None:
        """Request the learning curve, and draw its points as they arrive."""
        self.text.setText(tr("Calculating the learning curve…"))
        self._request(self.own_classes.is_chosen).then(
            self._show, failed=self._show_failure, progressed=self._extend
        )

    def _show_failure(self, failure: Failed) -> None:
        self.text.setText(failure_text(failure))

    def _extend(self, progress: Progress[Points]) -> None:
        if progress.so_far:
            self._draw_points(progress.so_far)
        if progress.total:
            text = tr("Calculating the learning curve: {done} of {total}")
            done = format_count(progress.done)
            self.text.setText(text.format(done=done, total=format_count(progress.total)))

    def _show(self, points: Sequence[LearningPoint]) -> None:
        self._draw_points(points)
        last = points[-1]
        text = tr(
            "{method}: each point is a model trained on that number of marks and tested on "
            "{count} newer messages."
        )
        count = format_count(last.unseen.accuracy.count)
        self.text.setText(text.format(method=method_text(last.method), count=count))

    def _draw_points(self, points: Sequence[LearningPoint]) -> None:
        self.accuracy.show_points(
            [(each.labels, (each.unseen.accuracy, each.learned)) for each in points]
        )
        self.rates.show_points(
            [(each.labels, (each.unseen.recall, each.unseen.false_positives)) for each in points]
        )
        self.rates.setVisible(points[0].unseen.recall.count > 0)
        if self.accuracy.isHidden():
            self.accuracy.show()
            self.appeared.emit()
