"""History of marks with restore, doubtful marks, and the mail of one sender."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QDateTimeEdit

from nbmail.errors import ErrorCode
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.evidence.reason_texts import journal_source_text
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.phrases import format_count, locale, tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences, plain_label, sender_name, wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.charts import ChanceChart
from nbmail.ui.model.model_page import ModelPage, failure_text, page_footer
from nbmail.ui.model.model_texts import doubt_text, earlier_verdict_text, label_text, trend_text
from nbmail.ui.window.context import WindowContext
from nbmail.ui.window.notices import Report, announce, make_button
from nbmail.values import JournalLine
from nbmail.worker.protocol.marks import Marked, SuspiciousLabel
from nbmail.worker.protocol.ticket import Failed, Progress

BATCH = 1000
"""Number of changes in the first request, and of additional changes in each further one."""


class HistoryPage(ModelPage):
    """All changes of marks, newest first."""

    follows = True

    def __init__(self, context: WindowContext, say: Report, undoing: UndoActions) -> None:
        super().__init__(context, say)
        self._undoing = undoing
        headings = (tr("When"), tr("Subject"), tr("Mark"), tr("Changed by"))
        name = tr("Marks, newest first")
        self.table = TextTable[JournalLine](headings, (130, 200, 170, 160), 1, name, whole=(0,))
        self.table.activated.connect(lambda _: self.go_to_message(self.table.selected().message))
        self.restore = make_button(tr("&Restore to before this…"), self.confirm_restore)
        self.older = make_button(tr("Show &older marks"), self.load_older)
        self.hint = plain_label()
        self.lay_out(self.table, page_footer(self.hint, self.older, self.restore))
        self._limit = BATCH
        self._show(())

    def load(self) -> None:
        self.request(
            self.engine.list_journal(self._limit), self._show, tr("Loading history…"), keep=True
        )

    def load_older(self) -> None:
        self._limit += BATCH
        self.load()

    def _show(self, lines: Sequence[JournalLine]) -> None:
        more = len(lines) == self._limit
        self.table.set_rows([self._row(each) for each in lines])
        self.restore.setEnabled(bool(lines))
        self.older.setVisible(more)
        hint = (
            tr("Press Enter or double-click to show the message in the main window.")
            if lines
            else ""
        )
        latest = (
            tr("Showing the latest {count} changes.").format(count=format_count(len(lines)))
            if more
            else ""
        )
        self.hint.setText(join_sentences(hint, latest))
        if lines:
            self.show_content()
        else:
            self.show_note(tr("No marks yet. Every mark will be listed here."))

    def _row(self, line: JournalLine) -> TextRow[JournalLine]:
        when = phrases.date_text(line.moment, self.clock())
        change = f"{label_text(line.before)} → {label_text(line.after)}"
        return TextRow(
            (when, line.subject or tr("no subject"), change, journal_source_text(line)), line
        )

    def confirm_restore(self) -> None:
        line = self.table.selected()
        text = tr("Restore all marks to their state before this change ({when}: {subject})?")
        when = phrases.date_text(line.moment, self.clock())
        text = text.format(when=when, subject=line.subject or tr("no subject"))

        def restored(done: Marked) -> None:
            count = len(done.messages)
            changed = phrases.changed_verdicts_text(done.changed_verdicts)
            text = tr_count("%n mark changed.", "%n marks changed.", count)
            text = text if count else tr("Nothing changed: all marks already had that state.")
            self.say(join_sentences(text, changed), undo=bool(count))

        def restore() -> None:
            self.restore.setEnabled(False)
            self.say(tr("Restoring marks…"))
            self._undoing.restore(line.number, restored, failed=self.say_failure, ended=self.load)

        box = question_box(self, tr("Restore marks?"), text, tr("You can undo this."))
        open_question(box, tr("Restore"), tr("Cancel"), restore)


class DoubtfulMarksPage(ModelPage):
    """Marks that a model without them contradicts, strongest first."""

    def __init__(self, context: WindowContext, say: Report, marking: MarkingActions) -> None:
        super().__init__(context, say)
        self._marking = marking
        self._confirmed: set[tuple[int, str]] = set()
        headings = (tr("Subject"), tr("Mark"), tr("Suggested by other marks"))
        self.table = TextTable[SuspiciousLabel](
            headings, (300, 120, 240), 0, tr("Doubtful marks, most doubtful first")
        )
        self.table.activated.connect(lambda _: self.go_to_message(self.table.selected().message))
        self.again = make_button(tr("&Check again"), self.load)
        self.reverse = make_button(tr("&Reverse mark"), self.reverse_current)
        self.keep = make_button(tr("&Keep mark"), self.keep_current)
        hint = plain_label(tr("nbmail tests each mark with a model that has not learned it."))
        self.lay_out(self.table, page_footer(hint, self.again, self.keep, self.reverse))
        self._ended()

    def load(self) -> None:
        if (self.mails.mail.labels >= 0).any():
            self.request(
                self.engine.find_suspicious_labels(), self._show, tr("Checking all marks…")
            )
        else:
            self.show_note(tr("Mark some spam and some good messages first."))
        self._ended()

    def _show(self, found: Sequence[SuspiciousLabel]) -> None:
        listed = [one for one in found if (one.message, one.label) not in self._confirmed]
        self.table.set_rows([self._row(one) for one in listed])
        self._show_rows()

    def _row(self, one: SuspiciousLabel) -> TextRow[SuspiciousLabel]:
        mail = self.mails.mail
        place = mail.position_of(one.message)
        subject = tr("(message no longer in any folder)")
        if place >= 0:
            subject = mail.subjects[place] or tr("no subject")
        return TextRow(
            (subject, label_text(one.label), doubt_text(one.log_odds, one.probability)), one
        )

    def _show_rows(self) -> None:
        if self.table.rows:
            self.show_content()
        else:
            self.show_note(tr("No doubtful marks found."))
        self._ended()

    def _ended(self) -> None:
        listed = self.stack.currentWidget() is self.table
        for button in (self.reverse, self.keep):
            button.setEnabled(listed)
        self.again.setEnabled(not self.is_loading)

    def keep_current(self) -> None:
        """Keep the selected mark, and don't list it again while the program runs."""
        one = self.table.selected()
        self._confirmed.add((one.message, one.label))
        self._remove_current()

    def reverse_current(self) -> None:
        one = self.table.selected()

        def failed(failure: Failed) -> None:
            self.say_failure(failure)
            self.load()

        other = "ham" if one.label == "spam" else "spam"
        self._marking.mark((one.message,), other, report=self.say, failed=failed)
        self._remove_current()

    def _remove_current(self) -> None:
        self.table.remove_current()
        self._show_rows()


