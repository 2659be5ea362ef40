"""Undo, redo and restore. Large steps are undone after a question."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui.actions.action_table import ActionTable
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.step_texts import changed_something, named_mark_text, step_text, undone_text
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import visible
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import StepTaken
from nbmail.worker.protocol.events import Learned
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.ticket import Failed, Ticket

MAX_UNASKED = 32
"""Labels of the largest step that is undone without a question."""
LONGEST_SUBJECT = 48
"""Characters of a subject in the name of a step."""
Done = Callable[[Marked], None]
Fail = Callable[[Failed], None]


class UndoActions:
    """Undoes and redoes steps. A step cannot be cancelled halfway."""

    def __init__(
        self, context: WindowContext, marking: MarkingActions, actions: ActionTable
    ) -> None:
        self._engine = context.engine
        self._actions = actions
        self._mail = context.model.mail
        self._marking = marking
        self._status = context.status
        self._parent = context.window

    def offer(self, learned: Learned) -> None:
        """Enable undo and redo, with the names of their steps in the menus."""
        self._actions.offer_undo(learned.undo > 0, self._undo_text(learned.next_undo))
        self._actions.offer_redo(learned.redo > 0, self._redo_text(learned.next_redo))

    def _undo_text(self, step: StepTaken | None) -> str:
        return tr("Undo: {step}").format(step=self._name(step)) if step else ""

    def _redo_text(self, step: StepTaken | None) -> str:
        return tr("Redo: {step}").format(step=self._name(step)) if step else ""

    def _name(self, step: StepTaken) -> str:
        """Return the name of a step: for the mark of one message, with its subject."""
        if step.message and step.by == "user":
            subject = self._subject(step.message)
            if subject:
                return named_mark_text(step, subject)
        return step_text(step)

    def _subject(self, message: int) -> str:
        """Return the subject of a message, "" if it is not in the list."""
        _, subject, date = self._mail.heading_of(message)
        if not date:
            return ""
        return visible(subject, LONGEST_SUBJECT).strip() or tr("(no subject)")

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"undo": self.undo, "redo": self.redo}

    def undo(self) -> None:
        self.undo_over(self._parent, self._report)

    def redo(self) -> None:
        report: Done = partial(self._report, redone=True)
        self._status.follow(self._engine.redo(), tr("Redoing"), report, can_stop=False)

    def undo_over(
        self,
        parent: QWidget,
        done: Done,
        *,
        failed: Fail | None = None,
        before_question: Callable[[], None] = lambda: None,
    ) -> None:
        """Undo the latest step, then call `done`.

        A large step is undone after a question. `before_question` is called before it.
        """

        def undo_all() -> None:
            self._show_undo(self._engine.undo(), done, failed)

        def answer(marked: Marked) -> None:
            if marked.too_large and marked.step is not None:
                before_question()
                ask_step(parent, marked.step, undo_all)
            else:
                done(marked)

        self._show_undo(self._engine.undo(MAX_UNASKED), answer, failed)

    def _show_undo(self, ticket: Ticket[Marked], done: Done, failed: Fail | None) -> None:
        self._status.follow(ticket, tr("Undoing"), done, failed=failed, can_stop=False)

    def restore(self, before: int, done: Done, *, failed: Fail, ended: Callable[[], None]) -> None:
        ticket = self._engine.restore(before)
        self._status.follow(
            ticket, tr("Restoring marks"), done, failed=failed, ended=ended, can_stop=False
        )

    def _report(self, done: Marked, *, redone: bool = False) -> None:
        is_one = len(done.messages) == 1
        subject = self._subject(done.messages[0]) if is_one else ""
        text = undone_text(done, subject, redone=redone)
        if changed_something(done):
            self._status.report(text, undo=redone, redo=not redone)
            self._status.offer_changes(done.changed_verdicts)
        else:
            self._status.report(text)
        if is_one:
            self._marking.target.go_to_message(done.messages[0])


def ask_step(parent: QWidget, step: StepTaken, act: Callable[[], None]) -> QMessageBox:
    text = tr("Undo {step}?").format(step=step_text(step))
    more = tr("The whole change is undone at once. You can redo it.")
    box = question_box(parent, tr("Undo this change?"), text, more)
    open_question(box, tr("Undo"), tr("Cancel"), act)
    return box
