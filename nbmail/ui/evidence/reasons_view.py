"""Controller of the reasons panel: expands it, and queries the engine for its buttons."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine
from nbmail.ui.evidence.messages_window import changed_verdicts_window
from nbmail.ui.evidence.reason_texts import simulation_text
from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.evidence.word.word_window import WordWindow
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.texts.error_texts import failure_text
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import changed_verdicts_text, counted_phrase_text
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.panes import Panes
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.verdicts import Simulation, VerdictChange


class ReasonsView(QObject):
    """Queries the engine about the current message, one query at a time.

    The expanded panel replaces the list. A change of the list collapses it.
    """

    def __init__(
        self,
        context: WindowContext,
        panel: ReasonsPanel,
        message: MessagePane,
        reader: OpenMessage,
        panes: Panes,
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._engine = context.engine
        self._table = context.table
        self._status = context.status
        self._panel = panel
        self._body = message.body
        self._reader = reader
        self._panes = panes
        self._drop_query: Callable[[], None] = lambda: None
        self._arrangement = context.table.mails.arrangement
        self._simulated = Simulation((), 0)
        self._connect(message)

    def _connect(self, message: MessagePane) -> None:
        panel = self._panel
        panel.if_spam.clicked.connect(lambda: self._simulate("spam"))
        panel.if_ham.clicked.connect(lambda: self._simulate("ham"))
        panel.see.clicked.connect(self._show_simulated)
        panel.word_opened.connect(self._open_line)
        panel.table.pointed.connect(message.point_at)
        panel.expand.clicked.connect(self.toggle)
        message.body.word_clicked.connect(lambda word: self.open_words([word]))
        message.body.phrase_chosen.connect(self._add_phrase)
        self._status.changes.clicked.connect(self.show_latest)
        self._table.verdict_clicked.connect(self.toggle)
        self._table.mails.arranged.connect(self._collapse_after_change)

    # ---------------------------------------------------------------------------------------------
    # the expanded panel

    def _collapse_after_change(self) -> None:
        if self._panes.reasons_expanded and self._table.mails.arrangement != self._arrangement:
            self.toggle()

    def leave(self, otherwise: Callable[[], None]) -> None:
        """Collapse the panel, or call `otherwise` if it is not expanded."""
        if self._panes.reasons_expanded:
            self.toggle()
        else:
            otherwise()

    def toggle(self) -> None:
        """Show all reasons in place of the list, or the list again."""
        expanded = not self._panes.reasons_expanded
        self._arrangement = self._table.mails.arrangement
        if expanded and self._reader.message < 0:
            return
        self._panes.expand_reasons(expanded)
        self._panel.set_expanded(expanded)
        if expanded:
            self._panel.table.setFocus()
        elif self._table.isVisible():
            self._table.setFocus()
        else:
            self._body.setFocus()

    def show_spam_threshold(self, spam_from: float, spam_per_lost: float) -> bool:
        """Show the spam threshold in the list and the panel.

        True if the shown reasons have another threshold.
        """
        self._panel.spam_per_lost = spam_per_lost
        self._table.row_painter.chance_cell.spam_from = spam_from
        why = self._panel.why
        return why is not None and why.spam_from not in (None, spam_from)

    # ---------------------------------------------------------------------------------------------
    # simulated marks

    def _simulate(self, label: str) -> None:
        message = self._reader.message

        def show(found: Simulation) -> None:
            if message == self._reader.message:
                self._simulated = found
                self._panel.show_answer(simulation_text(label, found.total), see=found.total > 0)

        self._panel.show_answer(tr("Calculating…"))
        self._drop_query()
        self._drop_query = self._engine.simulate_mark(message, label).then(show).drop

    def _show_simulated(self) -> None:
        title = tr("Verdicts this mark would change")
        self._show_changed(title, self._simulated.changes, self._simulated.total)

    def show_latest(self) -> None:
        """Show the messages whose verdict the latest mark changed."""
        title = tr("Verdicts changed by this mark")
        self._engine.list_changed_verdicts().then(
            lambda changes: self._show_changed(title, changes, len(changes))
        )

    def _show_changed(self, title: str, changes: Sequence[VerdictChange], count: int) -> None:
        changed_verdicts_window(self._context.window, title, changes, count, self._table).show()

    # ---------------------------------------------------------------------------------------------
    # words and phrases

    def _open_line(self, line: BreakdownLine) -> None:
        self.open_words([each.word for each in line.features])

    def open_words(self, words: Sequence[str]) -> None:
        breakdown = self._panel.breakdown
        adds = breakdown.added() if breakdown is not None else {}
        WordWindow(self._context, self._reader, words, adds).show()

    def _add_phrase(self, phrase: str) -> None:
        self._status.report(tr("Counting the phrase in your mail…"))
        self._engine.set_phrase(phrase).then(
            self._report_phrase,
            failed=lambda failure: self._status.report(failure_text(failure)),
        )

    def _report_phrase(self, done: Marked) -> None:
        changed = changed_verdicts_text(done.changed_verdicts)
        text = join_sentences(counted_phrase_text(done.unread), changed)
        self._status.report(text, undo=True)
