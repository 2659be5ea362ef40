"""The one place where events cross from other threads into the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

if TYPE_CHECKING:
    from nbmail.worker.protocol import Event


class Bridge(QObject):
    """Hands events of other threads to the GUI thread, in their order.

    Signals: `arrived(Event)`, always emitted on the thread that made the bridge.
    """

    _crossing = Signal(object)
    arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._crossing.connect(self._arrive, Qt.ConnectionType.QueuedConnection)

    def emit_event(self, event: Event) -> None:
        """Pass an event on. May be called from any thread; never waits."""
        if self._open:
            self._crossing.emit(event)

    def close(self) -> None:
        """Let nothing more through: the window is going."""
        self._open = False

    @Slot(object)
    def _arrive(self, event: Event) -> None:
        if self._open:
            self.arrived.emit(event)
