"""Messages that were sorted in the last days: loading, putting back a day, and two notices."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from PySide6.QtCore import QDate, QObject, QSettings, Signal
from PySide6.QtWidgets import QMenu

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.settings import Sorting
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.notices.banner import Banner, Remedy
from nbmail.ui.sorting.sorting_texts import away_text
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.texts.language import locale, tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.plain_text import plain_name
from nbmail.ui.window.context import WindowContext

DAYS = 7
MOST = 5000
"""Messages that are listed at most."""
LOAD_INTERVAL = 200
"""Milliseconds between two requests of the list: two hundred moves are two hundred events."""


class SortedMessages(QObject):
    """Sorted messages of the last `DAYS`.

    `day_button` puts back all messages of a day. `notices` reports what was sorted while the window
    was closed, and offers sorting once. Signals: `changed()` after `messages` changed;
    `window_requested()` if the user accepts the offer.
    """

    changed = Signal()
    window_requested = Signal()

    def __init__(self, context: WindowContext, show: Callable[[Choice], None]) -> None:
        super().__init__(context.window)
        self._parent = context.window
        self._engine = context.engine
        self._settings = context.settings
        self._table = context.table
        self._report = context.status.report
        self._clock = context.clock
        self._show = show
        self.messages: tuple[SortedMessage, ...] = ()
        self.notices = Banner(icon="sorted")
        self.day_button = quiet_button(tr("Put back a day…"), self.choose_day)
        self._timer = single_shot_timer(self, LOAD_INTERVAL, self._request)
        self._opened = self._closed = context.clock()
        context.settings.accounts_changed.connect(self._withdraw_offer)

    # -------------------------------------------------------------------------------------------------
    # the messages

    def load(self) -> None:
        """Request the messages soon, once for any number of calls until then."""
        if not self._timer.isActive():
            self._timer.start()

    def _request(self) -> None:
        self._engine.list_sorted(self._clock() - DAYS * 86_400, MOST).then(self._take)

    def _take(self, messages: tuple[SortedMessage, ...]) -> None:
        self.messages = messages
        self._table.mails.take_sorted(messages)
        self._report_away()
        self.changed.emit()

    # -----------------------------------------------------------------------------------------------
    # a whole day

    def choose_day(self) -> None:
        menu = QMenu(self._parent)
        today = date.fromtimestamp(self._clock())
        days = dict[date, list[int]]()
        for each in sorted(self.messages, key=lambda one: -one.moment):
            if each.state is SortedState.MOVED:
                days.setdefault(date.fromtimestamp(each.moment), []).append(each.message)
        names = {today - timedelta(1): tr("Yesterday"), today: tr("Today")}
        for day, messages in days.items():
            written = locale().toString(
                QDate(day.year, day.month, day.day), locale().FormatType.LongFormat
            )
            text = tr_count("%n message", "%n messages", len(messages))
            label = tr("{day}: {messages}").format(day=names.get(day, written), messages=text)
            menu.addAction(plain_name(label), partial(self._ask, tuple(messages)))
        if menu.isEmpty():
            menu.addAction(tr("Nothing to put back")).setEnabled(False)
        menu.popup(self.day_button.mapToGlobal(self.day_button.rect().bottomLeft()))

    def _ask(self, messages: tuple[int, ...]) -> None:
        def report(done: tuple[int, ...]) -> None:
            self._report(
                tr_count("%n message goes back.", "%n messages go back.", len(done)),
                undo=bool(done),
            )

        text = tr_count(
            "Move %n message back to the inbox?",
            "Move %n messages back to the inbox?",
            len(messages),
        )
        more = tr("They get no mark, and are never sorted again. You can undo this in one step.")
        box = question_box(self._parent, tr("Put back these messages?"), text, more)
        open_question(
            box,
            tr("Move back"),
            tr("Cancel"),
            lambda: self._engine.undo_sorting(messages).then(report),
        )

    # ---------------------------------------------------------------------------------------------------
    # notices

    def offer(self) -> None:
        """Offer automatic sorting once, if no account sorts and one could."""
        settings = self._settings.value
        if settings.sorting_offered or not self._is_possible():
            return
        self._settings.change(replace(settings, sorting_offered=True))
        notice = Notice(
            tr("nbmail can move spam out of the inbox as it arrives."),
            tr(
                "First you see what it would have moved in the last 30 days. Each message "
                "can be put back."
            ),
        )

        def accept() -> None:
            self.notices.dismiss()
            self.window_requested.emit()

        self.notices.show_notice(notice, "offer", Remedy(tr("Sorting…"), accept))

    def _is_possible(self) -> bool:
        sorting = {account.sorting for account in self._settings.value.accounts if not account.path}
        return sorting == {Sorting.SHOW}

    def _withdraw_offer(self) -> None:
        if not self._is_possible():
            self.notices.dismiss("offer")

    def _report_away(self) -> None:
        """Report what arrived and was sorted since the window was closed."""
        away = [
            each
            for each in self.messages
            if each.state is SortedState.MOVED
            and each.moment > self._closed
            and each.received < self._opened
        ]
        if not away:
            self.notices.dismiss("away")
            return
        near = [each for each in away if each.near]
        filed = sum(bool(each.target) for each in away)
        show = (
            tr_count("Show %n message", "Show %n messages", len(near)) if near else tr("Show all")
        )
        text = away_text(len(away) - filed, len(near), filed)
        self.notices.show_notice(
            Notice(text, ""),
            "away",
            Remedy(show, partial(self._show_near, near)),
            self._forget_away,
        )

    def _forget_away(self) -> None:
        self._closed = self._clock()

    def _show_near(self, near: list[SortedMessage]) -> None:
        self._forget_away()
        self.notices.dismiss("away")
        self._show(Choice(Kind.SORTED))
        if near:
            title = tr("Near the spam threshold")
            headings = (tr("Chance of spam"),)
            about = tr("These messages were sorted to Spam with the lowest chance of spam.")
            cells = {each.message: (percent(each.probability),) for each in near}
            MessagesWindow(self._parent, title, about, cells, self._table, headings=headings).show()

    def save_state(self, notes: QSettings) -> None:
        waits = self.notices.about == "away"
        notes.setValue("sorted_seen", str(self._closed if waits else self._clock()))

    def restore_state(self, notes: QSettings) -> None:
        """Restore the saved moment. A malformed value is ignored."""
        saved = notes.value("sorted_seen")
        if isinstance(saved, str) and saved.replace(".", "", 1).isdecimal():
            self._closed = min(float(saved), self._opened)
