"""The sender of the message that the main window shows: how the chance went, and what was said when."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QDateTimeEdit

from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import locale, tr
from nbmail.ui.kit.people import sender_name
from nbmail.ui.kit.plain_text import plain_label, wrapping_label
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.model_page import NO_TICKET, ModelPage, PageContext, failure_text
from nbmail.ui.past.chance_chart import TraceChart
from nbmail.ui.past.past_texts import said_words, trace_words
from nbmail.ui.window.notices import announce
from nbmail.values import VERDICTS, Scores
from nbmail.worker.protocol import LookBack, Progress, TraceSender

PAUSE = 200
"""Milliseconds from the last step in the list, or the last change of the date, to the question."""
HALF = 0.5
WEEK = 7 * 86_400


class SenderPage(ModelPage):
    """One sender over time, and one message at a moment. Has no signals of its own."""

    def __init__(self, context: PageContext, reader: OpenMessage, clock: Callable[[], float]) -> None:
        super().__init__(context)
        self._clock, self._reader = clock, reader
        self.message = -1
        self._back = NO_TICKET
        self.who = wrapping_label(kind="title")
        self.summary = wrapping_label()
        self.chart = TraceChart(clock)
        self.answer = wrapping_label(kind="title")
        self._make_date()
        self.stack.addWidget(layouts.as_widget(layouts.column(self.summary, (self.chart, 1), spacing=8)))
        date = layouts.row(self.asked, self.when, None, spacing=10)
        parts = (self.who, (self.stack, 1), date, self.answer)
        self.setLayout(layouts.column(*parts, spacing=10, margins=(16, 16, 16, 14)))
        self._soon = layouts.single_shot_timer(self, PAUSE, self.refresh)
        self._date_soon = layouts.single_shot_timer(self, PAUSE, self.look_back)
        self.mail_table.current_message_changed.connect(lambda _: self._soon.start() if self.isVisible() else None)
        self.when.dateTimeChanged.connect(lambda _: self._date_soon.start() if self.isVisible() else None)

    def _make_date(self) -> None:
        now = self._clock()
        self.when = QDateTimeEdit()
        self.when.setLocale(locale())
        self.when.setCalendarPopup(True)
        # Qt writes weekends in a red that can't be read on dark.
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.when.calendarWidget().setWeekdayTextFormat(day, QTextCharFormat())
        self.when.setDisplayFormat(tr("d MMM yyyy  HH:mm"))
        self.when.setDateTime(QDateTime.fromSecsSinceEpoch(int(now - WEEK)))
        self.when.setAccessibleName(tr("What would it have said at this date"))
        self.asked = plain_label(tr("What would it have &said on"))
        self.asked.setBuddy(self.when)

    def load(self) -> None:
        """Ask about the message that the main window shows."""
        self.message = self._reader.message
        known = self.message >= 0
        self.who.setVisible(known)
        self.when.setEnabled(known)
        self.when.setMaximumDateTime(QDateTime.fromSecsSinceEpoch(int(self._clock()) + 60))
        if not known:
            self.stop()
            self.answer.clear()
            self.say(tr("Choose a message in the main window."))
            return
        self.who.setText(tr("Mail from {sender}").format(sender=self._sender()))
        self.stop()
        # First, since it is answered sooner and the engine takes one after the other.
        self.look_back()
        self.ask(TraceSender(self.message), self._show_trace, tr("Looking back mark by mark…"))

    def refresh(self) -> None:
        if self.isVisible() and self._reader.message != self.message:
            self.load()

    def stop(self) -> None:
        super().stop()
        self.requests.drop(self._back)

    def _sender(self) -> str:
        place, mail = self.place_of(self.message), self.mails.mail
        return sender_name(mail.senders[place]) if place >= 0 else tr("this sender")

    def _progress(self, progress: Progress[Any]) -> None:
        """The chance of now comes first, the past point by point."""
        super()._progress(progress)
        points = _telling(progress.so_far or ())
        if points:
            self._draw(points, tr("Looking back mark by mark…"))

    def _show_trace(self, trace: tuple[tuple[float, float], ...]) -> None:
        points = _telling(trace)
        if points:
            self._draw(points, trace_words(points, self._clock()))
        else:
            self.say(tr("Not enough yet: the line begins once some junk and some good mail is marked."))

    def _draw(self, points: Sequence[tuple[float, float]], summary: str) -> None:
        self.summary.setText(summary)
        self.chart.show_trace(points)
        self.show_content()

    def look_back(self) -> None:
        """Ask what would have been said of the message at the chosen moment."""
        if self.message < 0:
            return
        self.requests.drop(self._back)
        self.answer.setText(tr("Looking back…"))
        moment = float(self.when.dateTime().toSecsSinceEpoch() + 59)
        command = LookBack(moment, (self.message,))
        told = self.answer.setText
        self._back = self.requests.ask(command, self._show_answer, failed=lambda fault: told(failure_text(fault)))

    def _show_answer(self, scores: Scores) -> None:
        text = tr("This message isn't kept any more.")
        if len(scores.messages):
            verdict = VERDICTS[int(scores.verdicts[0])]
            text = said_words(verdict, float(scores.log_odds[0]), float(scores.probabilities[0]))
        self.answer.setText(text)
        announce(self.answer, text)


def _telling(trace: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points, or none where nothing is known yet: exactly one half says a model that has not seen both kinds."""
    points = [(moment, chance) for moment, chance in trace if not math.isnan(chance)]
    return [] if all(chance == HALF for _, chance in points) else points
