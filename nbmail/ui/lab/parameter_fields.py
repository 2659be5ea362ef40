"""Fields of the parameters of a method."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QWidget

from nbmail.method_spec import ESTIMATES, PARAMETERS, MethodSpec
from nbmail.ui.kit import layouts
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import number_text

LEAST_BETA = 0.01
OWN_VALUES = -1.0
"""Value of the field for virtual examples that stands for the number of values of each fact."""


def labelled(text: str, *fields: QWidget) -> QWidget:
    """Return fields in a row behind their label, all of the height of a combo box."""
    height = QComboBox().sizeHint().height()
    for field in fields:
        field.setMinimumHeight(height)
    parts = (plain_label(text), *fields) if text else fields
    return layouts.as_widget(layouts.row(*parts, spacing=6))


class NumberField(QDoubleSpinBox):
    """Field of a parameter, without trailing zeros."""

    def __init__(self, name: str, least: float) -> None:
        super().__init__()
        self.setDecimals(6)
        self.setRange(least, 1000.0)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.setAccessibleName(name)

    def textFromValue(self, value: float) -> str:
        return number_text(value)


class ParameterFields(QWidget):
    """Fields of the parameters of one method. Signals: `changed()` after each change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self.smoothing = NumberField(tr("Smoothing α"), 0.0)
        self.smoothing.setToolTip(
            tr("Added to the count of each word. 0 is maximum likelihood, 1 is Laplace.")
        )
        self.a = NumberField(tr("Beta prior a"), LEAST_BETA)
        self.b = NumberField(tr("Beta prior b"), LEAST_BETA)
        estimates = (
            (tr("mode of the posterior"), "mode"),
            (tr("mean of the posterior"), "mean"),
        )
        self.estimate = combo_of(estimates, tr("Estimate"))
        self.virtual = NumberField(tr("Virtual examples m"), OWN_VALUES)
        self.virtual.setSpecialValueText(tr("number of values"))
        self._none = plain_label(tr("This method has no parameters."), "muted")
        self._rows: dict[str, QWidget] = {
            "smoothing": labelled(tr("Smoothing α"), self.smoothing),
            "beta": labelled(tr("Beta prior a, b"), self.a, self.b),
            "estimate": self.estimate,
            "virtual": labelled(tr("Virtual examples m"), self.virtual),
        }
        flow = layouts.Flow(*self._rows.values(), self._none, gap=12)
        self.setLayout(layouts.row(flow, margins=(16, 8, 16, 4)))
        for field in (self.smoothing, self.a, self.b, self.virtual):
            field.valueChanged.connect(self._change)
        self.estimate.currentIndexChanged.connect(self._change)

    def show_method(self, spec: MethodSpec) -> None:
        """Show the parameters of a method. `changed` is not emitted meanwhile."""
        self._name = ""
        self.smoothing.setValue(spec.smoothing)
        # The estimate sets the minimum of a and b.
        self.estimate.setCurrentIndex(ESTIMATES.index(spec.estimate))
        self._change()
        a, b = spec.beta
        self.a.setValue(a)
        self.b.setValue(b)
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
        used = {name: values[name] for name in PARAMETERS[self._name]}
        return MethodSpec(self._name, **used)
