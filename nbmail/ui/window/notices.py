"""What the window has to say: a status line with undo and progress, and a banner for what needs reading."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QEvent, Qt, Signal, SignalInstance
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QProgressBar, QPushButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.kit.icons import draw_icon
from nbmail.ui.kit.language import format_count, key_text, tr
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.plain_text import ElidedLabel, plain_label, wrapping_label
from nbmail.ui.kit.theme import colors
from nbmail.worker.protocol import Failed

UNDO_SECONDS = 10
NARROW_BAR = 700
"""Pixels of a bar below which its buttons stand below its words."""
BETWEEN_KEYS = "   "
"""What stands between two keys of the hint."""
Act = Callable[..., object] | SignalInstance | None
"""What a button does once it is pressed."""


class Say(Protocol):
    """Where it is said what was done, with an offer to take it back."""

    def __call__(self, text: str, *, undo: bool = False) -> None:
        """Say it."""


def make_button(text: str, act: Act = None) -> QPushButton:
    """A button that Enter elsewhere in the dialog does not press."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    if act is not None:
        button.clicked.connect(act)
    return button


def quiet_button(text: str, act: Act = None, *, flush: bool = False) -> QPushButton:
    """A button that looks like a link; a `flush` one begins where the lines above it do."""
    button = QPushButton(text)
    button.setProperty("quiet", True)
    button.setProperty("flush", flush)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    if act is not None:
        button.clicked.connect(act)
    return button


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say it, where one is listening."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class KeysLabel(ElidedLabel):
    """Of keys, as many as there is room for, the last one, which leads to all others, among them. Has no signals."""

    def shown(self) -> str:
        *others, last = self.text().split(BETWEEN_KEYS)
        if not others:
            return super().shown()
        width = self.contentsRect().width()
        while others and self.fontMetrics().horizontalAdvance(BETWEEN_KEYS.join([*others, last])) > width:
            others.pop()
        return BETWEEN_KEYS.join([*others, last])


