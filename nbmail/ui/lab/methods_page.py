"""Page of the methods: comparison on the user's own mail, and the choice between them."""

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt

from nbmail.core.evaluation.tested_models import Candidate, MethodChoice
from nbmail.method_spec import METHODS, PARAMETERS, MethodSpec, parameter_choices
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.lab.method_texts import comparison_text, method_text
from nbmail.ui.lab.own_classes import has_own_classes
from nbmail.ui.lab.parameter_fields import ParameterFields
from nbmail.ui.lab.split_fields import SplitFields
from nbmail.ui.model.accuracy_texts import share_text
from nbmail.ui.model.model_page import ModelPage
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import exact_percent
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.context import WindowContext

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
