"""Table of the costs of all mistakes."""

from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QWidget

from nbmail.core.scoring.verdict import Costs
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.plain_labels import plain_label, wrapping_label
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import exact_percent

LARGEST = 1e6


class CostTable(ScrollDialog):
    """Costs of each verdict for spam and for good mail, with the thresholds that follow."""

    def __init__(self, parent: QWidget, costs: Costs) -> None:
        super().__init__(parent, tr("Costs of mistakes"))
        self.lost = self._field(tr("good mail, verdict spam"), costs.false_spam, least=1.0)
        self.missed = self._field(tr("spam, verdict not spam"), costs.missed_spam)
        self.unsure_ham = self._field(tr("good mail, unsure"), costs.ask)
        self.unsure_spam = self._field(tr("spam, unsure"), costs.ask + costs.unsure_spam)
        self.thresholds = wrapping_label(kind="muted")
        about = tr(
            "What each verdict costs. A message gets the verdict with the least expected cost."
        )
        contents = layouts.column(wrapping_label(about), self._grid(), self.thresholds, spacing=12)
        self.set_contents(contents, answer_buttons(self), 420)
        self._show_thresholds()

    def _field(self, name: str, value: float, *, least: float = 0.0) -> QDoubleSpinBox:
        field = QDoubleSpinBox()
        field.setRange(least, LARGEST)
        field.setAccessibleName(name)
        field.setValue(value)
        field.valueChanged.connect(self._show_thresholds)
        return field

    def _grid(self) -> QGridLayout:
        """Return the table: a row for each verdict, a column for spam and one for good mail."""
        rows = (
            ("", plain_label(tr("spam")), plain_label(tr("good mail"))),
            (tr("verdict spam"), plain_label("0"), self.lost),
            (tr("unsure"), self.unsure_spam, self.unsure_ham),
            (tr("verdict not spam"), self.missed, plain_label("0")),
        )
        grid = QGridLayout()
        for row, (name, spam, ham) in enumerate(rows):
            grid.addWidget(plain_label(name, "muted"), row, 0)
            grid.addWidget(spam, row, 1)
            grid.addWidget(ham, row, 2)
        return grid

    def costs(self) -> Costs:
        ask = self.unsure_ham.value()
        more = max(0.0, self.unsure_spam.value() - ask)
        return Costs(self.lost.value(), self.missed.value(), ask, more)

    def _show_thresholds(self) -> None:
        costs = self.costs()
        text = tr("Spam above a chance of {spam}, not spam up to {ham}, unsure between.")
        if costs.ham_below >= costs.spam_from:
            text = tr("Spam above a chance of {spam}, otherwise not spam. No message is unsure.")
        spam = exact_percent(round(costs.spam_from, 4))
        ham = exact_percent(round(costs.ham_below, 4))
        self.thresholds.setText(text.format(spam=spam, ham=ham))
