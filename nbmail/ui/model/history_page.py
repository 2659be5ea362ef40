"""Page of the history of marks, which can be restored."""

from collections.abc import Sequence
from functools import partial

from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.evidence.label_source_texts import journal_source_text
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.model_page import ModelPage, page_footer
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.date_texts import date_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.mark_texts import changed_verdicts_text, label_name
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import JournalLine
from nbmail.worker.protocol.marks import Marked

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
        self.table.set_rows([self._row(each) for each in lines])
        self.restore.setEnabled(bool(lines))
        self.older.setVisible(self._has_older(lines))
        self.hint.setText(self._hint_text(lines))
        if lines:
            self.show_content()
        else:
            self.show_note(tr("No marks yet. Every mark will be listed here."))

    def _has_older(self, lines: Sequence[JournalLine]) -> bool:
        """True if there may be more changes than were requested."""
        return len(lines) == self._limit

    def _hint_text(self, lines: Sequence[JournalLine]) -> str:
        if not lines:
            return ""
        hint = tr("Press Enter or double-click to show the message in the main window.")
        if not self._has_older(lines):
            return hint
        count = format_count(len(lines))
        latest = tr("Showing the latest {count} changes.").format(count=count)
        return join_sentences(hint, latest)

    def _row(self, line: JournalLine) -> TextRow[JournalLine]:
        cells = (
            date_text(line.moment, self.clock()),
            line.subject or tr("no subject"),
            f"{label_name(line.before)} → {label_name(line.after)}",
            journal_source_text(line),
        )
        return TextRow(cells, line)

    def confirm_restore(self) -> None:
        line = self.table.selected()
        text = tr("Restore all marks to their state before this change ({when}: {subject})?")
        text = text.format(
            when=date_text(line.moment, self.clock()), subject=line.subject or tr("no subject")
        )
        box = question_box(self, tr("Restore marks?"), text, tr("You can undo this."))
        open_question(box, tr("Restore"), tr("Cancel"), partial(self._restore, line.number))

    def _restore(self, number: int) -> None:
        self.restore.setEnabled(False)
        self.say(tr("Restoring marks…"))
        self._undoing.restore(
            number, self._report_restored, failed=self.say_failure, ended=self.load
        )

    def _report_restored(self, done: Marked) -> None:
        count = len(done.messages)
        text = tr("Nothing changed: all marks already had that state.")
        if count:
            text = tr_count("%n mark changed.", "%n marks changed.", count)
        changed = changed_verdicts_text(done.changed_verdicts)
        self.say(join_sentences(text, changed), undo=bool(count))
