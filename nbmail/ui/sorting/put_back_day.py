"""Putting back all messages that were sorted on one day."""

from datetime import date, timedelta
from functools import partial

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QMenu

from nbmail.core.sorting.sorted_message import SortedState
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.sorting.sorted_messages import SortedMessages
from nbmail.ui.texts.language import locale, tr, tr_count
from nbmail.ui.texts.plain_text import plain_name
from nbmail.ui.window.window_context import WindowContext


class PutBackDay:
    """Button with a menu of the last days. A day's messages move back after a question."""

    def __init__(self, context: WindowContext, sorted_: SortedMessages) -> None:
        self._parent = context.window
        self._engine = context.engine
        self._report = context.status.report
        self._clock = context.clock
        self._sorted = sorted_
        self.button = quiet_button(tr("Put back a day…"), self._open_menu)

    def _open_menu(self) -> None:
        menu = QMenu(self._parent)
        today = date.fromtimestamp(self._clock())
        for day, messages in self._moved_by_day().items():
            label = tr("{day}: {messages}").format(
                day=day_text(day, today),
                messages=tr_count("%n message", "%n messages", len(messages)),
            )
            menu.addAction(plain_name(label), partial(self._ask, tuple(messages)))

        if menu.isEmpty():
            menu.addAction(tr("Nothing to put back")).setEnabled(False)
        menu.popup(self.button.mapToGlobal(self.button.rect().bottomLeft()))

    def _moved_by_day(self) -> dict[date, list[int]]:
        """Return the numbers of the moved messages by their day, latest first."""
        moved = [each for each in self._sorted.messages if each.state is SortedState.MOVED]
        moved.sort(key=lambda each: -each.moment)
        days: dict[date, list[int]] = {}
        for each in moved:
            days.setdefault(date.fromtimestamp(each.moment), []).append(each.message)
        return days

    def _ask(self, messages: tuple[int, ...]) -> None:
        text = tr_count(
            "Move %n message back to the inbox?",
            "Move %n messages back to the inbox?",
            len(messages),
        )
        more = tr("They get no mark, and are never sorted again. You can undo this in one step.")
        box = question_box(self._parent, tr("Put back these messages?"), text, more)
        open_question(box, tr("Move back"), tr("Cancel"), partial(self._put_back, messages))

    def _put_back(self, messages: tuple[int, ...]) -> None:
        self._engine.undo_sorting(messages).then(self._report_done)

    def _report_done(self, messages: tuple[int, ...]) -> None:
        text = tr_count("%n message goes back.", "%n messages go back.", len(messages))
        self._report(text, undo=bool(messages))


def day_text(day: date, today: date) -> str:
    if day == today:
        return tr("Today")
    if day == today - timedelta(1):
        return tr("Yesterday")
    written = QDate(day.year, day.month, day.day)
    return locale().toString(written, locale().FormatType.LongFormat)
