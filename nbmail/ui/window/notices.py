"""Messages of the window: status line with undo and progress, banners, and their buttons."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

from PySide6.QtCore import QEvent, Qt, SignalInstance
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QProgressBar, QPushButton, QWidget

from nbmail.ui.dialogs.manual_window import ManualWindow
from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import format_count, key_text, tr
from nbmail.ui.kit.plain_text import ElidedLabel, plain_label, wrapping_label
from nbmail.ui.kit.theme import colors, draw_icon
from nbmail.worker.protocol.ticket import Failed, Progress, Ticket

UNDO_SECONDS = 10
NARROW_BAR = 700
"""Width of a bar in pixels below which its buttons move below its text."""
BETWEEN_KEYS = "   "
"""Separator of keys in a hint."""
MAIL_TABLE = "messages"
"""Name of the list of messages among the widgets."""
T = TypeVar("T")
Act = Callable[..., object] | SignalInstance | None
"""Called or emitted after a click on a button."""


class Report(Protocol):
    """Callback that shows the result of an action. `undo` offers to undo the action."""

    def __call__(self, text: str, *, undo: bool = False) -> None:
        """Show `text`."""


def make_button(text: str, act: Act = None) -> QPushButton:
    """Return a button that the Enter key does not press while another field has focus."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    if act is not None:
        button.clicked.connect(act)
    return button


def quiet_button(text: str, act: Act = None, *, flush: bool = False) -> QPushButton:
    """Return a button that looks like a link. `flush`: its text is aligned with the lines above
    it.
    """
    button = QPushButton(text)
    button.setProperty("quiet", True)
    button.setProperty("flush", flush)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    if act is not None:
        button.clicked.connect(act)
    return button


def announce(widget: QWidget, text: str) -> None:
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def release_focus(part: QWidget) -> None:
    """Give the focus of a part that is about to be hidden to the list. Qt would choose a button of
    the tool bar.
    """
    window = part.window()
    table = window.findChild(QWidget, MAIL_TABLE)
    if isinstance(table, QWidget) and part.isAncestorOf(window.focusWidget() or window):
        table.setFocus()


class KeysLabel(ElidedLabel):
    """Label for a hint about keys. Shows as many keys as fit, always including the last. Has no
    signals.
    """

    def shown(self) -> str:
        *others, last = self.text().split(BETWEEN_KEYS)
        if not others:
            return super().shown()
        width = self.contentsRect().width()
        while (
            others
            and self.fontMetrics().horizontalAdvance(BETWEEN_KEYS.join([*others, last])) > width
        ):
            others.pop()
        return BETWEEN_KEYS.join([*others, last])


