"""Timers for one call."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance


def single_shot_timer(parent: QObject, milliseconds: int, act: Callable[[], object]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(act)
    return timer


def call_at_most(
    parent: QObject, milliseconds: int, act: Callable[[], object], *signals: SignalInstance
) -> None:
    """Call `act` after a signal, at most once in this time."""
    timer = single_shot_timer(parent, milliseconds, act)

    def start(*_: object) -> None:
        if not timer.isActive():
            timer.start()

    for signal in signals:
        signal.connect(start)
