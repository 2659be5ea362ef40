"""Timers of the window, which end when it closes."""

from collections.abc import Callable

from PySide6.QtCore import QAbstractAnimation, QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QMainWindow

from nbmail.ui.kit import layouts


class WindowTimers(QObject):
    """Calls functions after signals, or periodically, until the window closes."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window, self._closed = window, False

    def call_after_pause(self, milliseconds: int, act: Callable[[], None], signal: SignalInstance) -> None:
        """Call `act` when the signal was silent for this time."""
        timer = layouts.single_shot_timer(self, milliseconds, act)
        # A closing window still emits signals of scrolling and layout.
        signal.connect(lambda *_: None if self._closed else timer.start())

    def call_at_most(self, milliseconds: int, act: Callable[[], None], *signals: SignalInstance) -> None:
        """Call `act` after a signal, at most once in this time."""
        timer = layouts.single_shot_timer(self, milliseconds, act)
        for signal in signals:
            signal.connect(lambda *_: None if self._closed or timer.isActive() else timer.start())

    def call_every(self, milliseconds: int, act: Callable[[], None]) -> None:
        """Call `act` periodically."""
        timer = layouts.single_shot_timer(self, milliseconds, act)
        timer.setSingleShot(False)
        timer.start()

    def close(self) -> None:
        """Stop all timers and animations of the window."""
        self._closed = True
        for timer in self._window.findChildren(QTimer):
            timer.stop()
        for animation in self._window.findChildren(QAbstractAnimation):
            animation.stop()
