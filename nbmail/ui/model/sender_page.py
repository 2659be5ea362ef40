"""Chance of junk over time for one sender, and the verdict on one message at an earlier time."""

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QDateTimeEdit

from nbmail.ui.kit import layouts
from nbmail.ui.kit.phrases import locale, tr
from nbmail.ui.kit.plain_text import plain_label, sender_name, wrapping_label
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.charts import ChanceChart
from nbmail.ui.model.model_page import ModelPage, PageContext, failure_text
from nbmail.ui.model.model_texts import earlier_verdict_text, trend_text
from nbmail.ui.window.notices import announce
from nbmail.values import VERDICTS, Scores
from nbmail.worker.protocol.ticket import Progress, Ticket

PAUSE = 200
"""Milliseconds from the last change of the message or the date to the request."""
HALF = 0.5
WEEK = 7 * 86_400
Points = Sequence[tuple[float, float]]


class SenderPage(ModelPage):
    """Sender of the message in the main window."""

    def __init__(self, context: PageContext, reader: OpenMessage, clock: Callable[[], float]) -> None:
        super().__init__(context)
        self._clock, self._reader = clock, reader
        self.message = -1
        self._earlier: Ticket[Scores] | None = None
        self.heading = wrapping_label(kind="title")
        self.summary = wrapping_label()
        self.chart = ChanceChart(clock)
        self.answer = wrapping_label(kind="title")
        self._make_date()
        self.stack.addWidget(layouts.as_widget(layouts.column(self.summary, (self.chart, 1), spacing=8)))
        date = layouts.row(self._date_label, self.date, None, spacing=10)
        parts = (self.heading, (self.stack, 1), date, self.answer)
        self.setLayout(layouts.column(*parts, spacing=10, margins=(16, 16, 16, 14)))
        self._message_timer = layouts.single_shot_timer(self, PAUSE, self.refresh)
        self._date_timer = layouts.single_shot_timer(self, PAUSE, self.request_earlier_score)
        self.mail_table.current_message_changed.connect(
            lambda _: self._message_timer.start() if self.isVisible() else None
        )
        self.date.dateTimeChanged.connect(lambda _: self._date_timer.start() if self.isVisible() else None)

    def _make_date(self) -> None:
        self.date = QDateTimeEdit()
        self.date.setLocale(locale())
        self.date.setCalendarPopup(True)
        # Qt shows weekends in a red that is unreadable on a dark background.
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.date.calendarWidget().setWeekdayTextFormat(day, QTextCharFormat())
        self.date.setDisplayFormat(tr("d MMM yyyy  HH:mm"))
        self.date.setDateTime(QDateTime.fromSecsSinceEpoch(int(self._clock() - WEEK)))
        self.date.setAccessibleName(tr("Show the verdict at this date"))
        self._date_label = plain_label(tr("&Show the verdict on"))
        self._date_label.setBuddy(self.date)

    def load(self) -> None:
        """Request the history of the sender and the earlier score of the message."""
        self.stop()
        self.message = self._reader.message
        known = self.message >= 0
        self.heading.setVisible(known)
        self.date.setEnabled(known)
        self.date.setMaximumDateTime(QDateTime.fromSecsSinceEpoch(int(self._clock()) + 60))
        if not known:
            self.answer.clear()
            self.show_note(tr("Select a message in the main window."))
            return
        self.heading.setText(tr("Mail from {sender}").format(sender=self._sender()))
        # Before the history: the engine runs one request at a time, and this one is shorter.
        self.request_earlier_score()
        self.request(
            lambda: self.engine.trace_sender(self.message),
            self._show_history,
            tr("Calculating earlier scores…"),
            progressed=self._extend_history,
        )

    def refresh(self) -> None:
        if self.isVisible() and self._reader.message != self.message:
            self.load()

    def stop(self) -> None:
        super().stop()
        if self._earlier is not None:
            self._earlier.drop()
            self._earlier = None

    def _sender(self) -> str:
        mail = self.mails.mail
        place = int(mail.find([self.message])[0])
        return sender_name(mail.senders[place]) if place >= 0 else tr("this sender")

    def _extend_history(self, progress: Progress[tuple[tuple[float, float], ...]]) -> None:
        """Draw the points up to now. The current chance arrives first."""
        self.show_progress(progress)
        points = _meaningful(progress.so_far or ())
        if points:
            self._draw(points, tr("Calculating earlier scores…"))

    def _show_history(self, trace: Points) -> None:
        points = _meaningful(trace)
        if points:
            self._draw(points, trend_text(points, self._clock()))
        else:
            self.show_note(tr("Mark some junk and some good messages to see this chart."))

    def _draw(self, points: Points, summary: str) -> None:
        self.summary.setText(summary)
        self.chart.show_points(points)
        self.show_content()

    def request_earlier_score(self) -> None:
        """Request the score of the message at the selected time."""
        if self.message < 0:
            return
        if self._earlier is not None:
            self._earlier.drop()
        self.answer.setText(tr("Calculating the earlier score…"))
        moment = float(self.date.dateTime().toSecsSinceEpoch() + 59)
        self._earlier = self.engine.score_at(moment, (self.message,)).then(
            self._show_answer, failed=lambda failure: self.answer.setText(failure_text(failure))
        )

    def _show_answer(self, scores: Scores) -> None:
        text = tr("This message is no longer stored.")
        if len(scores.messages):
            verdict = VERDICTS[int(scores.verdicts[0])]
            text = earlier_verdict_text(verdict, float(scores.log_odds[0]), float(scores.probabilities[0]))
        self.answer.setText(text)
        announce(self.answer, text)


def _meaningful(trace: Points) -> list[tuple[float, float]]:
    """Return the points, or none before the model has learned both classes: then all chances are exactly 0.5."""
    points = [(moment, chance) for moment, chance in trace if not math.isnan(chance)]
    return [] if all(chance == HALF for _, chance in points) else points
