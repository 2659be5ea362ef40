"""Table of the costs of all mistakes."""

from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QWidget

from nbmail.core.scoring.verdict import Costs
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.labels import plain_label, wrapping_label
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import exact_percent

LARGEST = 1e6


class CostTable(ScrollDialog):
    """Table of the costs of each verdict for spam and for good mail, with the thresholds that
    follow.
    """

    def __init__(self, parent: QWidget, costs: Costs) -> None:
        super().__init__(parent, tr("Costs of mistakes"))
        self.lost, self.missed, self.unsure_ham, self.unsure_spam = fields = [
            QDoubleSpinBox() for _ in range(4)
        ]
        names = (
            tr("good mail, verdict spam"),
            tr("spam, verdict not spam"),
            tr("good mail, unsure"),
            tr("spam, unsure"),
        )
        values = (costs.false_spam, costs.missed_spam, costs.ask, costs.ask + costs.unsure_spam)
        for field, name, value in zip(fields, names, values, strict=True):
            field.setRange(1.0 if field is self.lost else 0.0, LARGEST)
            field.setAccessibleName(name)
            field.setValue(value)
            field.valueChanged.connect(self._show_thresholds)
        self.thresholds = wrapping_label(kind="muted")
        grid = QGridLayout()
        rows = (
            ("", plain_label(tr("spam")), plain_label(tr("good mail"))),
            (tr("verdict spam"), plain_label("0"), self.lost),
            (tr("unsure"), self.unsure_spam, self.unsure_ham),
            (tr("verdict not spam"), self.missed, plain_label("0")),
        )
        for row, (name, *cells) in enumerate(rows):
            grid.addWidget(plain_label(name, "muted"), row, 0)
            for column, cell in enumerate(cells, 1):
                grid.addWidget(cell, row, column)
        about = tr(
            "What each verdict costs. A message gets the verdict with the least expected cost."
        )
        contents = layouts.column(wrapping_label(about), grid, self.thresholds, spacing=12)
        self.set_contents(contents, answer_buttons(self), 420)
        self._show_thresholds()

    def costs(self) -> Costs:
        ask = self.unsure_ham.value()
        more = max(0.0, self.unsure_spam.value() - ask)
        return Costs(self.lost.value(), self.missed.value(), ask, more)

    def _show_thresholds(self) -> None:
        costs = self.costs()
        text = tr("Spam above a chance of {spam}, not spam up to {ham}, unsure between.")
        if costs.ham_below >= costs.spam_from:
            text = tr("Spam above a chance of {spam}, otherwise not spam. No message is unsure.")
        spam, ham = (exact_percent(round(each, 4)) for each in (costs.spam_from, costs.ham_below))
        self.thresholds.setText(text.format(spam=spam, ham=ham))
