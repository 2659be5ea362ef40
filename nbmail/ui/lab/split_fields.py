"""Fields for the parts of mail that train, choose and test."""

from PySide6.QtWidgets import QSpinBox, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.lab.own_classes import OwnClassesBox
from nbmail.ui.lab.parameter_fields import labelled
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.quality import Split

MOST_MESSAGES = 99_999
LEARN_MESSAGES = 400
CHOOSE_MESSAGES = 50
TEST_MESSAGES = 50
"""Messages of each part in the lecture's exercise."""
LEARN_PERCENT = 80
CHOOSE_PERCENT = 10
"""The same in percent. All other messages are tested."""


class SplitFields(QWidget):
    """Fields for the parts that train, choose and test, and for their order."""

    def __init__(self) -> None:
        super().__init__()
        self.learn = self._part_field(tr("Part to train on"))
        self.choose = self._part_field(tr("Part to choose on"))
        self.test = self._part_field(tr("Part to test on"))
        self.test.setRange(0, MOST_MESSAGES)
        self.test.setSpecialValueText(tr("all others"))
        self.rest = plain_label("", "muted")
        units = ((tr("percent"), False), (tr("messages"), True))
        self.unit = combo_of(units, tr("Unit of the parts"))
        self.unit.currentIndexChanged.connect(self._reset)
        orders = ((tr("by date"), False), (tr("at random"), True))
        self.order = combo_of(orders, tr("Order"))
        self.order.currentIndexChanged.connect(self._fit)
        self.seed = QSpinBox()
        self.seed.setRange(0, 999_999)
        self.seed.setValue(1)
        self.seed.setPrefix(tr("seed "))
        self.seed.setAccessibleName(tr("Seed of the random order"))
        self.own_classes = OwnClassesBox()
        self._lay_out()
        self._reset()

    def _part_field(self, name: str) -> QSpinBox:
        field = QSpinBox()
        field.setAccessibleName(name)
        field.valueChanged.connect(self._fit)
        return field

    def _lay_out(self) -> None:
        flow = layouts.Flow(
            labelled(tr("Train on"), self.learn),
            labelled(tr("choose on"), self.choose),
            labelled("", self.rest, self.test, self.unit),
            labelled("", self.order, self.seed),
            self.own_classes,
            gap=8,
        )
        self.setLayout(layouts.row(flow, margins=(16, 4, 16, 8)))

    @property
    def _in_messages(self) -> bool:
        return bool(self.unit.currentData())

    def _reset(self) -> None:
        """Show the sizes of the lecture's exercise in messages, or the same in percent."""
        most = MOST_MESSAGES if self._in_messages else 98
        self.learn.setRange(1, most)
        self.learn.setValue(LEARN_MESSAGES if self._in_messages else LEARN_PERCENT)
        self.choose.setRange(1, most)
        self.choose.setValue(CHOOSE_MESSAGES if self._in_messages else CHOOSE_PERCENT)
        self.test.setValue(TEST_MESSAGES)
        self._fit()

    def _fit(self) -> None:
        """Show the fields that apply. The parts in percent leave at least one for the test."""
        self.test.setVisible(self._in_messages)
        rest = ""
        if not self._in_messages:
            self.choose.setMaximum(99 - self.learn.value())
            rest = str(100 - self.learn.value() - self.choose.value())
        self.rest.setText(join_sentences(tr("and test on"), rest))
        self.seed.setVisible(bool(self.order.currentData()))

    def split(self) -> Split:
        """Return the parts: in messages, or as shares of all with 0 messages to test."""
        whole = 1 if self._in_messages else 100
        return Split(
            self.learn.value() / whole,
            self.choose.value() / whole,
            self.test.value() if self._in_messages else 0,
            self.seed.value() if self.order.currentData() else None,
            self.own_classes.is_chosen,
        )
