"""Methods with their parameters: comparison on the user's own mail, and the choice between them."""

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from nbmail.core.evaluation.tested_models import Candidate, MethodChoice
from nbmail.method_spec import ESTIMATES, METHODS, PARAMETERS, MethodSpec, parameter_choices
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.labels import plain_label, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.accuracy_page import has_own_classes
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.model.model_texts import comparison_text, method_text, share_text
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import exact_percent, number_text
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.context import WindowContext
from nbmail.worker.protocol.quality import Split

MIN_TABLE = 160
"""Minimum height of the table in pixels. In a low window the page scrolls."""


class MethodsPage(ModelPage):
    """All methods, or one with several values of its parameters, with figures after a
    comparison.
    """

    def __init__(self, context: WindowContext, say: Report) -> None:
        super().__init__(context, say)
        self._compared: MethodChoice | None = None
        rates = (
            tr("Accuracy"),
            tr("Arg max"),
            tr("Spam caught"),
            tr("False alarms"),
            tr("Ranking errors"),
        )
        headings = (tr("Method"), *rates)
        widths = (200, 110, 70, 70, 70, 70)
        self.table = TextTable[str](
            headings, widths, 0, tr("Methods"), numbers=range(1, 6), spare=(2, 5)
        )
        self.table.setMinimumHeight(scaled(self, MIN_TABLE))
        self.parameters = ParameterFields()
        self.split = SplitFields()
        all_methods = tr("Testing all methods on your mail…")
        some = tr("Testing parameters on your mail…")
        self.compare = make_button(
            tr("&Compare methods"), lambda: self._compare(self._methods(), all_methods)
        )
        choose = lambda: self._compare(parameter_choices(_name(self.table.selected())), some)  # noqa: E731
        self.choose = make_button(tr("C&hoose parameters for me"), choose)
        self.choose.setToolTip(tr("Tests several values on your own mail and selects the best."))
        self.use = make_button(tr("&Use this method"), self.use_current)
        self.hint = wrapping_label(kind="muted")
        hint = layouts.row(self.hint, margins=(16, 4, 16, 4))
        content = layouts.as_widget(
            layouts.column((self.table, 1), self.parameters, self.split, hint)
        )
        area = layouts.scroll_area(content)
        area.setFocusProxy(self.table)
        buttons = layouts.Flow(self.compare, self.choose, self.use, gap=8)
        footer = layouts.column((buttons, Qt.AlignmentFlag.AlignRight), margins=(16, 10, 16, 10))
        self.lay_out(area, footer)
        self.table.selectionModel().currentRowChanged.connect(self._show_current)
        self.parameters.changed.connect(self._enable)

    def load(self) -> None:
        """Show all methods, one of them with several values of its parameters after they were
        compared.
        """
        known = (
            {each.method: each for each in self._compared.candidates}
            if self._compared is not None
            else {}
        )
        rows = list[TextRow[str]]()
        for method in self._methods():
            compared = [each for each in known if _name(each) == _name(method)]
            is_used = method == self.settings.value.method
            listed = (
                [*compared, method] if is_used and method not in compared else compared or [method]
            )
            rows += [self._row(each, known.get(each)) for each in listed]
        self.table.set_rows(rows)
        text = tr("Each method is trained on your older marked messages and tested on newer ones.")
        if self._compared is not None:
            text = comparison_text(self._compared, method_text(self._compared.best.method))
        self.hint.setText(text)
        self.split.own_classes.setVisible(has_own_classes(self.mails.mail))
        self.show_content()
        self._show_current()

    def _methods(self) -> list[str]:
        """Return all methods, the one in use with its parameters."""
        used = self.settings.value.method
        return [used if _name(used) == name else name for name in METHODS]

    def _row(self, method: str, figures: Candidate | None) -> TextRow[str]:
        name = method_text(method)
        if method == self.settings.value.method:
            name = tr("In use: {method}").format(method=name)
        cells = [""] * 5
        full = [""] * 5
        if figures is not None:
            full = [share_text(each) if each.count else "" for each in figures.rates]
            errors = figures.one_minus_auc
            full.append("" if math.isnan(errors) else exact_percent(round(errors, 4)))
            # Intervals of the others only fit into tooltips.
            cells = [full[0], *(text.partition(" (")[0] for text in full[1:])]
        calibrated = tr(
            "Share of messages whose likelier class, after calibration, is the right one."
        )
        own = tr("Share of messages that the method's own scores put right, before calibration.")
        ranking = tr(
            "Share of pairs in which a good message scored higher than a spam message. Lower "
            "is better."
        )
        more = (calibrated, own, "", "", ranking)
        tips = (join_sentences(cell, text) for cell, text in zip(full, more, strict=True))
        return TextRow((name, *cells), method, (name, *tips))

    def _show_current(self, *_: object) -> None:
        method = self.table.current()
        if method is not None:
            self.parameters.show_method(MethodSpec.parse(method))
        self._enable()

    def _enable(self) -> None:
        listed = self.stack.currentIndex() == 1
        method = self.table.current()
        self.compare.setEnabled(listed)
        self.choose.setEnabled(listed and method is not None and bool(PARAMETERS[_name(method)]))
        chosen = self.parameters.method()
        self.use.setEnabled(
            listed and chosen is not None and str(chosen) != self.settings.value.method
        )

    def _compare(self, methods: Sequence[str], waiting: str) -> None:
        def show(compared: MethodChoice) -> None:
            self._compared = compared
            self.load()
            if _name(methods[0]) == _name(methods[-1]):
                self.table.go_to(
                    [each.method for each in compared.candidates].index(compared.best.method)
                )

        self.request(self.engine.compare_methods(methods, self.split.split()), show, waiting)
        self._enable()

    def use_current(self) -> None:
        """Use the selected method from now on, with the parameters of the fields."""
        method = str(self.parameters.method())
        waiting = tr(
            "Rebuilding the model with the new method. Scores don't change until it is ready."
        )

        def used(_: object) -> None:
            text = tr("nbmail now uses this method: {method}. All scores are updated.")
            self.say(text.format(method=method_text(method)), undo=True)
            if self._compared is not None and method not in [
                each.method for each in self._compared.candidates
            ]:
                self._compared = None
            self.load()

        self.request(self.engine.use_method(method), used, waiting)
        self._enable()


def _name(method: str) -> str:
    return method.partition(" ")[0]


LEAST_BETA = 0.01
MOST_MESSAGES = 99_999
OWN_VALUES = -1.0
"""Value of the field for virtual examples that stands for the number of values of each fact."""


def labelled(text: str, *fields: QWidget) -> QWidget:
    """Return fields in a row behind their label, all of the height of a combo box."""
    for field in fields:
        field.setMinimumHeight(QComboBox().sizeHint().height())
    return layouts.as_widget(
        layouts.row(*((plain_label(text), *fields) if text else fields), spacing=6)
    )


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
        estimates = (tr("mode of the posterior"), "mode"), (tr("mean of the posterior"), "mean")
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
        self.setLayout(
            layouts.row(
                layouts.Flow(*self._rows.values(), self._none, gap=12), margins=(16, 8, 16, 4)
            )
        )
        for field in (self.smoothing, self.a, self.b, self.virtual):
            field.valueChanged.connect(self._change)
        self.estimate.currentIndexChanged.connect(self._change)

    def show_method(self, spec: MethodSpec) -> None:
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
