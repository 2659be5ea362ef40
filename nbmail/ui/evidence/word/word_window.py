"""Window for one word: its counts and weight, messages with it, and scores without it."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar

from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.evidence.features.place_texts import place_text
from nbmail.ui.evidence.messages_window import (
    changed_verdicts_window,
    message_line,
    messages_table,
    verdict_cell,
)
from nbmail.ui.evidence.word.chance_bar import ChanceBar, open_message_text
from nbmail.ui.evidence.word.word_chart import WordChart
from nbmail.ui.evidence.word.word_texts import (
    both_weights_text,
    counts_text,
    ignore_text,
    ignored_text,
    past_counts_text,
    weight_text,
    word_name,
)
from nbmail.ui.kit.buttons import make_button, quiet_button
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.layouts import Flow, as_widget, column, row, scroll_area
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow
from nbmail.ui.lab.posterior_chart import PosteriorChart
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.texts.error_texts import failure_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.mark_texts import changed_verdicts_text
from nbmail.ui.texts.plain_text import join_sentences, plain_name
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.quality import WordWeights
from nbmail.worker.protocol.ticket import Failed, Progress
from nbmail.worker.protocol.verdicts import Simulation, VerdictChange
from nbmail.worker.protocol.words import WordDescription

LEAST_LIST = 130
"""Minimum height in pixels of the list of messages."""


class WordWindow(SideWindow):
    """Window for one word; words of one fact are tabs.

    `adds`: contributions of words to the open message.
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
        self._ignored = False
        self._drop_query: Callable[[], None] = lambda: None
        self._simulated = Simulation((), 0)
        self._make_tabs()
        self._make_description()
        self._make_queries()
        self._lay_out()
        self.tabs.currentChanged.connect(self._describe)
        self.finished.connect(lambda _: self._drop_query())
        self._describe()

    def _make_tabs(self) -> None:
        self.tabs = QTabBar()
        for word in self._words:
            place = word.partition(":")[0] if ":" in word else "body"
            self.tabs.addTab(plain_name(place_text(place) or feature_text(word)))
        self.tabs.setVisible(len(self._words) > 1)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)

    def _make_description(self) -> None:
        self.name = wrapping_label(kind="title")
        self.counts = wrapping_label()
        self.weight = wrapping_label()
        self.chart = WordChart()
        self.posterior = PosteriorChart()
        self.holders = wrapping_label(kind="muted")
        self.list = messages_table(self._table, tr("Messages with this word"), (tr("Verdict"),))
        self.list.setMinimumHeight(scaled(self, LEAST_LIST))

    def _make_queries(self) -> None:
        self.without = wrapping_label()
        self.chance_bar = ChanceBar(self._table.row_painter.chance_cell.spam_from)
        self.simulate = quiet_button(tr("Preview without this word"), self._simulate, flush=True)
        self.weigh = quiet_button(tr("Compare with logistic regression"), self._weigh, flush=True)
        self.see = quiet_button(tr("Show messages"), self._see, flush=True)
        self.ignore = make_button("", self._ignore)
        for button in (self.simulate, self.weigh, self.see, self.ignore):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        """Keep the buttons in place at the bottom; answers appear above them."""
        about = column(
            self.counts,
            self.weight,
            self.chart,
            self.posterior,
            self.holders,
            (self.list, 1),
            spacing=8,
        )
        content = scroll_area(as_widget(about), page=False)
        queries = Flow(self.simulate, self.weigh, self.see, gap=12)
        bottom = Qt.AlignmentFlag.AlignBottom
        buttons = row((queries, 1), (self.ignore, bottom), spacing=8)
        contents = column(
            self.tabs,
            self.name,
            (content, 1),
            self.without,
            self.chance_bar,
            buttons,
            spacing=8,
            margins=(16, 14, 16, 14),
        )
        self.setLayout(contents)

    @property
    def word(self) -> str:
        return self._words[max(0, self.tabs.currentIndex())]

    # ---------------------------------------------------------------------------------------------
    # description

    def _describe(self) -> None:
        self.without.hide()
        self.see.hide()
        self.chance_bar.hide()
        self._drop_query()
        ticket = self._engine.describe_word(self.word)
        self._drop_query = ticket.then(self._show, failed=self._show_unknown).drop

    def _show_unknown(self, failure: Failed) -> None:
        self.counts.setText(tr("nbmail doesn't know this word yet."))
        self.weight.hide()
        self.chart.hide()
        self.posterior.hide()
        self.holders.hide()
        self.list.hide()
        self.simulate.hide()
        self.weigh.hide()
        self.ignore.hide()

    def _show(self, story: WordDescription) -> None:
        figures = story.figures
        name = word_name(figures)
        self.setWindowTitle(name)
        self.name.setText(name)
        past = past_counts_text(story.history, self._moment())
        self.counts.setText(join_sentences(counts_text(story), past))
        weight = weight_text(figures, self._adds.get(self.word))
        overlap = tr("Its words also count one by one.") if figures.place == "phrase" else ""
        self.weight.setText(join_sentences(weight, overlap))
        self.chart.show_history(story.history)
        self.posterior.show_word(story)
        self.holders.setText(
            tr_count("%n message contains it:", "%n messages contain it:", story.message_count)
        )
        self.list.set_rows([self._line(message) for message in story.messages])
        self._show_ignored(figures.ignored)

    def _show_ignored(self, ignored: bool) -> None:
        self._ignored = ignored
        self.ignore.setText(plain_name(ignore_text(len(self._words), ignored=ignored)))
        self.simulate.setVisible(not ignored)

    def _line(self, message: int) -> TextRow[int]:
        _, chance, verdict = self._table.mails.score_of(message)
        cell = verdict_cell(verdict, None if isnan(chance) else chance)
        return message_line(self._table, message, (cell,))

    def _moment(self) -> float:
        """Return the moment of the open message."""
        _, _, moment = self._table.mails.mail.heading_of(self._reader.message)
        return moment

    # ---------------------------------------------------------------------------------------------
    # queries

    def _begin_query(self) -> None:
        self._show_answer(tr("Calculating…"))
        self._drop_query()

    def _show_answer(self, text: str, own: VerdictChange | None = None) -> None:
        """Show an answer. `own`: change of the open message."""
        self.without.setText(text)
        self.without.show()
        self.chance_bar.show_chances(own)
        self.see.hide()

    def _simulate(self) -> None:
        self._begin_query()
        ticket = self._engine.simulate_without(self._words, self._reader.message)
        self._drop_query = ticket.then(self._show_simulation).drop

    def _show_simulation(self, found: Simulation) -> None:
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

    def _see(self) -> None:
        title = tr("Verdicts that would change without “{word}”").format(word=self.windowTitle())
        found = self._simulated
        changed_verdicts_window(self, title, found.changes, found.total, self._table).show()

    def _weigh(self) -> None:
        """Train two methods on request, and show what the word weighs by each."""
        self._begin_query()
        ticket = self._engine.weigh_word(self.word).then(
            lambda weights: self._show_answer(both_weights_text(weights)),
            failed=lambda failure: self._show_answer(failure_text(failure)),
            progressed=self._show_weighing,
        )
        self._drop_query = ticket.drop

    def _show_weighing(self, progress: Progress[WordWeights]) -> None:
        if progress.total:
            text = tr("Learning from marked messages: {done} of {total}")
            done = format_count(progress.done)
            self._show_answer(text.format(done=done, total=format_count(progress.total)))

    def _ignore(self) -> None:
        ignored = not self._ignored
        text = ignored_text(self.windowTitle(), self._words, ignored=ignored)

        def report(done: Marked) -> None:
            changed = changed_verdicts_text(done.changed_verdicts)
            self._status.report(join_sentences(text, changed), undo=True)
            if not self.is_closed:
                self._describe()

        self._engine.ignore_words(self._words, ignored=ignored).then(report)
