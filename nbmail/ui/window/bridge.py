"""Bridge from other threads to the GUI thread."""

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot

from nbmail.worker.protocol.events import Event


class Bridge(QObject):
    """Delivers events and calls on the GUI thread, in order.

    Signals: `arrived(Event)`, never inside `emit_event`.
    """

    _woken = Signal()
    arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._waiting: deque[Callable[[], None]] = deque()
        self._awake = False
        self._woken.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def emit_event(self, event: Event) -> None:
        """Emit `arrived(event)` on the GUI thread. Thread-safe; never waits."""
        self.call(lambda: self.arrived.emit(event))

    def call(self, act: Callable[[], None]) -> None:
        """Call `act` on the GUI thread. Thread-safe; never waits. `close` drops later calls."""
        if not self._open:
            return
        self._waiting.append(act)
        if not self._awake:
            self._awake = True
            self._woken.emit()

    def close(self) -> None:
        self._open = False
        self._waiting.clear()

    @Slot()
    def _deliver(self) -> None:
        # Cleared first: a later call emits again, an earlier one is within the range.
        self._awake = False
        for _ in range(len(self._waiting)):
            # Closed, or delivered by a nested event loop.
            if not self._waiting:
                return
            act = self._waiting.popleft()
            act()
