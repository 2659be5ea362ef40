"""Status line: the latest result with undo and redo, and the progress of a request."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.focus import release_focus
from nbmail.ui.kit.plain_labels import ElidedLabel, plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.notices.bars import NARROW_BAR
from nbmail.ui.texts.language import format_count, key_text, tr
from nbmail.worker.protocol.ticket import Failed, Progress, Ticket

UNDO_SECONDS = 10
BETWEEN_KEYS = "   "
"""Separator of keys in a hint."""
T = TypeVar("T")


class Report(Protocol):
    """Callback that shows the result of an action. `undo` offers to undo the action."""

    def __call__(self, text: str, *, undo: bool = False) -> None:
        """Show `text`."""


class KeysLabel(ElidedLabel):
    """Label for a hint about keys. Has no signals.

    As many keys are shown as fit, always including the last.
    """

    def shown(self) -> str:
        *others, last = self.text().split(BETWEEN_KEYS)
        if not others:
            return super().shown()
        width = self.contentsRect().width()
        shown = self.text()
        while others and self.fontMetrics().horizontalAdvance(shown) > width:
            others.pop()
            shown = BETWEEN_KEYS.join([*others, last])
        return shown


class StatusLine(QWidget):
    """Latest result with undo and redo, and progress of a request. Has no signals."""

    def __init__(self) -> None:
        super().__init__()
        self._hint = ""
        self._shows_account = False
        self._cancel_work: Callable[[], None] | None = None
        self._make_result()
        self._make_work()
        self.account = ElidedLabel(greedy=False)
        self.account.setProperty("muted", True)
        line = layouts.row(
            (self._text, 1),
            self.changes,
            self.undo,
            self.redo,
            self.work,
            self._bar,
            self.cancel,
            self.account,
            spacing=10,
            margins=(14, 2, 14, 2),
        )
        self.setLayout(line)
        self.setFixedHeight(self.fontMetrics().height() + 18)
        self.end_work()
        self._timer = single_shot_timer(self, UNDO_SECONDS * 1000, self._show_hint)
        self._show_hint()

    def _make_result(self) -> None:
        self._text = KeysLabel()
        keeps = self._text.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self._text.setSizePolicy(keeps)
        self.changes = quiet_button(tr("Show messages"))
        self.undo = quiet_button(tr("Undo"))
        self.undo.setToolTip(key_text("Ctrl+Z"))
        self.redo = quiet_button(tr("Redo"))
        self.redo.setToolTip(key_text("Ctrl+Shift+Z"))

    def _make_work(self) -> None:
        self.work = plain_label(kind="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(130)
        self.cancel = quiet_button(tr("Cancel"), self._cancel)

    def report(
        self, text: str, *, undo: bool = False, redo: bool = False, lasting: bool = False
    ) -> None:
        """Show a result for `UNDO_SECONDS`. `undo`, `redo`: show their buttons.

        `lasting`: show the result until the next one.
        """
        release_focus(self)
        self._text.setText(text)
        self._text.setForegroundRole(QPalette.ColorRole.WindowText)
        self.undo.setVisible(undo)
        self.redo.setVisible(redo)
        self.changes.hide()
        self._fit()
        announce(self, text)
        if lasting:
            self._timer.stop()
        else:
            self._timer.start()

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
        """Hide what a running request or a result needs the room of, in a narrow window."""
        roomy = self.width() >= scaled(self, NARROW_BAR)
        works = not self.work.isHidden()
        is_hint = self._text.text() == self._hint
        self._text.setVisible(roomy or not works or not is_hint)
        self._bar.setVisible(works and roomy)
        has_room = roomy or (is_hint and not works)
        self.account.setVisible(self._shows_account and has_room)

    def show_account(self, on: bool) -> None:
        self._shows_account = on
        self._fit()

    def text(self) -> str:
        return self._text.text()

    def show_work(
        self, name: str, done: int, total: int, cancel: Callable[[], None] | None
    ) -> None:
        """Show the progress of a request.

        `cancel`: called after a click on the button; None for no button.
        """
        self._cancel_work = cancel
        text = name
        if total:
            text = f"{name} {format_count(done)} / {format_count(total)}"
        self.work.setText(text)
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
        """Show the progress of a request under `name`. `can_stop`: with a button that cancels it.

        `stopped`: called with the last progress before the request was cancelled, None if it had
        not started.
        """
        reached: Progress[T] | None = None
        cancel = ticket.cancel if can_stop else None

        def progressed(progress: Progress[T]) -> None:
            nonlocal reached
            reached = progress
            self.show_work(name, progress.done, progress.total, cancel)

        def end() -> None:
            # A request without progress must not hide the progress of another one.
            if reached is not None:
                self.end_work()
            ended()

        def stop() -> None:
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
