"""Tool bar of the window: the most useful buttons and the search field. The learning bar below
it.
"""

from collections.abc import Mapping

from PySide6.QtCore import QElapsedTimer, QRectF, QSize, Qt, QVariantAnimation
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.plain_text import ElidedLabel, plain_label
from nbmail.ui.kit.theme import SIZE, color, fill_round
from nbmail.ui.window.notices import NARROW_BAR
from nbmail.worker.protocol.events import Learned

MARKS = ("spam", "ham", "clear")
GROUPS = (("archive", "delete", "move"), ("undo", "redo", "triage"))
FILES = ("export", "import")
ROOMY = 860
ROOM_FOR_ALL = 720
ROOM_FOR_WORDS = 1100
"""Widths from which the third mark has a text, actions that the menus have too have buttons, and
these have texts.
"""
WORDED = ("archive", "delete", "move", "undo", "redo")
"""Buttons that have a text only if the user wants it."""
GLOW_MILLISECONDS = 900
CALM_MILLISECONDS = 1500
"""Minimum time between two glows while many messages are learned. Each glow repaints 60 frames a
second.
"""


class ActionBar(QToolBar):
    """Tool bar, arranged for the width of the window by `fit`. `words`: texts beside the icons. No
    signals.
    """

    def __init__(self, actions: Mapping[str, QAction], search: QLineEdit) -> None:
        super().__init__(tr("Actions"))
        self._actions = actions
        self._search = search
        self._all = True
        self.setObjectName("actions")
        self.setMovable(False)
        self.setIconSize(QSize(SIZE, SIZE))
        self.words = False
        self._width = 0
        self._place = QWidgetAction(self)
        self._place.setDefaultWidget(_at_the_end(search))
        self._fill()

    def _fill(self) -> None:
        for action in self.actions():
            self.removeAction(action)
        for name in MARKS:
            self._add_button(name, text=True).setProperty("mark", name)
        for names in GROUPS[0 if self._all else 1 :]:
            self.addSeparator()
            for name in names:
                self._add_button(name)
        self.addAction(self._place)
        for name in FILES if self._all else ():
            self._add_button(name)

    def _add_button(self, name: str, *, text: bool = False) -> QToolButton:
        action = self._actions[name]
        self.addAction(action)
        button = self._button(name)
        button.setToolButtonStyle(_style(text=text))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text().rstrip("…"))
        return button

    def _button(self, name: str) -> QToolButton:
        button = self.widgetForAction(self._actions[name])
        assert isinstance(button, QToolButton)
        return button

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        words = menu.addAction(tr("Text beside icons"))
        words.setCheckable(True)
        words.setChecked(self.words)
        words.toggled.connect(self.show_words)
        menu.popup(event.globalPos())

    def _show_words(self, *, on: bool) -> None:
        for name in WORDED if self._all else ():
            self._button(name).setToolButtonStyle(_style(text=on))

    def show_words(self, on: bool) -> None:
        self.words = on
        self.fit(self._width)

    def fit(self, width: int) -> None:
        everything = width >= scaled(self, ROOM_FOR_ALL)
        roomy = width >= scaled(self, ROOMY)
        if everything != self._all:
            self._all = everything
            self._fill()
        self._width, worded = width, self.words and width >= scaled(self, ROOM_FOR_WORDS)
        self._button("clear").setToolButtonStyle(_style(text=roomy))
        self._show_words(on=worded)
        if worded and self.sizeHint().width() > width:
            # Some languages have longer words.
            self._show_words(on=False)
        self._search.setPlaceholderText(tr("Search mail") if roomy else tr("Search"))


def _style(*, text: bool) -> Qt.ToolButtonStyle:
    return (
        Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        if text
        else Qt.ToolButtonStyle.ToolButtonIconOnly
    )


def _at_the_end(search: QWidget) -> QWidget:
    """Wrap the field so that it grows to its maximum width. In a tool bar, it would get half of the
    free width.
    """
    whole = layouts.as_widget(layouts.row(None, (search, 1)))
    whole.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return whole


class LearningBar(QWidget):
    """Learned messages and the accuracy of the percentages in one line. Glows when that changes.
    Has no signals.
    """

    def __init__(self) -> None:
        super().__init__()
        self._learned: Learned | None = None
        self._counts = plain_label(tr("Opening your mail…"), "title")
        self._gauges = Gauges()
        self._calibration = ElidedLabel()
        self._calibration.setProperty("muted", True)
        learned = layouts.row(self._counts, self._gauges, None, spacing=14)
        # The gauges, which appear later, must not move what is below.
        learned.addStrut(max(self._counts.sizeHint().height(), self._gauges.height()))
        self._row = layouts.row(learned, (self._calibration, 1), spacing=14, margins=(14, 4, 14, 4))
        self.setLayout(self._row)
        self._glow = QVariantAnimation(self)
        self._glow.setDuration(GLOW_MILLISECONDS)
        self._glow.setStartValue(1.0)
        self._glow.setEndValue(0.0)
        self._glow.valueChanged.connect(self.update)
        self._changed = QElapsedTimer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the accuracy below the counts without room for it beside them."""
        super().resizeEvent(event)
        wide = self.width() >= scaled(self, NARROW_BAR)
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if wide else ways.TopToBottom)
        self._row.setSpacing(14 if wide else 2)

    @property
    def is_glowing(self) -> bool:
        return self._glow.state() == QVariantAnimation.State.Running

    def show_learned(self, learned: Learned) -> None:
        before = self._learned
        self._learned = learned
        known = {each.name: each.messages for each in learned.classes}
        spam = known.get("spam", 0)
        ham = known.get("ham", 0)
        self._counts.setText(phrases.learned_text(spam, ham, learned.vocabulary))
        self._calibration.setText(
            phrases.calibration_text(spam, ham, learned.held_out, learned.calibrated)
        )
        self._calibration.setToolTip(
            tr("Measured only on scores calculated without the message's own mark.")
        )
        self._gauges.show_held_out(learned)
        if before is not None and before.classes != learned.classes:
            self._glow_after(sum(known.values()) - sum(each.messages for each in before.classes))

    def _glow_after(self, more: int) -> None:
        """Glow after a single mark, and after the first of many messages."""
        stream = (
            abs(more) > 1
            and self._changed.isValid()
            and self._changed.elapsed() < CALM_MILLISECONDS
        )
        self._changed.start()
        if not stream:
            self._glow.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color("raised"))
        if self.is_glowing:
            glow = QColor(color("ham_soft"))
            glow.setAlphaF(float(self._glow.currentValue()))
            painter.fillRect(self.rect(), glow)
        painter.fillRect(0, self.height() - 1, self.width(), 1, color("line"))
        painter.end()


class Gauges(QWidget):
    """Two small bars: held-out scores of each class, relative to the number that calibration
    needs.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(92, 16)
        self._shares = (0.0, 0.0)

    def show_held_out(self, learned: Learned) -> None:
        spam, ham = (min(1.0, each / phrases.ENOUGH) for each in learned.held_out)
        self._shares = (spam, ham)
        self.setVisible(min(learned.held_out) < phrases.ENOUGH)
        self.setAccessibleName(
            tr("Progress to a reliable chance of spam: spam {spam}, good messages {ham}").format(
                spam=phrases.near_percent(spam), ham=phrases.near_percent(ham)
            )
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for row, (share, name) in enumerate(zip(self._shares, ("spam", "ham"), strict=True)):
            top = 2 + row * 7
            fill_round(painter, QRectF(0, top, self.width(), 4), color("track"), 2)
            fill_round(painter, QRectF(0, top, self.width() * share, 4), color(name), 2)
        painter.end()
