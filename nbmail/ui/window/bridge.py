"""The one place where events cross from other threads into the window."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

if TYPE_CHECKING:
    from nbmail.worker.protocol import Event


class Bridge(QObject):
    """Hands events of other threads to the GUI thread, in their order.

    Signals: `arrived(Event)`, always emitted on the thread that made the bridge, never while `emit_event` runs.
    """

    _woken = Signal()
    arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._home = threading.get_ident()
        self._waiting: deque[Event] = deque()
        self._awake = False
        # No word on how it is to cross: that word lies in a namespace whose import costs as much as the first paint.
        # From another thread a signal is queued by itself; on this one a timer does it.
        self._woken.connect(self._arrive)

    def emit_event(self, event: Event) -> None:
        """Pass an event on. May be called from any thread; never waits."""
        if not self._open:
            return
        self._waiting.append(event)
        if not self._awake:
            self._awake = True
            if threading.get_ident() == self._home:
                QTimer.singleShot(0, self, self._arrive)
            else:
                self._woken.emit()

    def close(self) -> None:
        """Let nothing more through: the window is going."""
        self._open = False
        self._waiting.clear()

    @Slot()
    def _arrive(self) -> None:
        # Slept first: what comes from now on wakes it anew, and what came before is counted in.
        self._awake = False
        for _ in range(len(self._waiting)):
            if not self._waiting:  # Closed, or a dialog's own event loop has passed the rest on.
                return
            self.arrived.emit(self._waiting.popleft())
