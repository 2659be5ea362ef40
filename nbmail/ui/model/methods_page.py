"""Methods with their parameters: comparison on the user's own mail, and the choice between them."""

from collections.abc import Sequence

from PySide6.QtCore import Qt

from nbmail.method_spec import METHODS, PARAMETERS, MethodSpec, parameter_choices
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.plain_text import join_sentences, wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.accuracy_page import has_own_classes
from nbmail.ui.model.method_fields import ParameterFields, SplitFields
from nbmail.ui.model.model_page import ModelPage, PageContext
from nbmail.ui.model.model_texts import comparison_text, method_text, share_text
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import make_button
from nbmail.worker.protocol.quality import MethodComparison, MethodFigures

MIN_TABLE = 160
"""Minimum height of the table in pixels. In a low window the page scrolls."""


class MethodsPage(ModelPage):
    """All methods, or one with several values of its parameters, with figures after a comparison."""

    def __init__(self, context: PageContext, settings: CurrentSettings) -> None:
        super().__init__(context)
        self._settings = settings
        self._compared: MethodComparison | None = None
        rates = (tr("Accuracy"), tr("Arg max"), tr("Junk caught"), tr("False alarms"), tr("Ranking errors"))
        self.table: TextTable[str] = TextTable(
            (tr("Method"), *rates), (200, 110, 70, 70, 70, 70), 0, tr("Methods"), numbers=(1, 2, 3, 4, 5), spare=(2, 5)
        )
        self.table.setMinimumHeight(scaled(self, MIN_TABLE))
        self.parameters, self.split = ParameterFields(), SplitFields()
        self.compare = make_button(tr("&Compare methods"), self.compare_all)
        self.choose = make_button(tr("C&hoose parameters for me"), self.choose_parameters)
        self.choose.setToolTip(tr("Tests several values on your own mail and selects the best."))
        self.use = make_button(tr("&Use this method"), self.use_current)
        self.hint = wrapping_label(kind="muted")
        hint = layouts.row(self.hint, margins=(16, 4, 16, 4))
        content = layouts.as_widget(layouts.column((self.table, 1), self.parameters, self.split, hint))
        area = layouts.scroll_area(content)
        area.setFocusProxy(self.table)
        self.stack.addWidget(area)
        buttons = layouts.Flow(self.compare, self.choose, self.use, gap=8)
        footer = layouts.column((buttons, Qt.AlignmentFlag.AlignRight), margins=(16, 10, 16, 10))
        self.setLayout(layouts.column((self.stack, 1), footer))
        self.table.selectionModel().currentRowChanged.connect(self._show_current)
        self.parameters.changed.connect(self._enable)

    def load(self) -> None:
        """Show all methods, one of them with several values of its parameters after they were compared."""
        known = {each.method: each for each in self._compared.methods} if self._compared is not None else {}
        rows = list[TextRow[str]]()
        for method in self._methods():
            compared = [each for each in known if _name(each) == _name(method)]
            is_used = method == self._settings.value.method
            listed = [*compared, method] if is_used and method not in compared else compared or [method]
            rows += [self._row(each, known.get(each)) for each in listed]
        self.table.set_rows(rows)
        text = tr("Each method is trained on your older marked messages and tested on newer ones.")
        if self._compared is not None:
            text = comparison_text(self._compared, method_text(self._compared.best.method))
        self.hint.setText(text)
        self.split.show_own_classes(has_own_classes(self.mails.mail))
        self.show_content()
        self._show_current()

    def _methods(self) -> list[str]:
        """Return all methods, the one in use with its parameters."""
        used = self._settings.value.method
        return [used if _name(used) == name else name for name in METHODS]

    def _row(self, method: str, figures: MethodFigures | None) -> TextRow[str]:
        name = method_text(method)
        if method == self._settings.value.method:
            name = tr("In use: {method}").format(method=name)
        cells, full = [""] * 5, [""] * 5
        if figures is not None:
            rates = (figures.test.accuracy, figures.test.arg_max, figures.test.recall, figures.test.false_positives)
            full = [share_text(each) if each.count else "" for each in rates]
            junk = figures.test.recall.count > 0
            full.append(phrases.exact_percent(round(figures.one_minus_auc / 100, 4)) if junk else "")
            # Intervals of the others only fit into tooltips.
            cells = [full[0], *(text.partition(" (")[0] for text in full[1:])]
        calibrated = tr("Share of messages whose likelier class, after calibration, is the right one.")
        own = tr("Share of messages that the method's own scores put right, before calibration.")
        ranking = tr("Share of pairs in which a good message scored higher than a junk message. Lower is better.")
        more = (calibrated, own, "", "", ranking)
        tips = (join_sentences(cell, text) for cell, text in zip(full, more, strict=True))
        return TextRow((name, *cells), method, (name, *tips))

    def _show_current(self, *_: object) -> None:
        method = self.table.current()
        if method is not None:
            self.parameters.show_method(MethodSpec.parse(method))
        self._enable()

    def _enable(self) -> None:
        listed, method = self.stack.currentIndex() == 1, self.table.current()
        self.compare.setEnabled(listed)
        self.choose.setEnabled(listed and method is not None and bool(PARAMETERS[_name(method)]))
        chosen = self.parameters.method()
        self.use.setEnabled(listed and chosen is not None and str(chosen) != self._settings.value.method)

    def compare_all(self) -> None:
        self._compare(self._methods(), tr("Testing all methods on your mail…"))

    def choose_parameters(self) -> None:
        """Test the values of the selected method's parameters, and select the best."""
        self._compare(parameter_choices(_name(self.table.selected())), tr("Testing parameters on your mail…"))

    def _compare(self, methods: Sequence[str], waiting: str) -> None:
        split = self.split.split()
        self.request(lambda: self.engine.compare_methods(methods, split), self._take, waiting)
        self._enable()

    def _take(self, compared: MethodComparison) -> None:
        self._compared = compared
        self.load()
        if _name(compared.methods[0].method) == _name(compared.methods[-1].method):
            self.table.go_to([each.method for each in compared.methods].index(compared.best.method))

    def use_current(self) -> None:
        """Use the selected method from now on, with the parameters of the fields."""
        method = str(self.parameters.method())
        waiting = tr("Rebuilding the model with the new method. Scores don't change until it is ready.")
        self.request(lambda: self.engine.use_method(method), lambda _: self._used(method), waiting)
        self._enable()

    def _used(self, method: str) -> None:
        text = tr("nbmail now uses this method: {method}. All scores are updated.")
        self.say(text.format(method=method_text(method)), undo=True)
        if self._compared is not None and method not in [each.method for each in self._compared.methods]:
            self._compared = None
        self.load()


def _name(method: str) -> str:
    return method.partition(" ")[0]
