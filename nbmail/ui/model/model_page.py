"""Base class of the pages about the model: content, or a note while it is loaded."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from nbmail.ui.kit import layouts
from nbmail.ui.model.page_note import PageNote
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.error_texts import failure_text
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import changed_verdicts_text
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.ticket import AnyTicket, Failed, Progress, Ticket

T = TypeVar("T")


def page_footer(hint: QLabel, *buttons: QPushButton) -> QVBoxLayout:
    hint.setProperty("muted", True)
    hint.setWordWrap(True)
    line = (layouts.Flow(*buttons, gap=8), Qt.AlignmentFlag.AlignRight)
    return layouts.column(hint, line, spacing=6, margins=(16, 10, 16, 10))


class ModelPage(QWidget):
    """Base class of a page: content in `stack`, or a note.

    Pages with `follows` reload when something was learned. `say`: called with texts for the status
    line of the model window.
    """

    follows = False

    def __init__(self, context: WindowContext, say: Report) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.engine = context.engine
        self.settings = context.settings
        self.clock = context.clock
        self.say = say
        self.mails = context.model
        self.mail_table = context.table
        self.note = PageNote()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.note)
        self._tickets: dict[str, AnyTicket] = {}

    def lay_out(
        self, content: QWidget, *below: layouts.LayoutItem, above: layouts.LayoutItem = 0
    ) -> None:
        """Lay out the content of `stack`, with parts around it that are always visible."""
        self.stack.addWidget(content)
        self.setLayout(layouts.column(above, (self.stack, 1), *below))

    def load(self) -> None:
        """Request the content. Shown content stays until it arrives."""

    def refresh(self) -> None:
        if self.follows and not self.is_loading:
            self.load()

    def show_note(
        self, text: str, button: str = "", act: Callable[[], None] = lambda: None
    ) -> None:
        self.note.show_text(text, button, act)
        self.stack.setCurrentIndex(0)

    def show_content(self) -> None:
        note_had_focus = self.note.button.hasFocus()
        self.stack.setCurrentIndex(1)
        content = self.stack.currentWidget()
        if note_had_focus and content is not None:
            content.setFocus()

    def request(
        self,
        ticket: Ticket[T],
        done: Callable[[T], object],
        waiting: str,
        *,
        progressed: Callable[[Progress[T]], object] | None = None,
        keep: bool = False,
    ) -> None:
        """Show the result of a request and drop the earlier one.

        `keep`: the content stays visible meanwhile.
        """
        self.keep_latest("", ticket).then(
            done,
            failed=self._fail,
            progressed=progressed or self.show_progress,
            cancelled=lambda: self.show_note(tr("Stopped."), tr("Check again"), self.load),
            ended=self._ended,
        )
        if not (keep and self.stack.currentIndex() == 1):
            self._show_work(waiting, ticket.cancel)

    def _show_work(self, waiting: str, cancel: Callable[[], None]) -> None:
        """Show a running request in place of the content."""
        focused = self.window().focusWidget()
        self.note.show_work(waiting, cancel)
        self.stack.setCurrentIndex(0)
        if isinstance(focused, QPushButton) and self.isAncestorOf(focused):
            # The button gets disabled, so that the focus would leave the page.
            self.note.button.setFocus()

    @property
    def is_loading(self) -> bool:
        return "" in self._tickets and self._tickets[""].is_pending

    def keep_latest(self, name: str, ticket: Ticket[T]) -> Ticket[T]:
        """Drop the earlier request of this name, and this one when the page is left."""
        if name in self._tickets:
            self._tickets[name].drop()
        self._tickets[name] = ticket
        return ticket

    def stop(self) -> None:
        for ticket in self._tickets.values():
            ticket.drop()
        self._tickets.clear()

    def go_to_message(self, message: int) -> None:
        """Select a message in the mail list of the main window, if the list contains it."""
        if self.mails.row_of(message) >= 0:
            self.mail_table.go_to_message(message)
        else:
            self.say(tr("This message isn't in the current list of the main window."))

    def say_done(self, text: str, done: Marked) -> None:
        """Report what was done and how many verdicts changed, with an Undo button, and reload."""
        self.say(join_sentences(text, changed_verdicts_text(done.changed_verdicts)), undo=True)
        self.load()

    def say_failure(self, failure: Failed) -> None:
        self.say(failure_text(failure))

    def _fail(self, failure: Failed) -> None:
        self.show_note(failure_text(failure), tr("Try again"), self.load)

    def _ended(self) -> None:
        """Update the buttons after the end of a request."""

    def show_progress(self, progress: Progress[object]) -> None:
        self.note.bar.setRange(0, progress.total)
        self.note.bar.setValue(progress.done)
