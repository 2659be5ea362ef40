"""Marks a message as read after it was open for a while."""

from PySide6.QtCore import QEvent, QObject

from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.window.window_context import WindowContext

DELAYS = {"moment": 2000, "at-once": 200}
"""Milliseconds by setting after which an open message counts as read, never for other settings."""


class ReadTimer(QObject):
    """Times the reading of messages that the user has opened.

    A message that is open by default, without an act of the user, stays unread.
    """

    def __init__(self, context: WindowContext, pane: MessagePane) -> None:
        super().__init__(pane)
        self._engine = context.engine
        self._mail = context.model.mail
        self._settings = context.settings
        self._pane = pane
        self._shown = -1
        self._chosen = -1
        self._timed = -1
        self._timer = single_shot_timer(self, 0, self._mark_read)
        pane.shown.connect(self._take_shown)
        pane.body.viewport().installEventFilter(self)

    def choose(self, message: int) -> None:
        """Let this message count as read after it was open for a while; -1 for none."""
        self._chosen = message
        self._update()

    def stop(self) -> None:
        """Leave the open message unread."""
        self._timer.stop()

    def _take_shown(self, message: int) -> None:
        self._shown = message
        self._update()

    def _update(self) -> None:
        """Start the time of a message that is shown and was chosen."""
        timed = self._shown if self._shown == self._chosen else -1
        if timed == self._timed:
            return
        self._timed = timed
        self._timer.stop()
        delay = DELAYS.get(self._settings.value.opened_is_read)
        if timed >= 0 and delay is not None:
            self._timer.start(delay)

    def _mark_read(self) -> None:
        """Mark the open message as read, as soon as the window is active."""
        if not self._pane.isActiveWindow():
            self._timer.start()
            return
        position = self._mail.position_of(self._timed)
        if position >= 0 and self._mail.unread(position):
            self._engine.mark_read((self._timed,))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Choose the open message when the user clicks or scrolls in it."""
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel):
            self.choose(self._shown)
        return super().eventFilter(watched, event)
