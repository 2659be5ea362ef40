"""The journal of marks, and going back to before any of them."""

from collections.abc import Callable, Sequence

from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.evidence.label_source_texts import journal_source_text
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import join_sentences, plain_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.model_page import ModelPage, PageContext
from nbmail.ui.past.past_texts import changed_words, label_word
from nbmail.ui.window.notices import make_button
from nbmail.values import JournalLine
from nbmail.worker.protocol import Marked, ShowJournal

MOST = 1000
"""Marks asked for at first, and so many more each time older ones are wanted."""


class MarksPage(ModelPage):
    """Marks, newest first: the latest, and older ones when asked for. Has no signals of its own."""

    follows = True

    def __init__(self, context: PageContext, undoing: UndoActions, clock: Callable[[], float]) -> None:
        super().__init__(context)
        self._undoing, self._clock = undoing, clock
        headings = (tr("When"), tr("Subject"), tr("Mark"), tr("By"))
        self.table: TextTable[JournalLine] = TextTable(
            headings, (130, 200, 170, 160), 1, tr("Marks, newest first"), whole=(0,)
        )
        self.button = make_button(tr("&Go back to before this…"), self.ask_to_go_back)
        self.older = make_button(tr("Show &older marks"), self.load_older)
        self.hint = plain_label()
        self.hold(self.table, self.hint, self.older, self.button)
        self._wanted = MOST
        self._list(())

    def load(self) -> None:
        """Ask for the journal; what is shown stays until it comes."""
        self.ask(ShowJournal(self._wanted), self._list, tr("Reading the journal…"), keep=True)

    def load_older(self) -> None:
        self._wanted += MOST
        self.load()

    def _list(self, lines: Sequence[JournalLine]) -> None:
        more = len(lines) == self._wanted
        self.table.set_rows([self._line(each) for each in lines])
        self.button.setEnabled(bool(lines))
        self.older.setVisible(more)
        hint = tr("Enter or a double click shows the message in the main window.") if lines else ""
        latest = tr("The latest {count} changes are listed.").format(count=format_count(len(lines))) if more else ""
        self.hint.setText(join_sentences(hint, latest))
        if lines:
            self.show_content()
        else:
            self.say(tr("Nothing has been marked yet. Every mark you give will be listed here."))

    def _line(self, line: JournalLine) -> TextRow[JournalLine]:
        when = phrases.date_text(line.moment, self._clock())
        turn = f"{label_word(line.before)} → {label_word(line.after)}"
        return TextRow((when, line.subject or tr("no subject"), turn, journal_source_text(line)), line)

    def ask_to_go_back(self) -> None:
        """Ask whether every mark shall be set to what it was before the current line."""
        line = self.table.selected()
        text = tr("Set all marks to what they were before this one ({when}: {subject})?")
        when = phrases.date_text(line.moment, self._clock())
        text = text.format(when=when, subject=line.subject or tr("no subject"))
        more = tr("nbmail then says how many marks changed, and Undo brings all of them back.")
        box = question_box(self, tr("Go back?"), text, more)
        open_question(box, tr("Go back"), tr("Leave them"), lambda: self._go_back(line))

    def _go_back(self, line: JournalLine) -> None:
        self.button.setEnabled(False)
        self.tell(tr("Going back…"))
        self._undoing.go_back_before(line.number, self._say_gone, failed=self.tell_failure, ended=self.load)

    def _say_gone(self, done: Marked) -> None:
        words = join_sentences(changed_words(len(done.messages)), phrases.changed_verdicts_text(done.turned))
        self.tell(words, undo=bool(done.messages))
