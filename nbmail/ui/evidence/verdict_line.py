"""Line about the verdict of the current message."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence.reason_texts import verdict_text
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.drawing import draw_icon
from nbmail.ui.kit.layouts import row
from nbmail.ui.kit.plain_labels import ElidedLabel, enlarge, plain_label
from nbmail.ui.kit.theme import color, set_style
from nbmail.ui.texts.language import tr
from nbmail.values import VERDICTS

ICON = 22
LARGE = 1.3
SPACE = 50
"""Pixels of a panel around and between the parts."""


@dataclass(frozen=True, slots=True)
class Form:
    """How much of the line is shown. `size`: factor of the font size of the verdict."""

    is_compact: bool = True
    is_button_short: bool = True
    has_icon: bool = True
    size: float = LARGE


FORMS = (
    Form(is_compact=False, is_button_short=False),
    Form(is_button_short=False),
    Form(),
    Form(has_icon=False),
    Form(has_icon=False, size=1.0),
)
"""Forms of the line, the widest first."""


class VerdictLine:
    """Parts of the line. Without `expand`, which is hidden, a click on the verdict does nothing."""

    def __init__(self, *, has_button: bool) -> None:
        self._has_button = has_button
        self._icon = plain_label()
        self.verdict = ElidedLabel()
        self.expand = quiet_button("")
        if has_button:
            self.verdict.clicked.connect(self.expand.click)
            self.verdict.setCursor(Qt.CursorShape.PointingHandCursor)

    def layout(self) -> QHBoxLayout:
        right = Qt.AlignmentFlag.AlignRight
        return row(self._icon, (self.verdict, 1), (self.expand, right), spacing=8)

    def show(self, why: Explanation | None, *, expanded: bool, width: int) -> None:
        """Show the verdict in the largest form that fits a panel of this width."""
        form = FORMS[-1]
        for form in FORMS:
            self._take_form(form, why, expanded=expanded)
            if self._needed_width(form) <= width:
                break

        has_icon = why is not None and why.verdict in VERDICTS
        self._icon.setVisible(form.has_icon and has_icon)
        if why is not None and has_icon:
            ratio = self._icon.devicePixelRatioF()
            icon_color = color(why.verdict).name()
            self._icon.setPixmap(draw_icon(why.verdict, icon_color, ICON, ratio))
            set_style(self.verdict, "verdict", why.verdict)

    def _take_form(self, form: Form, why: Explanation | None, *, expanded: bool) -> None:
        panel = self.verdict.parentWidget()
        if panel is not None:
            self.verdict.setFont(panel.font())
        enlarge(self.verdict, form.size)
        self.verdict.setText("" if why is None else verdict_text(why, compact=form.is_compact))
        if expanded:
            self.expand.setText(tr("Back"))
        elif form.is_button_short:
            self.expand.setText(tr("All"))
        else:
            self.expand.setText(tr("All reasons"))

    def _needed_width(self, form: Form) -> int:
        text = self.verdict.fontMetrics().horizontalAdvance(self.verdict.text())
        button = self.expand.sizeHint().width() if self._has_button else 0
        icon = ICON if form.has_icon else 0
        return text + button + icon + SPACE
