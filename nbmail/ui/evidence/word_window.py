"""All about one word: how often it was learned and when, what it says, who holds it, and what would be without it."""

import time
from collections.abc import Callable, Sequence
from math import isnan

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QPushButton, QTabBar, QWidget

from nbmail.ui.evidence.clue_texts import bare_word, place_words
from nbmail.ui.evidence.giver_texts import moment_words
from nbmail.ui.evidence.moved_window import MovedWindow
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import grouped, tr, tr_count
from nbmail.ui.kit.layouts import column, row
from nbmail.ui.kit.letter_sizes import give_size, grown
from nbmail.ui.kit.lines_table import LinesTable, TableLine
from nbmail.ui.kit.people import sender_name
from nbmail.ui.kit.plain_text import plain_name, sentences, visible, wrapping_label
from nbmail.ui.kit.theme import shade
from nbmail.ui.list.mail_model import heading_of
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import quiet_button
from nbmail.worker.protocol import Failed, Marked
from nbmail.worker.protocol.words import (
    DescribeWord,
    IgnoreWord,
    Moved,
    Supposed,
    SupposeWithout,
    WordFigures,
    WordLine,
    WordStory,
)

LONGEST = 200
"""Letters of a word, a sender or a subject that are shown."""


class WordWindow(QDialog):
    """One word at a time; where a fact was found as several words, they are tabs. Signals: those of every dialog.

    `told` hears what was done. It stays open beside the mailbox; a message that is chosen in it is shown there.
    """

    def __init__(
        self,
        parent: QWidget,
        requests: EngineRequests,
        table: MailTable,
        words: Sequence[str],
        *,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._requests, self._table, self._words, self._told = requests, table, tuple(words), told
        self._ticket, self._ignored, self._left = 0, False, False
        self._supposed = Supposed((), 0)
        self.tabs = QTabBar()
        for word in self._words:
            place = word.partition(":")[0] if ":" in word else "body"
            self.tabs.addTab(plain_name(place_words(place) or bare_word(word, place)))
        self.tabs.setVisible(len(self._words) > 1)
        self.name = wrapping_label(kind="title")
        self.counts, self.weight, self.without = wrapping_label(), wrapping_label(), wrapping_label()
        self.chart, self.needle = WordChart(), Needle(table.painter_of_rows.junk_from)
        self.list = LinesTable((tr("Verdict"), tr("From"), tr("Subject")), (130, 160, 240), 2, tr("Messages with it"))
        for signal in (self.list.clicked, self.list.activated):
            signal.connect(lambda *_: table.go_to_message(self.list.current()))
        self.held = wrapping_label(kind="muted")
        self.suppose, self.see = quiet_button(tr("What if it didn't count?")), quiet_button(tr("See them"))
        self.ignore = QPushButton()
        for button, act in ((self.suppose, self._suppose), (self.see, self._see), (self.ignore, self._ignore)):
            button.setAutoDefault(False)
            button.clicked.connect(act)
        asking = row(self.suppose, (self.without, 1), self.see, self.ignore, spacing=8)
        parts = (
            self.tabs,
            self.name,
            self.counts,
            self.weight,
            self.chart,
            self.held,
            (self.list, 1),
            asking,
            self.needle,
        )
        self.setLayout(column(*parts, spacing=8, margins=(16, 14, 16, 14)))
        give_size(self, 680, 560)
        self.tabs.currentChanged.connect(self._describe)
        self.finished.connect(self._leave)
        self._describe()

    @property
    def word(self) -> str:
        """The word that is shown."""
        return self._words[max(0, self.tabs.currentIndex())]

    def _leave(self) -> None:
        """Hear no more: answers may come when the window is gone."""
        self._left = True
        self._requests.drop(self._ticket)

    def _describe(self) -> None:
        self.without.clear()
        self.see.hide()
        self.needle.show_chances(None)
        self._requests.drop(self._ticket)
        self._ticket = self._requests.ask(DescribeWord(self.word), self._show, failed=self._fail)

    def _fail(self, failure: Failed) -> None:
        self.counts.setText(tr("This word has not been learned yet."))
        for part in (self.weight, self.chart, self.held, self.list, self.suppose, self.ignore):
            part.hide()

    def _show(self, story: WordStory) -> None:
        figures = story.figures
        self._ignored = figures.ignored
        self.setWindowTitle(word_name(figures))
        self.name.setText(word_name(figures))
        came = heading_of(self._table.mails, self._table.current_message())[2]
        self.counts.setText(sentences(counts_words(story), then_words(story.history, came)))
        self.weight.setText(weight_words(figures))
        self.chart.show_history(story.history)
        self.held.setText(tr_count("%n message holds it:", "%n messages hold it:", story.held))
        self.list.show_lines([self._line(message) for message in story.holders])
        self.ignore.setText(tr("Let it count again") if figures.ignored else tr("Ignore this word"))
        self.suppose.setVisible(not figures.ignored)

    def _line(self, message: int) -> TableLine:
        sender, subject, _ = heading_of(self._table.mails, message)
        _, chance, verdict = self._table.mails.score_of(message)
        name = phrases.verdict_word(verdict) if verdict else ""
        told = name if isnan(chance) else f"{name} · {phrases.percent(chance)}"
        sender = visible(sender_name(sender), LONGEST)
        return TableLine((told, sender, visible(subject, LONGEST) or tr("(no subject)")), message)

    def _suppose(self) -> None:
        self.without.setText(tr("Counting…"))
        self._requests.drop(self._ticket)
        self._ticket = self._requests.ask(SupposeWithout(self.word, self._table.current_message()), self._tell_supposed)

    def _tell_supposed(self, found: Supposed) -> None:
        self._supposed = found
        texts = tr_count("Without it %n verdict would change.", "Without it %n verdicts would change.", found.count)
        texts = texts if found.count else tr("Without it no verdict would change.")
        self.without.setText(sentences(texts, own_words(found.own)))
        self.needle.show_chances(found.own)
        self.see.setVisible(found.count > 0)

    def _see(self) -> None:
        title = tr("What would change without “{word}”").format(word=self.windowTitle())
        MovedWindow(self, title, self._supposed.moved, self._supposed.count, self._table).show()

    def _ignore(self) -> None:
        name = self.windowTitle()
        command = IgnoreWord(self.word, ignored=not self._ignored)
        self._requests.ask(command, lambda done: self._tell_ignored(name, command.ignored, done))

    def _tell_ignored(self, name: str, ignored: bool, done: Marked) -> None:
        text = tr("“{word}” is ignored from now on.") if ignored else tr("“{word}” counts again.")
        self._told(sentences(text.format(word=name), phrases.turned_words(done.turned)))
        if not self._left:
            self._describe()


class WordChart(QWidget):
    """How often the word had been learned, over time: junk above the line, good mail below it. Has no signals."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = tuple[WordLine, ...]()
        self.setMinimumHeight(grown(self, 90))

    def show_history(self, lines: tuple[WordLine, ...]) -> None:
        """Show this history; one line or none is no history."""
        self._lines = lines
        self.setVisible(len(lines) > 1)
        ends = [moment_words(line.moment) for line in (lines[0], lines[-1])] if lines else ["", ""]
        text = tr("Learned from {first} to {last}").format(first=ends[0], last=ends[1])
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, self.minimumHeight())

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self._lines
        if len(lines) < 2:
            return
        painter = QPainter(self)
        below = self.fontMetrics().height() + 4
        area = QRectF(self.rect()).adjusted(1, 4, -1, -below)
        most = max(1, lines[-1].junk) + max(1, lines[-1].good)
        zero = area.top() + area.height() * max(1, lines[-1].junk) / most
        first, last = lines[0].moment, lines[-1].moment
        painter.setPen(Qt.PenStyle.NoPen)
        for line, following in zip(lines, (*lines[1:], lines[-1]), strict=True):
            left, right = (self._across(moment, first, last, area) for moment in (line.moment, following.moment))
            for count, colour, up in ((line.junk, shade("junk"), 1), (line.good, shade("good"), 0)):
                height = area.height() * count / most
                painter.fillRect(QRectF(left, zero - height * up, max(1.0, right - left), height), colour)
        painter.setPen(QPen(shade("line"), 1))
        painter.drawLine(round(area.left()), round(zero), round(area.right()), round(zero))
        painter.setPen(shade("muted"))
        text = QRectF(area.left(), area.bottom(), area.width(), below)
        now = time.time()
        painter.drawText(
            text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, phrases.date_words(first, now)
        )
        painter.drawText(
            text, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, phrases.date_words(last, now)
        )
        painter.end()

    @staticmethod
    def _across(moment: float, first: float, last: float, area: QRectF) -> float:
        return area.left() + area.width() * ((moment - first) / (last - first) if last > first else 0)


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
        self.setAccessibleName(own_words(own))
        self.setVisible(known)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        bar = QRectF(2, self.height() / 2 - 4, self.width() - 4, 8)
        painter.setBrush(shade("track"))
        painter.drawRoundedRect(bar, 4, 4)
        if not isnan(self._junk_from):
            tick = QRectF(bar.left() + bar.width() * self._junk_from - 0.5, 0, 1, self.height())
            painter.fillRect(tick, shade("junk"))
        before, after = (bar.left() + bar.width() * chance for chance in self._chances)
        painter.setBrush(shade("junk_soft" if after > before else "good_soft"))
        painter.drawRect(QRectF(min(before, after), bar.top(), abs(after - before), bar.height()))
        for place, colour in ((before, shade("muted")), (after, shade("accent"))):
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(place - 1.5, bar.top() - 5, 3, bar.height() + 10), 1.5, 1.5)
        painter.end()


def own_words(own: Moved | None) -> str:
    """What would become of the message that is open."""
    if own is None or own.before is None or own.after is None:
        return ""
    text = tr("The open message would go from {before} to {after} ({verdict}).")
    chances = {"before": phrases.percent(own.before), "after": phrases.percent(own.after)}
    return text.format(**chances, verdict=phrases.verdict_word(own.verdict_after))


def word_name(figures: WordFigures) -> str:
    """A word and where it stands, as a title."""
    place = place_words(figures.place) if figures.place != "body" else ""
    name = bare_word(figures.word, figures.place)
    return f"{name} ({place})" if place else name


def counts_words(story: WordStory) -> str:
    """In how many messages of either kind it was, of how many."""
    text = tr("In {junk} of {all_junk} junk and {good} of {all_good} good messages that were learned.")
    figures = story.figures
    counts = {"junk": figures.junk, "all_junk": story.junk_messages, "good": figures.good}
    counts["all_good"] = story.good_messages
    return text.format(**{name: grouped(count) for name, count in counts.items()})


def then_words(history: Sequence[WordLine], came: float) -> str:
    """In how many it had been when the open message came; empty where that is what it is now."""
    then = [line for line in history if line.moment <= came]
    if not history or not came or len(then) == len(history):
        return ""
    junk, good = (then[-1].junk, then[-1].good) if then else (0, 0)
    text = tr("When the open message came it had been in {junk} junk and {good} good ones.")
    return text.format(junk=grouped(junk), good=grouped(good))


def weight_words(figures: WordFigures) -> str:
    """What the word says now."""
    if figures.ignored:
        return tr("It is ignored: it adds nothing to any score.")
    if not figures.junk and not figures.good:
        return tr("So far it says nothing.")
    weight = figures.log_ratio + figures.correction
    side = tr("junk") if weight > 0 else tr("good mail")
    text = tr("Alone it would say {amount}, which speaks for {side}: {ratio} from its counts, {learned} from mistakes.")
    amounts = [phrases.signed(each) for each in (weight, figures.log_ratio, figures.correction)]
    return text.format(amount=amounts[0], side=side, ratio=amounts[1], learned=amounts[2])
