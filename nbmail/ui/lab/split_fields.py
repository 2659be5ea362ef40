"""Fields for the parts of mail that train, choose and test."""

from PySide6.QtWidgets import QCheckBox, QSpinBox, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.labels import plain_label
from nbmail.ui.lab.parameter_fields import labelled
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.quality import Split

MOST_MESSAGES = 99_999


class SplitFields(QWidget):
    """Fields for the parts that train, choose and test, and for their order."""

    def __init__(self) -> None:
        super().__init__()
        self.learn = QSpinBox()
        self.choose = QSpinBox()
        self.test = QSpinBox()
        names = tr("Part to train on"), tr("Part to choose on"), tr("Part to test on")
        for field, name in zip((self.learn, self.choose, self.test), names, strict=True):
            field.setAccessibleName(name)
            field.valueChanged.connect(self._fit)
        self.test.setRange(0, MOST_MESSAGES)
        self.test.setSpecialValueText(tr("all others"))
        self.rest = plain_label("", "muted")
        self.seed = QSpinBox()
        self.unit = combo_of(
            ((tr("percent"), False), (tr("messages"), True)), tr("Unit of the parts")
        )
        self.unit.currentIndexChanged.connect(self._reset)
        self.order = combo_of(((tr("by date"), False), (tr("at random"), True)), tr("Order"))
        self.order.currentIndexChanged.connect(self._fit)
        self.seed.setRange(0, 999_999)
        self.seed.setValue(1)
        self.seed.setPrefix(tr("seed "))
        self.seed.setAccessibleName(tr("Seed of the random order"))
        self.own_classes = QCheckBox(tr("All classes instead of spam and good mail"))
        train = labelled(tr("Train on"), self.learn)
        choose = labelled(tr("choose on"), self.choose)
        rest = labelled("", self.rest, self.test, self.unit)
        order = labelled("", self.order, self.seed)
        flow = layouts.Flow(train, choose, rest, order, self.own_classes, gap=8)
        self.setLayout(layouts.row(flow, margins=(16, 4, 16, 8)))
        self._reset()

    def _reset(self) -> None:
        """Show the sizes of a lecture's exercise: 400, 50 and 50 messages, or the same in
        percent.
        """
        in_messages = bool(self.unit.currentData())
        for field, size in zip(
            (self.learn, self.choose), (400, 50) if in_messages else (80, 10), strict=True
        ):
            field.setRange(1, MOST_MESSAGES if in_messages else 98)
            field.setValue(size)
        self.test.setValue(50)
        self._fit()

    def _fit(self) -> None:
        in_messages = bool(self.unit.currentData())
        self.test.setVisible(in_messages)
        if not in_messages:
            self.choose.setMaximum(99 - self.learn.value())
        rest = "" if in_messages else str(100 - self.learn.value() - self.choose.value())
        self.rest.setText(join_sentences(tr("and test on"), rest))
        self.seed.setVisible(bool(self.order.currentData()))

    def split(self) -> Split:
        seed = self.seed.value() if self.order.currentData() else None
        own_classes = self.own_classes.isChecked() and not self.own_classes.isHidden()
        whole, test = (1, self.test.value()) if self.unit.currentData() else (100, 0)
        return Split(
            self.learn.value() / whole, self.choose.value() / whole, test, seed, own_classes
        )