class StatusLine(QWidget):
    """Latest result with undo and redo, and progress of a request that can be cancelled. Has no
    signals.
    """

    def __init__(self) -> None:
        super().__init__()
        self._hint = ""
        self._shows_account = False
        self._text = KeysLabel()
        keeps = self._text.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self._text.setSizePolicy(keeps)
        self.changes = quiet_button(tr("Show messages"))
        self.undo = quiet_button(tr("Undo"))
        self.undo.setToolTip(key_text("Ctrl+Z"))
        self.redo = quiet_button(tr("Redo"))
        self.redo.setToolTip(key_text("Ctrl+Shift+Z"))
        self.work = plain_label(kind="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(130)
        self.cancel = quiet_button(tr("Cancel"), self._cancel)
        self._cancel_work: Callable[[], None] | None = None
        self.account = ElidedLabel(greedy=False)
        self.account.setProperty("muted", True)
        buttons = (
            self.changes,
            self.undo,
            self.redo,
            self.work,
            self._bar,
            self.cancel,
            self.account,
        )
        self.setLayout(layouts.row((self._text, 1), *buttons, spacing=10, margins=(14, 2, 14, 2)))
        self.setFixedHeight(self.fontMetrics().height() + 18)
        self.end_work()
        self._timer = layouts.single_shot_timer(self, UNDO_SECONDS * 1000, self._show_hint)
        self._show_hint()

    def report(
        self, text: str, *, undo: bool = False, redo: bool = False, lasting: bool = False
    ) -> None:
        """Show a result for `UNDO_SECONDS`. `undo` and `redo` show their buttons; `lasting`: until
        the next result.
        """
        release_focus(self)
        self._text.setText(text)
        self._text.setForegroundRole(QPalette.ColorRole.WindowText)
        self.undo.setVisible(undo)
        self.redo.setVisible(redo)
        self.changes.hide()
        self._fit()
        announce(self, text)
        self._timer.stop() if lasting else self._timer.start()

    def offer_changes(self, count: int) -> None:
        self.changes.setVisible(count > 0)

    def set_hint(self, hint: str) -> None:
        self._hint = hint
        self._show_hint()

    def _show_hint(self) -> None:
        release_focus(self)
        self._text.setText(self._hint)
        self._text.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        for button in (self.changes, self.undo, self.redo):
            button.hide()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # At most half of the line: a result is more important than the state of an account.
        self.account.setMaximumWidth(self.width() // 2)
        self._fit()

    def _fit(self) -> None:
        """Hide hint and progress bar if a running request needs the room, and the account if a
        result does.
        """
        roomy = self.width() >= scaled(self, NARROW_BAR)
        works = not self.work.isHidden()
        hint = self._text.text() == self._hint
        self._text.setVisible(roomy or not (works and hint))
        self._bar.setVisible(works and roomy)
        self.account.setVisible(self._shows_account and (roomy or (hint and not works)))

    def show_account(self, on: bool) -> None:
        self._shows_account = on
        self._fit()

    def text(self) -> str:
        return self._text.text()

    def show_work(
        self, name: str, done: int, total: int, cancel: Callable[[], None] | None
    ) -> None:
        """Show the progress of a request. `cancel`: called after a click on the button; None for no
        button.
        """
        self._cancel_work = cancel
        self.work.setText(f"{name} {format_count(done)} / {format_count(total)}" if total else name)
        self._bar.setAccessibleName(name)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self.work.show()
        self.cancel.setVisible(cancel is not None)
        self._fit()

    def follow(
        self,
        ticket: Ticket[T],
        name: str,
        done: Callable[[T], object],
        *,
        stopped: Callable[[Progress[T] | None], None] | None = None,
        failed: Callable[[Failed], None] | None = None,
        ended: Callable[[], None] = lambda: None,
        can_stop: bool = True,
    ) -> None:
        """Show the progress of a request under `name`, with a button that cancels it if it
        `can_stop`.

        `stopped`: called with the last progress before the request was cancelled, None if it had
        not started.
        """
        latest: list[Progress[T]] = []

        def progressed(progress: Progress[T]) -> None:
            latest[:] = [progress]
            self.show_work(name, progress.done, progress.total, ticket.cancel if can_stop else None)

        def end() -> None:
            # A request without progress must not hide the progress of another one.
            if latest:
                self.end_work()
            ended()

        def stop() -> None:
            reached = latest[0] if latest else None
            if stopped is not None:
                stopped(reached)
            elif reached is None or not reached.total:
                self.report(tr("Stopped."))
            else:
                self.report(progress_text(tr("Stopped after {done} of {total}."), reached))

        ticket.then(done, failed=failed, progressed=progressed, cancelled=stop, ended=end)

    def end_work(self) -> None:
        self._cancel_work = None
        for widget in (self.work, self.cancel):
            widget.hide()
        self._fit()

    def _cancel(self) -> None:
        if self._cancel_work is not None:
            self._cancel_work()
        self.work.setText(tr("Stopping…"))


def progress_text(text: str, reached: Progress[T]) -> str:
    return text.format(done=format_count(reached.done), total=format_count(reached.total))


class Remedy(NamedTuple):
    """Text and callback of a button on a banner."""

    text: str
    act: Callable[[], None]


class Bar(QWidget):
    """Colored bar across the window with a text, and buttons next to it, or below it if the bar is
    narrow.
    """

    def __init__(self, look: str) -> None:
        super().__init__()
        self.setProperty("bar", look)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hide()

    def set_contents(self, text: layouts.LayoutItem, *buttons: QWidget, around: int = 5) -> None:
        """Set text and buttons, once. `around`: pixels above and below them."""
        margins = (14, around, 10, around)
        self._row = layouts.row(
            text, layouts.row(*buttons, None, spacing=6), spacing=12, margins=margins
        )
        self._row.setStretch(0, 1)
        self.setLayout(self._row)

    def setVisible(self, visible: bool) -> None:
        if not visible:
            release_focus(self)
        super().setVisible(visible)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._row.setDirection(
            ways.LeftToRight if self.width() >= scaled(self, NARROW_BAR) else ways.TopToBottom
        )


class Banner(Bar):
    """Notice with a remedy, shown until it is dismissed or no longer true. Has no signals."""

    def __init__(self, *, icon: str = "warning") -> None:
        super().__init__("warning")
        self.about = ""
        self._icon_name = icon
        self._icon = plain_label()
        self._sentence = wrapping_label(kind="title")
        self._advice = wrapping_label()
        self._detail = wrapping_label(kind="muted")
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._remedy: Remedy | None = None
        self._dismissed: Callable[[], object] = lambda: None
        self._page = ""
        self.manual = quiet_button(
            tr("Manual"), lambda: ManualWindow(self.window(), self._page).show()
        )
        self.remedy = QPushButton()
        self.remedy.clicked.connect(self._call_remedy)
        self.close_button = quiet_button(tr("Dismiss"), self._close)
        self._texts = layouts.column(self._sentence, self._advice, self._detail, spacing=2)
        contents = layouts.row((self._icon, Qt.AlignmentFlag.AlignTop), self._texts, spacing=12)
        contents.setStretch(1, 1)
        self.set_contents(contents, self.remedy, self.manual, self.close_button)
        self._draw_icon()

    def add_to_texts(self, part: QWidget) -> None:
        self._texts.addWidget(part)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw_icon()

    def _draw_icon(self) -> None:
        self._icon.setPixmap(
            draw_icon(self._icon_name, colors().text, 20, self.devicePixelRatioF())
        )

    def show_notice(
        self,
        notice: Notice,
        about: str = "",
        remedy: Remedy | None = None,
        dismissed: Callable[[], object] = lambda: None,
    ) -> None:
        """Show a notice. `about`: name of the account, for `dismiss`; `dismissed` is called if the
        user closes it.
        """
        self._dismissed = dismissed
        self.about = about
        self._sentence.setText(notice.sentence)
        self._advice.setText(notice.advice)
        self._detail.setText(notice.detail[:300])
        self._advice.setVisible(bool(notice.advice))
        self._detail.setVisible(bool(notice.detail))
        self.remedy.setVisible(remedy is not None)
        self._page = notice.page
        self.manual.setVisible(bool(notice.page))
        self._remedy = remedy
        self.remedy.setText(remedy.text if remedy is not None else "")
        self.setAccessibleName(f"{notice.sentence} {notice.advice}")
        announce(self, self.accessibleName())
        self.show()

    def show_failure(self, failure: Failed) -> None:
        self.show_notice(error_notice(failure.error_code, failure.detail))

    def dismiss(self, about: str | None = None) -> None:
        """Hide the banner; with `about`, only a notice about that account."""
        if about is None or about == self.about:
            self.about = ""
            self.hide()

    def _call_remedy(self) -> None:
        if self._remedy is not None:
            self._remedy.act()

    def _close(self) -> None:
        self.dismiss()
        self._dismissed()
