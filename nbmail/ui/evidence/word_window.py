"""Window for one word: counts over time, weight, messages that contain it, and scores without
it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from math import isnan

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QWidget

from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.evidence.messages_window import (
    changed_verdicts_window,
    message_line,
    messages_table,
    verdict_cell,
)
from nbmail.ui.evidence.reason_texts import moment_text
from nbmail.ui.evidence.score_breakdown import amount_text, round_to_sum
from nbmail.ui.kit.buttons import make_button, quiet_button
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.drawing import fill_round
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.layouts import Flow, as_widget, column, row, scroll_area
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow
from nbmail.ui.kit.theme import color
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.charts import GAP, Chart, PosteriorChart
from nbmail.ui.model.model_page import failure_text
from nbmail.ui.texts.date_texts import date_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.mark_texts import changed_verdicts_text, verdict_text
from nbmail.ui.texts.number_texts import percent, signed
from nbmail.ui.texts.plain_text import join_sentences, plain_name
from nbmail.ui.window.context import WindowContext
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.quality import WordWeights
from nbmail.worker.protocol.ticket import Failed, Progress
from nbmail.worker.protocol.verdicts import Simulation, VerdictChange
from nbmail.worker.protocol.words import WordCounts, WordDescription, WordFigures

LEAST_LIST = 130


class WordWindow(SideWindow):
    """Window for one word; words of one fact are tabs. `adds`: their contributions to the open
    message.
    """

    def __init__(
        self,
        context: WindowContext,
        reader: OpenMessage,
        words: Sequence[str],
        adds: Mapping[str, float],
    ) -> None:
        super().__init__(context.window, "", 680, 640)
        self._engine = context.engine
        self._table = context.table
        self._status = context.status
        self._words = tuple(words)
        self._adds = adds
        self._reader = reader
        self._ignored = self._closed = False
        self._drop_query: Callable[[], None] = lambda: None
        self._simulated = Simulation((), 0)
        self.tabs = QTabBar()
        for word in self._words:
            place = word.partition(":")[0] if ":" in word else "body"
            self.tabs.addTab(plain_name(place_text(place) or feature_text(word)))
        self.tabs.setVisible(len(self._words) > 1)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.name = wrapping_label(kind="title")
        self.holders = wrapping_label(kind="muted")
        self.counts = wrapping_label()
        self.weight = wrapping_label()
        self.without = wrapping_label()
        self.chart = WordChart()
        self.posterior = PosteriorChart()
        self.chance_bar = ChanceBar(self._table.row_painter.chance_cell.spam_from)
        self.list = messages_table(self._table, tr("Messages with this word"), (tr("Verdict"),))
        self.list.setMinimumHeight(scaled(self, LEAST_LIST))
        self.simulate = quiet_button(tr("Preview without this word"), self._simulate, flush=True)
        self.weigh = quiet_button(tr("Compare with logistic regression"), self._weigh, flush=True)
        self.see = quiet_button(tr("Show messages"), self._see, flush=True)
        self.ignore = make_button("", self._ignore)
        # The buttons keep their place at the bottom; answers appear above them.
        about = (self.counts, self.weight, self.chart, self.posterior, self.holders, (self.list, 1))
        content = scroll_area(as_widget(column(*about, spacing=8)), page=False)
        queries = (self.simulate, self.weigh, self.see)
        for button in (*queries, self.ignore):
            button.setAutoDefault(False)
        buttons = row(
            (Flow(*queries, gap=12), 1), (self.ignore, Qt.AlignmentFlag.AlignBottom), spacing=8
        )
        parts = (self.tabs, self.name, (content, 1), self.without, self.chance_bar, buttons)
        self.setLayout(column(*parts, spacing=8, margins=(16, 14, 16, 14)))
        self.tabs.currentChanged.connect(self._describe)
        self.finished.connect(self._close)
        self._describe()

    @property
    def word(self) -> str:
        return self._words[max(0, self.tabs.currentIndex())]

    def _close(self) -> None:
        """Ignore answers that come after the window is closed."""
        self._closed = True
        self._drop_query()

    def _describe(self) -> None:
        for part in (self.without, self.see, self.chance_bar):
            part.hide()
        self._drop_query()
        self._drop_query = (
            self._engine.describe_word(self.word).then(self._show, failed=self._show_unknown).drop
        )

    def _show_unknown(self, failure: Failed) -> None:
        self.counts.setText(tr("nbmail doesn't know this word yet."))
        charts = (self.chart, self.posterior)
        buttons = (self.simulate, self.weigh, self.ignore)
        for part in (self.weight, *charts, self.holders, self.list, *buttons):
            part.hide()

    def _show(self, story: WordDescription) -> None:
        figures = story.figures
        self._ignored = figures.ignored
        self.setWindowTitle(word_name(figures))
        self.name.setText(word_name(figures))
        self.counts.setText(
            join_sentences(counts_text(story), past_counts_text(story.history, self._moment()))
        )
        overlap = tr("Its words also count one by one.") if figures.place == "phrase" else ""
        self.weight.setText(
            join_sentences(weight_text(figures, self._adds.get(self.word)), overlap)
        )
        self.chart.show_history(story.history)
        self.posterior.show_word(story)
        self.holders.setText(
            tr_count("%n message contains it:", "%n messages contain it:", story.message_count)
        )
        self.list.set_rows([self._line(message) for message in story.messages])
        self.ignore.setText(
            tr("Use this word again") if figures.ignored else tr("Ignore this word")
        )
        self.simulate.setVisible(not figures.ignored)

    def _line(self, message: int) -> TextRow[int]:
        _, chance, verdict = self._table.mails.score_of(message)
        return message_line(
            self._table, message, (verdict_cell(verdict, None if isnan(chance) else chance),)
        )

    def _moment(self) -> float:
        return self._table.mails.mail.heading_of(self._reader.message)[2]

    def _show_answer(self, text: str, own: VerdictChange | None = None) -> None:
        self.without.setText(text)
        self.without.show()
        self.chance_bar.show_chances(own)
        self.see.hide()

    def _begin_query(self) -> None:
        self._show_answer(tr("Calculating…"))
        self._drop_query()

    def _simulate(self) -> None:
        def show(found: Simulation) -> None:
            self._simulated = found
            text = tr("Without this word, no verdict would change.")
            if found.total:
                text = tr_count(
                    "Without this word, %n verdict would change.",
                    "Without this word, %n verdicts would change.",
                    found.total,
                )
            self._show_answer(join_sentences(text, open_message_text(found.own)), found.own)
            self.see.setVisible(found.total > 0)

        self._begin_query()
        ticket = self._engine.simulate_without(self.word, self._reader.message)
        self._drop_query = ticket.then(show).drop

    def _weigh(self) -> None:
        """Train two methods on request, and show what the word weighs by each."""

        def progressed(progress: Progress[WordWeights]) -> None:
            text = tr("Learning from marked messages: {done} of {total}")
            if progress.total:
                self._show_answer(
                    text.format(
                        done=format_count(progress.done), total=format_count(progress.total)
                    )
                )

        self._begin_query()
        ticket = self._engine.weigh_word(self.word).then(
            lambda weights: self._show_answer(both_weights_text(weights)),
            failed=lambda failure: self._show_answer(failure_text(failure)),
            progressed=progressed,
        )
        self._drop_query = ticket.drop

    def _see(self) -> None:
        title = tr("Verdicts that would change without “{word}”").format(word=self.windowTitle())
        changed_verdicts_window(
            self, title, self._simulated.changes, self._simulated.total, self._table
        ).show()

    def _ignore(self) -> None:
        name = self.windowTitle()
        ignored = not self._ignored

        def report(done: Marked) -> None:
            text = tr("“{word}” is now ignored.") if ignored else tr("“{word}” is used again.")
            changed = changed_verdicts_text(done.changed_verdicts)
            self._status.report(join_sentences(text.format(word=name), changed), undo=True)
            if not self._closed:
                self._describe()

        self._engine.ignore_word(self.word, ignored=ignored).then(report)


class WordChart(Chart):
    """Chart of the learned messages with the word over time: spam above the axis, good mail
    below.
    """

    def __init__(self) -> None:
        super().__init__(110, "")
        self._lines = tuple[WordCounts, ...]()

    def show_history(self, lines: tuple[WordCounts, ...]) -> None:
        """Show a history. Less than two lines hide the chart."""
        self._lines = lines
        self.setVisible(len(lines) > 1)
        first, last = (
            (moment_text(line.moment) for line in (lines[0], lines[-1])) if lines else ("", "")
        )
        text = tr("Learned between {first} and {last}").format(first=first, last=last)
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.update()

    def space_above(self) -> int:
        return GAP

    def scale(self) -> Sequence[tuple[float, str]]:
        spam, ham = (self._lines[-1].spam, self._lines[-1].ham) if self._lines else (0, 0)
        return (0.0, tr_count("%n not spam", "%n not spam", ham)), (
            1.0,
            tr_count("%n spam", "%n spam", spam),
        )

    def ends(self) -> tuple[str, str]:
        if not self._lines:
            return super().ends()
        first, last = (date_text(self._lines[place].moment, time.time()) for place in (0, -1))
        return first, last

    def draw(self, painter: QPainter) -> None:
        lines = self._lines
        if len(lines) < 2:
            return
        most = max(1, lines[-1].spam) + max(1, lines[-1].ham)
        zero = max(1, lines[-1].ham) / most
        first = lines[0].moment
        span = (lines[-1].moment - lines[0].moment) or 1.0
        for line, following in zip(lines, (*lines[1:], lines[-1]), strict=True):
            left, right = ((each.moment - first) / span for each in (line, following))
            for share, name in ((line.spam / most, "spam"), (-line.ham / most, "ham")):
                bar = QRectF(self.point(left, zero + share), self.point(right, zero)).normalized()
                painter.fillRect(bar.adjusted(0, 0, 1, 0), color(name))
        painter.setPen(QPen(color("line"), 1))
        painter.drawLine(self.point(0, zero), self.point(1, zero))


class ChanceBar(QWidget):
    """Bar with a chance of spam, the simulated chance, and the spam threshold."""

    def __init__(self, spam_from: float) -> None:
        super().__init__()
        self._spam_from = spam_from
        self._chances = (0.0, 0.0)
        self.setMinimumHeight(22)
        self.hide()

    def show_chances(self, own: VerdictChange | None) -> None:
        """Show a change of chances. None or a change without chances hides the bar."""
        known = own is not None and own.before is not None and own.after is not None
        self._chances = (own.before or 0.0, own.after or 0.0) if own is not None else (0.0, 0.0)
        self.setAccessibleName(open_message_text(own))
        self.setVisible(known)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        bar = QRectF(2, self.height() / 2 - 4, self.width() - 4, 8)
        fill_round(painter, bar, color("track"), 4)
        if not isnan(self._spam_from):
            tick = QRectF(bar.left() + bar.width() * self._spam_from - 0.5, 0, 1, self.height())
            painter.fillRect(tick, color("spam"))
        before, after = (bar.left() + bar.width() * chance for chance in self._chances)
        change = QRectF(min(before, after), bar.top(), abs(after - before), bar.height())
        painter.fillRect(change, color("spam_soft" if after > before else "ham_soft"))
        for place, name in ((before, "muted"), (after, "accent")):
            fill_round(
                painter, QRectF(place - 1.5, bar.top() - 5, 3, bar.height() + 10), color(name), 1.5
            )
        painter.end()


def open_message_text(own: VerdictChange | None) -> str:
    if own is None or own.before is None or own.after is None:
        return ""
    text = tr("The open message would change from {before} to {after} ({verdict}).")
    chances = {"before": percent(own.before), "after": percent(own.after)}
    return text.format(**chances, verdict=verdict_text(own.verdict_after))


def word_name(figures: WordFigures) -> str:
    place = place_text(figures.place) if figures.place != "body" else ""
    name = feature_text(figures.word)
    return f"{name} ({place})" if place else name


def counts_text(story: WordDescription) -> str:
    text = tr("Found in {spam} of {all_spam} spam messages and {ham} of {all_ham} good messages.")
    counts = {"spam": story.figures.spam, "all_spam": story.spam_messages}
    counts |= {"ham": story.figures.ham, "all_ham": story.ham_messages}
    return text.format(**{name: format_count(count) for name, count in counts.items()})


def past_counts_text(history: Sequence[WordCounts], moment: float) -> str:
    """Return the counts when the open message arrived at `moment`, "" if they are the same now."""
    then = [line for line in history if line.moment <= moment]
    if not moment or len(then) == len(history):
        return ""
    spam, ham = (then[-1].spam, then[-1].ham) if then else (0, 0)
    text = tr("When the open message arrived: in {spam} spam and {ham} good messages.")
    return text.format(spam=format_count(spam), ham=format_count(ham))


def weight_text(figures: WordFigures, adds: float | None) -> str:
    """Return the weight of the word, and why its contribution to the open message differs."""
    if figures.ignored:
        return tr("This word is ignored and doesn't affect any score.")
    if not figures.spam and not figures.ham:
        return tr("It has no weight yet.")
    weight = figures.log_ratio + figures.correction
    side = tr("spam") if weight > 0 else tr("good mail")
    total = round(100 * weight)
    text = tr(
        "Its weight is {amount} and points to {side}: {ratio} from counts, {learned} from "
        "learned corrections."
    )
    ratio, learned = map(amount_text, round_to_sum((figures.log_ratio, figures.correction), total))
    general = text.format(amount=amount_text(total), side=side, ratio=ratio, learned=learned)
    if adds is None or round(100 * adds) == total:
        return general
    here = tr(
        "In the open message it adds {amount}, because the weights of all words are averaged."
    )
    if abs(adds) > abs(weight):
        here = tr(
            "In the open message it adds {amount}, because its number of occurrences and the "
            "other words also matter."
        )
    return join_sentences(general, here.format(amount=signed(adds)))


def both_weights_text(weights: WordWeights) -> str:
    text = tr(
        "By {count} marked messages: Naive Bayes (Bernoulli) {bayes}, logistic regression "
        "{logistic}, "
        "which counts 1/√n in a message of n words."
    )
    bayes, logistic = map(signed, weights[:2])
    return text.format(count=format_count(weights.messages), bayes=bayes, logistic=logistic)
