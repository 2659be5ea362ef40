"""Messages that were sorted in the last days, as the engine lists them."""

from PySide6.QtCore import QObject, Signal

from nbmail.core.sorting.sorted_message import SortedMessage
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.window.window_context import WindowContext

DAYS = 7
MOST = 5000
"""Messages that are listed at most."""
LOAD_INTERVAL = 200
"""Milliseconds between two requests of the list: two hundred moves are two hundred events."""


class SortedMessages(QObject):
    """Sorted messages of the last `DAYS`. Signals: `changed()` after `messages` changed."""

    changed = Signal()

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._engine = context.engine
        self._table = context.table
        self._clock = context.clock
        self.messages: tuple[SortedMessage, ...] = ()
        self._timer = single_shot_timer(self, LOAD_INTERVAL, self._request)

    def load(self) -> None:
        """Request the messages soon, once for any number of calls until then."""
        if not self._timer.isActive():
            self._timer.start()

    def _request(self) -> None:
        since = self._clock() - DAYS * 86_400
        self._engine.list_sorted(since, MOST).then(self._take)

    def _take(self, messages: tuple[SortedMessage, ...]) -> None:
        self.messages = messages
        self._table.mails.take_sorted(messages)
        self.changed.emit()