class StatusLine(QWidget):
    """What just happened, with a button that takes it back, and what is going on, with one that stops it.

    Signals: `undo_asked()`, `redo_asked()` and `moved_asked()`, when these buttons are pressed.
    """

    moved_asked = Signal()
    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._hint, self._alone = "", False
        self._text = KeysLabel()
        self._text.setAccessibleName(tr("Status"))
        keeps = self._text.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self._text.setSizePolicy(keeps)
        self._moved = quiet_button(tr("See them"), self.moved_asked)
        self._undo = quiet_button(tr("Undo"), self.undo_asked)
        self._undo.setToolTip(key_text("Ctrl+Z"))
        self._redo = quiet_button(tr("Redo"), self.redo_asked)
        self._redo.setToolTip(key_text("Ctrl+Shift+Z"))
        self._work = plain_label(kind="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(130)
        self._cancel = quiet_button(tr("Cancel"), self._stop_work)
        self._cancel_work: Callable[[], None] | None = None
        self.account = ElidedLabel(greedy=False)
        self.account.setProperty("muted", True)
        offers = (self._moved, self._undo, self._redo, self._work, self._bar, self._cancel, self.account)
        self.setLayout(layouts.row((self._text, 1), *offers, spacing=10, margins=(14, 2, 14, 2)))
        self.setFixedHeight(self.fontMetrics().height() + 18)
        self.end_work()
        self._timer = layouts.single_shot_timer(self, UNDO_SECONDS * 1000, self.settle)
        self.settle()

    def say(self, text: str, *, undo: bool = False, redo: bool = False) -> None:
        """Say something that just happened; `undo` and `redo` offer their buttons for a while."""
        self._text.setText(text)
        self._text.setForegroundRole(QPalette.ColorRole.WindowText)
        self._undo.setVisible(undo)
        self._redo.setVisible(redo)
        self._moved.hide()
        self._fit()
        announce(self, text)
        self._timer.start()

    def offer_moved(self, count: int) -> None:
        """What was just said moved so many messages, which can be seen."""
        self._moved.setVisible(count > 0)

    def show_hint(self, hint: str) -> None:
        """What to say where there is nothing new."""
        self._hint = hint
        self.settle()

    def settle(self) -> None:
        """Nothing new any more: only a hint."""
        self._text.setText(self._hint)
        self._text.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        for button in (self._moved, self._undo, self._redo):
            button.hide()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # No more than half of the line: what just happened matters more than that all is well.
        self.account.setMaximumWidth(self.width() // 2)
        self._fit()

    def _fit(self) -> None:
        """Where there is little room keys and the bar give way to what is going on, and the account to what is new."""
        roomy, works = self.width() >= scaled(self, NARROW_BAR), not self._work.isHidden()
        hint = self._text.text() == self._hint
        self._text.setVisible(roomy or not (works and hint))
        self._bar.setVisible(works and roomy)
        self.account.setVisible(self._alone and (roomy or (hint and not works)))

    def tell_account(self, on: bool) -> None:
        """Whether the account is told of here, because its own lines have no room."""
        self._alone = on
        self._fit()

    def text(self) -> str:
        return self._text.text()

    def show_work(self, name: str, done: int, total: int, cancel: Callable[[], None] | None) -> None:
        """Show how far something long has come; without `cancel` there is no button to stop it."""
        self._cancel_work = cancel
        self._work.setText(f"{name} {format_count(done)} / {format_count(total)}" if total else name)
        self._bar.setAccessibleName(name)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._work.show()
        self._cancel.setVisible(cancel is not None)
        self._fit()

    def end_work(self) -> None:
        self._cancel_work = None
        for widget in (self._work, self._cancel):
            widget.hide()
        self._fit()

    def _stop_work(self) -> None:
        if self._cancel_work is not None:
            self._cancel_work()
        self._work.setText(tr("Stopping…"))


@dataclass(frozen=True, slots=True)
class Remedy:
    """A button on a banner."""

    text: str
    act: Callable[[], None]


class Bar(QWidget):
    """A coloured bar across the window: words, and buttons beside them, or below where it is narrow."""

    def __init__(self, look: str) -> None:
        super().__init__()
        self.setProperty("bar", look)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hide()

    def hold(self, words: layouts.LayoutItem, *buttons: QWidget) -> None:
        self._row = layouts.row(words, layouts.row(*buttons, None, spacing=6), spacing=12, margins=(14, 8, 10, 8))
        self._row.setStretch(0, 1)
        self.setLayout(self._row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if self.width() >= scaled(self, NARROW_BAR) else ways.TopToBottom)


class Banner(Bar):
    """One clear sentence and one piece of advice, until read or mended. Has no signals of its own."""

    def __init__(self, *, icon: str = "warning") -> None:
        super().__init__("warning")
        self.about, self._icon_name = "", icon
        self._icon = plain_label()
        self._sentence, self._advice = wrapping_label(kind="title"), wrapping_label()
        self._detail = wrapping_label(kind="muted")
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._remedy = QPushButton()
        self._remedy.clicked.connect(self._mend)
        self._act: Callable[[], None] | None = None
        self._close = quiet_button(tr("Dismiss"), self._put_away)
        texts = layouts.column(self._sentence, self._advice, self._detail, spacing=2)
        picture = (self._icon, Qt.AlignmentFlag.AlignTop)
        words = layouts.row(picture, texts, spacing=12)
        words.setStretch(1, 1)
        self.hold(words, self._remedy, self._close)
        self._draw_icon()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw_icon()

    def _draw_icon(self) -> None:
        self._icon.setPixmap(draw_icon(self._icon_name, colors().text, 20, self.devicePixelRatioF()))

    def show_notice(self, advice: Notice, about: str = "", remedy: Remedy | None = None) -> None:
        """Show this; `about` names the account it concerns, so that it can be taken back once that is well again."""
        self.about = about
        self._sentence.setText(advice.sentence)
        self._advice.setText(advice.advice)
        self._detail.setText(advice.detail[:300])
        self._advice.setVisible(bool(advice.advice))
        self._detail.setVisible(bool(advice.detail))
        self._act = remedy.act if remedy else None
        self._remedy.setText(remedy.text if remedy else "")
        self._remedy.setVisible(remedy is not None)
        self.setAccessibleName(f"{advice.sentence} {advice.advice}")
        announce(self, self.accessibleName())
        self.show()

    def show_failure(self, failure: Failed) -> None:
        self.show_notice(error_notice(failure.error_code, failure.detail))

    def dismiss(self, about: str | None = None) -> None:
        """Take it away; with `about`, only if it is about that account."""
        if about is None or about == self.about:
            self.about = ""
            self.hide()

    def _put_away(self) -> None:
        self.dismiss()

    def _mend(self) -> None:
        if self._act is not None:
            self._act()
