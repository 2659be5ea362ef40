"""Bars around the message in triage: progress above, buttons below, and the summary at the end."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QAction,
    QFont,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QToolButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.plain_text import ElidedLabel, enlarge, plain_label, show_text, wrapping_label
from nbmail.ui.kit.theme import color, set_style
from nbmail.ui.window.notices import NARROW_BAR, announce, quiet_button

LINE = 3
"""Height of the progress line in pixels."""
KEY_SIZE = 22
LEAST_ORDER = 80
LEAST_IMPROVEMENT = 260
"""Minimum width in pixels of the choice of an order and of the improvement."""


class TriageHead(QWidget):
    """Progress, improvement, the choice of an order ("newest" or "teaching"), and a button back.
    Has no signals.
    """

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self.place = plain_label(kind="title")
        self.verdict = plain_label()
        self.improvement = ElidedLabel()
        self.improvement.setProperty("muted", True)
        self.improvement.setToolTip(
            tr("Measured on your marked messages, each tested without its own mark.")
        )
        orders = (
            (tr("Unsure messages, newest first"), "newest"),
            (tr("Most useful first"), "teaching"),
        )
        self.order = layouts.combo_of(orders, tr("Review order"))
        self.order.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.order.setMinimumWidth(scaled(self, LEAST_ORDER))
        self.back = quiet_button("")
        self.back.setAccessibleName(tr("Back to list"))
        self.back.setToolTip(tr("Esc"))
        parts = (self.place, self.verdict, (self.improvement, 1), self.order, self.back)
        self.setLayout(layouts.row(*parts, spacing=14, margins=(16, 7, 10, 7 + LINE)))
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the improvement without room for it. The summary shows it as well."""
        self.back.setText(tr("Back to list") if self.width() >= scaled(self, NARROW_BAR) else "✕")
        self.improvement.hide()
        layout = self.layout()
        assert layout is not None
        spare = self.width() - layout.minimumSize().width()
        self.improvement.setVisible(
            bool(self.improvement.text()) and spare >= scaled(self, LEAST_IMPROVEMENT)
        )

    def show_order(self, order: str) -> None:
        self.order.setCurrentIndex(self.order.findData(order))

    def show_place(self, words: str, share: float) -> None:
        self.place.setText(words)
        self._share = share
        self._fit()
        self.update()

    def show_verdict(self, words: str, verdict: str) -> None:
        self.verdict.setText(words)
        set_style(self.verdict, "verdict", verdict or "muted")

    def show_improvement(self, words: str) -> None:
        if words != self.improvement.text():
            self.improvement.setText(words)
            self._fit()
            announce(self, words)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color("raised"))
        top = self.height() - LINE
        painter.fillRect(0, top, self.width(), LINE, color("track"))
        painter.fillRect(0, top, round(self.width() * self._share), LINE, color("accent"))
        painter.end()


class TriageFoot(QWidget):
    """Two large buttons with their keys, and three small ones. Each button triggers an action of
    the window.
    """

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._actions = actions
        self._keys: list[tuple[QAbstractButton, str, str, QAction]] = []
        self.spam, self.ham = (self._large(name) for name in ("spam", "ham"))
        back = self._small("previous", tr("Previous"), "‹")
        skip = self._small("next", tr("Skip"), "›")
        self.undo = self._small("undo", tr("Undo"), "↶")
        self._row = layouts.row(None, back, self.spam, self.ham, skip, None, self.undo)
        self._row.setContentsMargins(16, 10, 16, 10)
        self.setLayout(self._row)
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the small buttons of a narrow window without keys, then without texts."""
        for small in ("{words}   {key}", "{words}", "{sign} {key}", "{sign}"):
            roomy = small.endswith("   {key}")
            self._row.setSpacing(12 if roomy else 2)
            native = QKeySequence.SequenceFormat.NativeText
            for button, words, sign, action in self._keys:
                pattern = small if sign else "{words}   {key}"
                button.setText(
                    pattern.format(words=words, sign=sign, key=action.shortcut().toString(native))
                )
                if not sign:
                    button.setMinimumWidth(scaled(self, 150) if roomy else 0)
            if self._row.minimumSize().width() <= self.width():
                return

    def _large(self, name: str) -> QToolButton:
        action = self._actions[name]
        button = QToolButton()
        button.setIcon(action.icon())
        action.changed.connect(lambda: button.setIcon(action.icon()))
        button.setProperty("mark", name)
        button.setProperty("large", True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(KEY_SIZE, KEY_SIZE))
        button.setMinimumHeight(scaled(self, 44))
        font = QFont(button.font())
        font.setWeight(QFont.Weight.DemiBold)
        button.setFont(font)
        self._add(button, action, action.text(), "", action.toolTip())
        return button

    def _small(self, name: str, words: str, sign: str) -> QWidget:
        button = quiet_button(words)
        action = self._actions[name]
        self._add(button, action, words, sign, words)
        button.setEnabled(action.isEnabled())
        return button

    def _add(
        self, button: QAbstractButton, action: QAction, words: str, sign: str, tip: str
    ) -> None:
        self._keys.append((button, words, sign, action))
        button.setAccessibleName(words)
        button.setToolTip(tip)
        button.clicked.connect(action.trigger)
        action.enabledChanged.connect(button.setEnabled)


class TriageEnd(QWidget):
    """Summary of a session. Buttons: `back` to the list, `more` to continue with active
    learning.
    """

    def __init__(self) -> None:
        super().__init__()
        self.title = wrapping_label()
        self.summary = wrapping_label()
        self.improvement = wrapping_label(kind="title")
        enlarge(self.title, 1.5)
        self.back = QPushButton(tr("Back to list"))
        self.more = QPushButton(tr("Continue with the most useful messages"))
        self.back.setDefault(True)
        parts = (
            self.title,
            self.summary,
            self.improvement,
            8,
            layouts.Flow(self.back, self.more, gap=10),
        )
        self.setLayout(layouts.card(*parts, width=scaled(self, 520), spacing=10))

    def show_ending(self, title: str, summary: str, improvement: str, *, more: bool) -> None:
        """Show the summary. `more`: offer active learning."""
        for label, text in (
            (self.title, title),
            (self.summary, summary),
            (self.improvement, improvement),
        ):
            show_text(label, text)
        self.more.setVisible(more)
        announce(self, f"{title} {summary} {improvement}")
        self.back.setFocus()
