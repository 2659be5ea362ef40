"""Fields for the parameters of a method, and for the parts of the mail that a comparison uses."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from nbmail.method_spec import ESTIMATES, PARAMETERS, MethodSpec
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.plain_text import join_sentences, plain_label
from nbmail.worker.protocol.quality import Split

LARGEST = 1000.0
LEAST_BETA = 0.01
MOST_MESSAGES = 99_999
OWN_VALUES = -1.0
"""Value of the field for virtual examples that stands for the number of values of each fact."""


def labelled(text: str, *fields: QWidget) -> QWidget:
    """Return fields in a row behind their label, all of the height of a combo box."""
    for field in fields:
        field.setMinimumHeight(QComboBox().sizeHint().height())
    return layouts.as_widget(layouts.row(*((plain_label(text), *fields) if text else fields), spacing=6))


class NumberField(QDoubleSpinBox):
    """Field of a parameter, without trailing zeros."""

    def __init__(self, name: str, least: float) -> None:
        super().__init__()
        self.setDecimals(6)
        self.setRange(least, LARGEST)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.setAccessibleName(name)

    def textFromValue(self, value: float) -> str:
        return phrases.number_text(value)


class ParameterFields(QWidget):
    """Fields of the parameters of one method. Signals: `changed()` after each change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self.smoothing = NumberField(tr("Smoothing α"), 0.0)
        self.smoothing.setToolTip(tr("Added to the count of each word. 0 is maximum likelihood, 1 is Laplace."))
        self.a, self.b = NumberField(tr("Beta prior a"), LEAST_BETA), NumberField(tr("Beta prior b"), LEAST_BETA)
        self.estimate = QComboBox()
        for text, name in ((tr("mode of the posterior"), "mode"), (tr("mean of the posterior"), "mean")):
            self.estimate.addItem(text, name)
        layouts.name_combo(self.estimate, tr("Estimate"))
        self.virtual = NumberField(tr("Virtual examples m"), OWN_VALUES)
        self.virtual.setSpecialValueText(tr("number of values"))
        self._none = plain_label(tr("This method has no parameters."), "muted")
        self._rows: dict[str, QWidget] = {
            "smoothing": labelled(tr("Smoothing α"), self.smoothing),
            "beta": labelled(tr("Beta prior a, b"), self.a, self.b),
            "estimate": self.estimate,
            "virtual": labelled(tr("Virtual examples m"), self.virtual),
        }
        self.setLayout(layouts.row(layouts.Flow(*self._rows.values(), self._none, gap=12), margins=(16, 8, 16, 4)))
        for field in (self.smoothing, self.a, self.b, self.virtual):
            field.valueChanged.connect(self._change)
        self.estimate.currentIndexChanged.connect(self._change)

    def show_method(self, spec: MethodSpec) -> None:
        """Show the parameters of this method."""
        self._name = ""
        self.smoothing.setValue(spec.smoothing)
        self.estimate.setCurrentIndex(ESTIMATES.index(spec.estimate))
        self._change()
        for field, value in ((self.a, spec.beta[0]), (self.b, spec.beta[1])):
            field.setValue(value)
        self.virtual.setValue(OWN_VALUES if spec.virtual is None else spec.virtual)
        self._name = spec.name
        for name, part in self._rows.items():
            part.setVisible(name in PARAMETERS[spec.name])
        self._none.setVisible(not PARAMETERS[spec.name])

    def _change(self) -> None:
        least = 1.0 if self.estimate.currentData() == "mode" else LEAST_BETA
        self.a.setMinimum(least)
        self.b.setMinimum(least)
        if self._name:
            self.changed.emit()

    def method(self) -> MethodSpec | None:
        """Return the method with the parameters of the fields; None before one is shown."""
        if not self._name:
            return None
        virtual = self.virtual.value()
        values = {
            "smoothing": self.smoothing.value(),
            "beta": (self.a.value(), self.b.value()),
            "estimate": self.estimate.currentData(),
            "virtual": None if virtual < 0 else virtual,
        }
        return MethodSpec(self._name, **{name: values[name] for name in PARAMETERS[self._name]})


class SplitFields(QWidget):
    """Fields for the parts that train, choose and test, and for their order."""

    def __init__(self) -> None:
        super().__init__()
        self.learn, self.choose, self.test = QSpinBox(), QSpinBox(), QSpinBox()
        names = tr("Part to train on"), tr("Part to choose on"), tr("Part to test on")
        for field, name in zip((self.learn, self.choose, self.test), names, strict=True):
            field.setAccessibleName(name)
            field.valueChanged.connect(self._fit)
        self.test.setRange(0, MOST_MESSAGES)
        self.test.setSpecialValueText(tr("all others"))
        self.rest, self.unit = plain_label("", "muted"), QComboBox()
        self.unit.addItems([tr("percent"), tr("messages")])
        layouts.name_combo(self.unit, tr("Unit of the parts"))
        self.unit.currentIndexChanged.connect(self._reset)
        self.order, self.seed = QComboBox(), QSpinBox()
        self.order.addItems([tr("by date"), tr("at random")])
        layouts.name_combo(self.order, tr("Order"))
        self.order.currentIndexChanged.connect(self._fit)
        self.seed.setRange(0, 999_999)
        self.seed.setValue(1)
        self.seed.setPrefix(tr("seed "))
        self.seed.setAccessibleName(tr("Seed of the random order"))
        self.own_classes = QCheckBox(tr("All classes instead of junk and good mail"))
        train, choose = labelled(tr("Train on"), self.learn), labelled(tr("choose on"), self.choose)
        rest, order = labelled("", self.rest, self.test, self.unit), labelled("", self.order, self.seed)
        flow = layouts.Flow(train, choose, rest, order, self.own_classes, gap=8)
        self.setLayout(layouts.row(flow, margins=(16, 4, 16, 8)))
        self._reset()

    @property
    def _in_messages(self) -> bool:
        return self.unit.currentIndex() == 1

    def _reset(self) -> None:
        """Show the sizes of a lecture's exercise: 400, 50 and 50 messages, or the same in percent."""
        sizes = (400, 50) if self._in_messages else (80, 10)
        for field, size in zip((self.learn, self.choose), sizes, strict=True):
            field.setRange(1, MOST_MESSAGES if self._in_messages else 98)
            field.setValue(size)
        self.test.setValue(50)
        self._fit()

    def _fit(self) -> None:
        self.test.setVisible(self._in_messages)
        if not self._in_messages:
            self.choose.setMaximum(99 - self.learn.value())
        rest = "" if self._in_messages else str(100 - self.learn.value() - self.choose.value())
        self.rest.setText(join_sentences(tr("and test on"), rest))
        self.seed.setVisible(self.order.currentIndex() == 1)

    def show_own_classes(self, known: bool) -> None:
        """Offer to test all classes if there are any besides junk and good mail."""
        self.own_classes.setVisible(known)

    def split(self) -> Split:
        seed = self.seed.value() if self.order.currentIndex() == 1 else None
        own_classes = self.own_classes.isChecked() and not self.own_classes.isHidden()
        whole, test = (1, self.test.value()) if self._in_messages else (100, 0)
        return Split(self.learn.value() / whole, self.choose.value() / whole, test, seed, own_classes)