PAUSE = 200
"""Milliseconds from the last change of the message or the date to the request."""
WEEK = 7 * 86_400
Points = tuple[tuple[float, float], ...]


class SenderPage(ModelPage):
    """Sender of the message in the main window."""

    def __init__(self, context: WindowContext, say: Report, reader: OpenMessage) -> None:
        super().__init__(context, say)
        self._reader = reader
        self.message = -1
        self.heading = wrapping_label(kind="title")
        self.summary = wrapping_label()
        self.chart = ChanceChart(self.clock)
        self.answer = wrapping_label(kind="title")
        self.date = QDateTimeEdit()
        self.date.setLocale(locale())
        self.date.setCalendarPopup(True)
        # Qt shows weekends in a red that is unreadable on a dark background.
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.date.calendarWidget().setWeekdayTextFormat(day, QTextCharFormat())
        self.date.setDisplayFormat(tr("d MMM yyyy  HH:mm"))
        self.date.setDateTime(QDateTime.fromSecsSinceEpoch(int(self.clock() - WEEK)))
        self.date.setAccessibleName(tr("Show the verdict at this date"))
        date_label = plain_label(tr("&Show the verdict on"))
        date_label.setBuddy(self.date)
        self.stack.addWidget(
            layouts.as_widget(layouts.column(self.summary, (self.chart, 1), spacing=8))
        )
        parts = (
            self.heading,
            (self.stack, 1),
            layouts.row(date_label, self.date, None, spacing=10),
            self.answer,
        )
        self.setLayout(layouts.column(*parts, spacing=10, margins=(16, 16, 16, 14)))
        self._message_timer = layouts.single_shot_timer(self, PAUSE, self.refresh)
        self._date_timer = layouts.single_shot_timer(self, PAUSE, self.request_earlier_score)
        self.mail_table.current_message_changed.connect(
            lambda _: self._message_timer.start() if self.isVisible() else None
        )
        self.date.dateTimeChanged.connect(
            lambda _: self._date_timer.start() if self.isVisible() else None
        )

    def load(self) -> None:
        self.stop()
        self.message = self._reader.message
        known = self.message >= 0
        self.heading.setVisible(known)
        self.date.setEnabled(known)
        self.date.setMaximumDateTime(QDateTime.fromSecsSinceEpoch(int(self.clock()) + 60))
        if not known:
            self.answer.clear()
            self.show_note(tr("Select a message in the main window."))
            return
        mail = self.mails.mail
        place = mail.position_of(self.message)
        sender = sender_name(mail.senders[place]) if place >= 0 else tr("this sender")
        self.heading.setText(tr("Mail from {sender}").format(sender=sender))
        # Before the history: the engine runs one request at a time, and this one is shorter.
        self.request_earlier_score()
        waiting = tr("Calculating earlier scores…")
        trace = self.engine.trace_sender(self.message)
        self.request(trace, self._show_history, waiting, progressed=self._extend_history)

    def refresh(self) -> None:
        if self.isVisible() and self._reader.message != self.message:
            self.load()

    def _extend_history(self, progress: Progress[Points]) -> None:
        """Draw the points up to now. The current chance arrives first."""
        self.show_progress(progress)
        self._draw(progress.so_far or ())

    def _show_history(self, trace: Points) -> None:
        points = self._draw(trace)
        if points:
            self.summary.setText(trend_text(points, self.clock()))
        else:
            self.show_note(tr("Mark some spam and some good messages to see this chart."))

    def _draw(self, trace: Points) -> Points:
        """Draw the points, or none before the model has learned both classes: then all chances are
        exactly 0.5.
        """
        points = tuple(each for each in trace if not math.isnan(each[1]))
        if all(chance == 0.5 for _, chance in points):
            return ()
        self.summary.setText(tr("Calculating earlier scores…"))
        self.chart.show_points(points)
        self.show_content()
        return points

    def request_earlier_score(self) -> None:
        if self.message < 0:
            return
        self.answer.setText(tr("Calculating the earlier score…"))
        moment = float(self.date.dateTime().toSecsSinceEpoch() + 59)
        self.keep_latest("score", self.engine.explain_at(self.message, moment, 0)).then(
            lambda then: self._show_answer(earlier_verdict_text(then)), failed=self._show_failure
        )

    def _show_failure(self, failure: Failed) -> None:
        removed = tr("This message is no longer stored.")
        self._show_answer(
            removed if failure.error_code is ErrorCode.NOT_FOUND else failure_text(failure)
        )

    def _show_answer(self, text: str) -> None:
        self.answer.setText(text)
        announce(self.answer, text)
