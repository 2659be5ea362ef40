"""All about one word: how often it was learned and when, what it says, who holds it, and what would be without it."""

import time
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QTabBar, QWidget

from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.evidence.label_source_texts import moment_text
from nbmail.ui.evidence.messages_window import message_line, messages_table, moved_window, verdict_cell
from nbmail.ui.evidence.score_breakdown import amount_text, settle
from nbmail.ui.kit import phrases
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.icons import fill_round
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.layouts import Flow, as_widget, column, row, scaled, scroll_area
from nbmail.ui.kit.plain_text import join_sentences, plain_name, wrapping_label
from nbmail.ui.kit.text_table import TextRow
from nbmail.ui.kit.theme import color
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.charts import GAP, Chart
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import quiet_button
from nbmail.worker.protocol import Command, Explanation, Failed, Marked
from nbmail.worker.protocol.words import (
    DescribeWord,
    ExplainThen,
    IgnoreWord,
    Moved,
    Supposed,
    SupposeWithout,
    WordFigures,
    WordLine,
    WordStory,
)

ALL = 2_000
"""Words of a score that are asked for."""
LEAST_LIST = 130
BOTTOM = Qt.AlignmentFlag.AlignBottom


class WordWindow(SideWindow):
    """One word at a time; where a fact was found as several words, they are tabs. Signals: those of every dialog.

    `adds` says what words add to the open message. `told` hears what was done.
    """

    def __init__(
        self,
        parent: QWidget,
        requests: EngineRequests,
        table: MailTable,
        words: Sequence[str],
        adds: Mapping[str, float],
        *,
        reader: OpenMessage,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(parent, "", 680, 580)
        self._requests, self._table, self._words, self._told = requests, table, tuple(words), told
        self._adds, self._reader = adds, reader
        self._ticket, self._ignored, self._left = 0, False, False
        self._supposed = Supposed((), 0)
        self.tabs = QTabBar()
        for word in self._words:
            place = word.partition(":")[0] if ":" in word else "body"
            self.tabs.addTab(plain_name(place_text(place) or feature_text(word, place)))
        self.tabs.setVisible(len(self._words) > 1)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.name = wrapping_label(kind="title")
        self.counts, self.weight, self.without = wrapping_label(), wrapping_label(), wrapping_label()
        self.held = wrapping_label(kind="muted")
        self.chart, self.needle = WordChart(), Needle(table.row_painter.junk_from)
        self.list = messages_table(table, tr("Messages with it"), (tr("Verdict"),))
        self.suppose, self.then, self.see = (
            quiet_button(text, flush=True)
            for text in (tr("What if it didn't count?"), tr("What did it say then?"), tr("See them"))
        )
        self.ignore = QPushButton()
        self._lay_out()
        self.tabs.currentChanged.connect(self._describe)
        self.finished.connect(self._leave)
        self._describe()

    def _lay_out(self) -> None:
        """The buttons stay where they are, at the foot; answers come above them."""
        acts = (self._suppose, self._look_back, self._see, self._ignore)
        for button, act in zip((self.suppose, self.then, self.see, self.ignore), acts, strict=True):
            button.setAutoDefault(False)
            button.clicked.connect(act)
        self.list.setMinimumHeight(scaled(self, LEAST_LIST))
        about = (self.counts, self.weight, self.chart, self.held, (self.list, 1))
        content = as_widget(column(*about, spacing=8))
        buttons = row((Flow(self.suppose, self.then, self.see, gap=12), 1), (self.ignore, BOTTOM), spacing=8)
        parts = (self.tabs, self.name, (scroll_area(content, page=False), 1), self.without, self.needle, buttons)
        self.setLayout(column(*parts, spacing=8, margins=(16, 14, 16, 14)))

    @property
    def word(self) -> str:
        return self._words[max(0, self.tabs.currentIndex())]

    def _leave(self) -> None:
        """Hear no more: answers may come when the window is gone."""
        self._left = True
        self._requests.drop(self._ticket)

    def _describe(self) -> None:
        self.without.clear()
        self.without.hide()
        self.see.hide()
        self.then.setVisible(self.word in self._adds)
        self.needle.show_chances(None)
        self._requests.drop(self._ticket)
        self._ticket = self._requests.ask(DescribeWord(self.word), self._show, failed=self._fail)

    def _fail(self, failure: Failed) -> None:
        self.counts.setText(tr("This word has not been learned yet."))
        for part in (self.weight, self.chart, self.held, self.list, self.suppose, self.then, self.ignore):
            part.hide()

    def _show(self, story: WordStory) -> None:
        figures = story.figures
        self._ignored = figures.ignored
        self.setWindowTitle(word_name(figures))
        self.name.setText(word_name(figures))
        self.counts.setText(join_sentences(counts_text(story), then_words(story.history, self._came())))
        self.weight.setText(weight_text(figures, self._adds.get(self.word)))
        self.chart.show_history(story.history)
        self.held.setText(tr_count("%n message holds it:", "%n messages hold it:", story.held))
        self.list.set_rows([self._line(message) for message in story.holders])
        self.ignore.setText(tr("Let it count again") if figures.ignored else tr("Ignore this word"))
        self.suppose.setVisible(not figures.ignored)

    def _line(self, message: int) -> TextRow[int]:
        _, chance, verdict = self._table.mails.score_of(message)
        return message_line(self._table, message, (verdict_cell(verdict, None if isnan(chance) else chance),))

    def _came(self) -> float:
        return self._table.mails.mail.heading_of(self._reader.message)[2]

    def _ask(self, command: Command, answered: Callable[[Any], None]) -> None:
        self._tell(tr("One moment…"))
        self._requests.drop(self._ticket)
        self._ticket = self._requests.ask(command, answered)

    def _tell(self, words: str, own: Moved | None = None) -> None:
        self.without.setText(words)
        self.without.show()
        self.needle.show_chances(own)
        self.see.hide()

    def _suppose(self) -> None:
        self._ask(SupposeWithout(self.word, self._reader.message), self._tell_supposed)

    def _tell_supposed(self, found: Supposed) -> None:
        self._supposed = found
        texts = tr_count("Without it %n verdict would change.", "Without it %n verdicts would change.", found.count)
        texts = texts if found.count else tr("Without it no verdict would change.")
        self._tell(join_sentences(texts, open_message_text(found.own)), found.own)
        self.see.setVisible(found.count > 0)

    def _look_back(self) -> None:
        self._ask(ExplainThen(self._reader.message, self._came(), ALL), self._tell_then)

    def _tell_then(self, then: Explanation) -> None:
        self._tell(said_words(then, self.word, self._adds.get(self.word, 0.0)))

    def _see(self) -> None:
        title = tr("What would change without “{word}”").format(word=self.windowTitle())
        moved_window(self, title, self._supposed.moved, self._supposed.count, self._table).show()

    def _ignore(self) -> None:
        name = self.windowTitle()
        command = IgnoreWord(self.word, ignored=not self._ignored)
        self._requests.ask(command, lambda done: self._tell_ignored(name, command.ignored, done))

    def _tell_ignored(self, name: str, ignored: bool, done: Marked) -> None:
        text = tr("“{word}” is ignored from now on.") if ignored else tr("“{word}” counts again.")
        self._told(join_sentences(text.format(word=name), phrases.changed_verdicts_text(done.turned)))
        if not self._left:
            self._describe()


class WordChart(Chart):
    """How often the word had been learned, over time: junk above the line, good mail below it. Has no signals."""

    def __init__(self) -> None:
        super().__init__(110, "")
        self._lines = tuple[WordLine, ...]()

    def show_history(self, lines: tuple[WordLine, ...]) -> None:
        """Show this history; one line or none is no history."""
        self._lines = lines
        self.setVisible(len(lines) > 1)
        ends = [moment_text(line.moment) for line in (lines[0], lines[-1])] if lines else ["", ""]
        text = tr("Learned from {first} to {last}").format(first=ends[0], last=ends[1])
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.update()

    def space_above(self) -> int:
        return GAP

    def scale(self) -> Sequence[tuple[float, str]]:
        junk, good = (self._lines[-1].junk, self._lines[-1].good) if self._lines else (0, 0)
        return (0.0, tr_count("%n good", "%n good", good)), (1.0, tr_count("%n junk", "%n junk", junk))

    def ends(self) -> tuple[str, str]:
        moments = [line.moment for line in (self._lines[0], self._lines[-1])] if self._lines else []
        first, last = (phrases.date_text(moment, time.time()) for moment in moments) if moments else ("", "")
        return first, last

    def draw(self, painter: QPainter) -> None:
        lines = self._lines
        if len(lines) < 2:
            return
        most = max(1, lines[-1].junk) + max(1, lines[-1].good)
        zero = max(1, lines[-1].good) / most
        first, span = lines[0].moment, (lines[-1].moment - lines[0].moment) or 1.0
        for line, following in zip(lines, (*lines[1:], lines[-1]), strict=True):
            left, right = ((each.moment - first) / span for each in (line, following))
            for share, name in ((line.junk / most, "junk"), (-line.good / most, "good")):
                bar = QRectF(self.point(left, zero + share), self.point(right, zero)).normalized()
                painter.fillRect(bar.adjusted(0, 0, 1, 0), color(name))
        painter.setPen(QPen(color("line"), 1))
        painter.drawLine(self.point(0, zero), self.point(1, zero))


class Needle(QWidget):
    """A chance of junk that moves: where it stands, where it would stand, and where junk begins. Has no signals."""

    def __init__(self, junk_from: float) -> None:
        super().__init__()
        self._junk_from, self._chances = junk_from, (0.0, 0.0)
        self.setMinimumHeight(22)
        self.hide()

    def show_chances(self, own: Moved | None) -> None:
        """Show what would become of this message; nothing where there are no chances."""
        known = own is not None and own.before is not None and own.after is not None
        self._chances = (own.before or 0.0, own.after or 0.0) if own is not None else (0.0, 0.0)
        self.setAccessibleName(open_message_text(own))
        self.setVisible(known)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        bar = QRectF(2, self.height() / 2 - 4, self.width() - 4, 8)
        fill_round(painter, bar, color("track"), 4)
        if not isnan(self._junk_from):
            tick = QRectF(bar.left() + bar.width() * self._junk_from - 0.5, 0, 1, self.height())
            painter.fillRect(tick, color("junk"))
        before, after = (bar.left() + bar.width() * chance for chance in self._chances)
        way = QRectF(min(before, after), bar.top(), abs(after - before), bar.height())
        painter.fillRect(way, color("junk_soft" if after > before else "good_soft"))
        for place, name in ((before, "muted"), (after, "accent")):
            fill_round(painter, QRectF(place - 1.5, bar.top() - 5, 3, bar.height() + 10), color(name), 1.5)
        painter.end()


def open_message_text(own: Moved | None) -> str:
    """What would become of the message that is open."""
    if own is None or own.before is None or own.after is None:
        return ""
    text = tr("The open message would go from {before} to {after} ({verdict}).")
    chances = {"before": phrases.percent(own.before), "after": phrases.percent(own.after)}
    return text.format(**chances, verdict=phrases.verdict_text(own.verdict_after))


def word_name(figures: WordFigures) -> str:
    """A word and where it stands, as a title."""
    place = place_text(figures.place) if figures.place != "body" else ""
    name = feature_text(figures.word, figures.place)
    return f"{name} ({place})" if place else name


def counts_text(story: WordStory) -> str:
    """In how many messages of either kind it was, of how many."""
    text = tr("In {junk} of {all_junk} junk and {good} of {all_good} good messages that were learned.")
    figures = story.figures
    counts = {"junk": figures.junk, "all_junk": story.junk_messages, "good": figures.good}
    counts["all_good"] = story.good_messages
    return text.format(**{name: format_count(count) for name, count in counts.items()})


def then_words(history: Sequence[WordLine], came: float) -> str:
    """In how many it had been when the open message came; empty where that is what it is now."""
    then = [line for line in history if line.moment <= came]
    if not history or not came or len(then) == len(history):
        return ""
    junk, good = (then[-1].junk, then[-1].good) if then else (0, 0)
    text = tr("When the open message came it had been in {junk} junk and {good} good ones.")
    return text.format(junk=format_count(junk), good=format_count(good))


def weight_text(figures: WordFigures, adds: float | None) -> str:
    """What the word says now, and why it adds another amount to the message that is open."""
    if figures.ignored:
        return tr("It is ignored: it adds nothing to any score.")
    if not figures.junk and not figures.good:
        return tr("So far it says nothing.")
    weight = figures.log_ratio + figures.correction
    side = tr("junk") if weight > 0 else tr("good mail")
    text = tr("Its weight is {amount}, which speaks for {side}: {ratio} from its counts, {learned} from mistakes.")
    total = round(100 * weight)
    ratio, learned = map(amount_text, settle((figures.log_ratio, figures.correction), total))
    said = text.format(amount=amount_text(total), side=side, ratio=ratio, learned=learned)
    if adds is None or round(100 * adds) == total:
        return said
    here = tr("In the open message it adds {amount}, because all its words share one score.")
    if abs(adds) > abs(weight):
        here = tr("In the open message it adds {amount}, because of how often it stands there, and beside what.")
    return join_sentences(said, here.format(amount=phrases.signed(adds)))


def said_words(then: Explanation, word: str, now: float) -> str:
    """What the word added to the open message when that came, and what it adds now."""
    said = {each.word: each for each in then.contributions}.get(word)
    if said is None:
        return tr("When the open message came it said nothing; now it adds {now} to it.").format(
            now=phrases.signed(now)
        )
    text = tr("When the open message came its weight was {weight} and it added {then}; now it adds {now}.")
    weight = phrases.signed(said.log_ratio + said.correction)
    return text.format(weight=weight, then=phrases.signed(said.contribution), now=phrases.signed(now))
