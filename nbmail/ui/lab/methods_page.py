"""Page of the methods: comparison on the user's own mail, and the choice between them."""

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt

from nbmail.core.evaluation.tested_models import Candidate, MethodChoice
from nbmail.method_spec import METHODS, PARAMETERS, MethodSpec, parameter_choices
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.lab.comparison_texts import comparison_text
from nbmail.ui.lab.method_texts import method_text
from nbmail.ui.lab.parameter_fields import ParameterFields
from nbmail.ui.lab.split_fields import SplitFields
from nbmail.ui.model.accuracy_texts import share_text
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import exact_percent
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext

LEAST_TABLE = 160
"""Minimum height of the table in pixels. In a low window the page scrolls."""


class MethodsPage(ModelPage):
    """All methods, or one with several values of its parameters; with figures once compared."""

    def __init__(self, context: WindowContext, say: Report) -> None:
        super().__init__(context, say)
        self._compared: MethodChoice | None = None
        self._make_table()
        self.parameters = ParameterFields()
        self.parameters.changed.connect(self._enable)
        self.split = SplitFields()
        self.compare = make_button(tr("&Compare methods"), self._compare_methods)
        self.choose = make_button(tr("C&hoose parameters for me"), self._compare_parameters)
        self.choose.setToolTip(tr("Tests several values on your own mail and selects the best."))
        self.use = make_button(tr("&Use this method"), self.use_current)
        self.hint = wrapping_label(kind="muted")
        self._fill_page()

    def _make_table(self) -> None:
        headings = (
            tr("Method"),
            tr("Accuracy"),
            tr("Arg max"),
            tr("Spam caught"),
            tr("False alarms"),
            tr("Ranking errors"),
        )
        widths = (200, 110, 70, 70, 70, 70)
        self.table = TextTable[str](
            headings, widths, 0, tr("Methods"), numbers=range(1, 6), spare=(2, 5)
        )
        self.table.setMinimumHeight(scaled(self, LEAST_TABLE))
        self.table.selectionModel().currentRowChanged.connect(self._show_current)

    def _fill_page(self) -> None:
        hint = layouts.row(self.hint, margins=(16, 4, 16, 4))
        content = layouts.column((self.table, 1), self.parameters, self.split, hint)
        area = layouts.scroll_area(layouts.as_widget(content))
        area.setFocusProxy(self.table)
        buttons = layouts.Flow(self.compare, self.choose, self.use, gap=8)
        right = Qt.AlignmentFlag.AlignRight
        footer = layouts.column((buttons, right), margins=(16, 10, 16, 10))
        self.lay_out(area, footer)

    # ---------------------------------------------------------------------------------------------
    # the methods

    def load(self) -> None:
        """Show all methods, one of them with several values of its parameters once compared."""
        candidates = self._compared.candidates if self._compared is not None else ()
        figures = {each.method: each for each in candidates}
        rows = []
        for method in self._methods():
            for listed in self._listed(method, [*figures]):
                rows.append(self._row(listed, figures.get(listed)))
        self.table.set_rows(rows)

        text = tr("Each method is trained on your older marked messages and tested on newer ones.")
        if self._compared is not None:
            text = comparison_text(self._compared, method_text(self._compared.best.method))
        self.hint.setText(text)
        self.split.own_classes.show_for(self.mails.mail)
        self.show_content()
        self._show_current()

    def _methods(self) -> list[str]:
        """Return all methods, the one in use with its parameters."""
        used = self.settings.value.method
        return [used if _name(used) == name else name for name in METHODS]

    def _listed(self, method: str, compared: Sequence[str]) -> list[str]:
        """Return the compared parameters of a method, and the parameters in use."""
        listed = [each for each in compared if _name(each) == _name(method)]
        is_used = method == self.settings.value.method
        if not listed or (is_used and method not in listed):
            listed.append(method)
        return listed

    def _row(self, method: str, figures: Candidate | None) -> TextRow[str]:
        name = method_text(method)
        if method == self.settings.value.method:
            name = tr("In use: {method}").format(method=name)
        full = [""] * 5
        cells = [""] * 5
        if figures is not None:
            full = _figure_texts(figures)
            # Intervals of the others only fit into tooltips.
            cells = [full[0], *(text.partition(" (")[0] for text in full[1:])]
        meanings = _figure_meanings()
        tips = [join_sentences(*texts) for texts in zip(full, meanings, strict=True)]
        return TextRow((name, *cells), method, (name, *tips))

    def _show_current(self, *_: object) -> None:
        method = self.table.current()
        if method is not None:
            self.parameters.show_method(MethodSpec.parse(method))
        self._enable()

    def _enable(self) -> None:
        listed = self.stack.currentIndex() == 1
        method = self.table.current()
        has_parameters = method is not None and bool(PARAMETERS[_name(method)])
        chosen = self.parameters.method()
        is_other = chosen is not None and str(chosen) != self.settings.value.method
        self.compare.setEnabled(listed)
        self.choose.setEnabled(listed and has_parameters)
        self.use.setEnabled(listed and is_other)

    # ---------------------------------------------------------------------------------------------
    # comparison

    def _compare_methods(self) -> None:
        self._compare(self._methods(), tr("Testing all methods on your mail…"), self._show_compared)

    def _compare_parameters(self) -> None:
        methods = parameter_choices(_name(self.table.selected()))
        self._compare(methods, tr("Testing parameters on your mail…"), self._show_best)

    def _compare(
        self, methods: Sequence[str], waiting: str, show: Callable[[MethodChoice], None]
    ) -> None:
        self.request(self.engine.compare_methods(methods, self.split.split()), show, waiting)
        self._enable()

    def _show_compared(self, compared: MethodChoice) -> None:
        self._compared = compared
        self.load()

    def _show_best(self, compared: MethodChoice) -> None:
        """Show compared parameters, and select the best."""
        self._show_compared(compared)
        methods = [each.method for each in compared.candidates]
        self.table.go_to(methods.index(compared.best.method))

    # ---------------------------------------------------------------------------------------------
    # the method in use

    def use_current(self) -> None:
        """Use the selected method from now on, with the parameters of the fields."""
        method = str(self.parameters.method())
        waiting = tr(
            "Rebuilding the model with the new method. Scores don't change until it is ready."
        )
        self.request(self.engine.use_method(method), lambda _: self._show_used(method), waiting)
        self._enable()

    def _show_used(self, method: str) -> None:
        text = tr("nbmail now uses this method: {method}. All scores are updated.")
        self.say(text.format(method=method_text(method)), undo=True)
        candidates = self._compared.candidates if self._compared is not None else ()
        if method not in [each.method for each in candidates]:
            self._compared = None
        self.load()


def _name(method: str) -> str:
    """Return the name of a method without its parameters."""
    return method.partition(" ")[0]


def _figure_texts(figures: Candidate) -> list[str]:
    """Return the figures of a method with their intervals, empty for those without messages."""
    texts = [share_text(each) if each.count else "" for each in figures.rates]
    errors = figures.one_minus_auc
    texts.append("" if math.isnan(errors) else exact_percent(round(errors, 4)))
    return texts


def _figure_meanings() -> tuple[str, ...]:
    """Return what each figure means, empty where the heading says so."""
    calibrated = tr("Share of messages whose likelier class, after calibration, is the right one.")
    own = tr("Share of messages that the method's own scores put right, before calibration.")
    ranking = tr(
        "Share of pairs in which a good message scored higher than a spam message. Lower is better."
    )
    return (calibrated, own, "", "", ranking)
