"""Fields for the parameters of a method, and for the parts of the mail that a comparison uses."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from nbmail.method_spec import ESTIMATES, PARAMETERS, MethodSpec
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import plain_label
from nbmail.worker.protocol.quality import Split

LARGEST = 1000.0
LEAST_BETA = 0.01
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
        defaults = Split()
        self.learn, self.choose = QSpinBox(), QSpinBox()
        self.rest = plain_label("", "muted")
        for field, share, name in (
            (self.learn, defaults.learn, tr("Share to train on")),
            (self.choose, defaults.choose, tr("Share to choose on")),
        ):
            field.setRange(1, 98)
            field.setSuffix("\u202f%")
            field.setValue(round(100 * share))
            field.setAccessibleName(name)
            field.valueChanged.connect(self._fit)
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
        rest, order = labelled("", self.rest), labelled("", self.order, self.seed)
        flow = layouts.Flow(train, choose, rest, order, self.own_classes, gap=8)
        self.setLayout(layouts.row(flow, margins=(16, 4, 16, 8)))
        self._fit()

    def _fit(self) -> None:
        self.choose.setMaximum(99 - self.learn.value())
        rest = 100 - self.learn.value() - self.choose.value()
        self.rest.setText(tr("and test on {share} of your marked messages,").format(share=f"{rest}\u202f%"))
        self.seed.setVisible(self.order.currentIndex() == 1)

    def show_own_classes(self, known: bool) -> None:
        """Offer to test all classes if there are any besides junk and good mail."""
        self.own_classes.setVisible(known)

    def split(self) -> Split:
        seed = self.seed.value() if self.order.currentIndex() == 1 else None
        own_classes = self.own_classes.isChecked() and not self.own_classes.isHidden()
        return Split(self.learn.value() / 100, self.choose.value() / 100, seed, own_classes)
