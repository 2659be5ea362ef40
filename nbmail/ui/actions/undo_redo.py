"""Undo, redo and restore. Large steps are undone after a question."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.actions.action_table import ActionTable, LongWork
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import phrases
from nbmail.ui.kit.phrases import tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences, visible
from nbmail.ui.list.mail_columns import MailColumns
from nbmail.ui.window.notices import StatusLine
from nbmail.values import StepTaken
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.events import Learned
from nbmail.worker.protocol.results import Marked
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
        self,
        engine: Engine,
        work: LongWork,
        marking: MarkingActions,
        status: StatusLine,
        parent: QWidget,
        *,
        actions: ActionTable,
        mail: MailColumns,
    ) -> None:
        self._engine, self._work, self._actions, self._mail = engine, work, actions, mail
        self._marking, self._status, self._parent = marking, status, parent

    def offer(self, learned: Learned) -> None:
        """Enable the actions and name the next steps in their menus."""
        undo, redo = self._name(learned.next_undo), self._name(learned.next_redo)
        self._actions.offer_steps(
            undo=learned.undo > 0,
            redo=learned.redo > 0,
            undo_text=undo and tr("Undo: {step}").format(step=undo),
            redo_text=redo and tr("Redo: {step}").format(step=redo),
        )

    def _name(self, step: StepTaken | None) -> str:
        if step is None:
            return ""
        subject = self._subject(step.message) if step.message and step.by == "user" else ""
        return _named_mark(step, subject) if subject else step_text(step)

    def _subject(self, message: int) -> str:
        _, subject, date = self._mail.heading_of(message)
        return (visible(subject, LONGEST_SUBJECT).strip() or tr("(no subject)")) if date else ""

    def _subject_of(self, done: Marked) -> str:
        return self._subject(done.messages[0]) if len(done.messages) == 1 else ""

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"undo": self.undo, "redo": self.redo}

    def undo(self) -> None:
        self.undo_over(
            self._parent, lambda done: self._report(done, undone_text(done, self._subject_of(done)), redo=True)
        )

    def redo(self) -> None:
        ticket = self._engine.redo()
        self._work.show(
            ticket,
            tr("Redoing"),
            lambda done: self._report(done, redone_text(done, self._subject_of(done)), undo=True),
            can_stop=False,
        )

    def undo_over(
        self,
        parent: QWidget,
        done: Done,
        *,
        failed: Fail | None = None,
        before_question: Callable[[], None] = lambda: None,
    ) -> None:
        """Undo the latest step, then call `done`. Call `before_question` and ask before a large step."""

        def answer(marked: Marked) -> None:
            if marked.too_large and marked.step is not None:
                before_question()
                ask_step(parent, marked.step, lambda: self._show_undo(self._engine.undo(), done, failed))
            else:
                done(marked)

        self._show_undo(self._engine.undo(MAX_UNASKED), answer, failed)

    def _show_undo(self, ticket: Ticket[Marked], done: Done, failed: Fail | None) -> None:
        self._work.show(ticket, tr("Undoing"), done, failed=failed, can_stop=False)

    def restore(self, before: int, done: Done, *, failed: Fail, ended: Callable[[], None]) -> None:
        ticket = self._engine.restore(before)
        self._work.show(ticket, tr("Restoring marks"), done, failed=failed, ended=ended, can_stop=False)

    def _report(self, done: Marked, text: str, *, undo: bool = False, redo: bool = False) -> None:
        some = changed_something(done)
        self._status.report(text, undo=undo and some, redo=redo and some)
        self._status.offer_changes(done.changed_verdicts if some else 0)
        if len(done.messages) == 1:
            self._marking.target.go_to_message(done.messages[0])


def ask_step(parent: QWidget, step: StepTaken, act: Callable[[], None]) -> QMessageBox:
    """Ask before a large step is undone. The default is no."""
    text = tr("Undo {step}?").format(step=step_text(step))
    more = tr("The whole change is undone at once. You can redo it.")
    box = question_box(parent, tr("Undo this change?"), text, more)
    open_question(box, tr("Undo"), tr("Cancel"), act)
    return box


def undone_text(done: Marked, subject: str = "") -> str:
    """Return the message after an undo. `subject`: of the only message that changed."""
    if not changed_something(done):
        return tr("There is nothing to undo.")
    return _step_message(done, tr("Undone."), tr("Undone: {step}."), subject)


def redone_text(done: Marked, subject: str = "") -> str:
    """Return the message after a redo. `subject`: of the only message that changed."""
    if not changed_something(done):
        return tr("There is nothing to redo.")
    return _step_message(done, tr("Redone."), tr("Redone: {step}."), subject)


def changed_something(done: Marked) -> bool:
    """True if an undo or redo changed labels or imported counts, or moved sorted messages back."""
    return bool(done.messages) or done.imported or (done.step is not None and done.step.by == "sorting")


def _step_message(done: Marked, short: str, long: str, subject: str) -> str:
    plain = done.step is None or (done.step.by == "user" and done.step.messages == 1)
    first = short if plain or done.step is None else long.format(step=step_text(done.step))
    if plain and subject and done.step is not None:
        first = long.format(step=_mark_text(done.label, done.step.label, subject))
    return join_sentences(first, phrases.changed_verdicts_text(done.changed_verdicts))


def _mark_text(now: str | None, label: str | None, subject: str) -> str:
    """Return the state of a message after an undo or redo. `label`: assigned by the step."""
    again = {"junk": tr("“{subject}” is marked as junk again"), "good": tr("“{subject}” is marked as not junk again")}
    gone = {
        "junk": tr("“{subject}” is no longer marked as junk"),
        "good": tr("“{subject}” is no longer marked as not junk"),
    }
    other = tr("“{subject}” is no longer marked")
    text = gone.get(label or "", other) if now is None else again.get(now, other)
    return text.format(subject=subject)


def _named_mark(step: StepTaken, subject: str) -> str:
    """Return the name of a step with one mark."""
    names = {"junk": tr("marking “{subject}” as junk"), "good": tr("marking “{subject}” as not junk")}
    return names.get(step.label or "", tr("clearing the mark of “{subject}”")).format(subject=subject)


def _flag_text(step: StepTaken) -> str:
    if step.label == "\\Seen":
        return tr_count("marking %n message as read", "marking %n messages as read", step.messages)
    if step.label:
        return tr_count("flagging %n message", "flagging %n messages", step.messages)
    return tr_count("removing the flag of %n message", "removing the flags of %n messages", step.messages)


def _moving_text(step: StepTaken) -> str:
    if step.folder is None:
        return tr_count("moving %n message", "moving %n messages", step.messages)
    text = tr_count("moving %n message to {folder}", "moving %n messages to {folder}", step.messages)
    return text.format(folder=folder_name(step.folder))


def step_text(step: StepTaken) -> str:
    """Return the name of a step."""
    whole = {
        "import": tr("importing a model"),
        "words": tr("ignoring or restoring a word"),
        "phrases": tr("adding or removing a phrase"),
        "rule": tr("changing a rule for a sender"),
        "start": tr("resetting the training"),
        "method": tr("changing the method"),
        "costs": tr("changing the costs of mistakes"),
        "sorting": tr("sorting the inbox"),
    }
    if step.by in whole:
        return whole[step.by]
    if step.by == "travel":
        return tr_count("restoring %n earlier mark", "restoring %n earlier marks", step.messages)
    if step.by in ("move", "flag"):
        return _moving_text(step) if step.by == "move" else _flag_text(step)
    if step.by == "folder":
        text = tr_count("learning %n message", "learning %n messages", step.messages)
        return tr("{learning} from {folder}").format(learning=text, folder=step.folder.folder) if step.folder else text
    return _marks_text(step)


def _marks_text(step: StepTaken) -> str:
    if step.label == "junk":
        return tr_count("marking %n message as junk", "marking %n messages as junk", step.messages)
    if step.label is None:
        return tr_count("clearing %n mark", "clearing %n marks", step.messages)
    return tr_count("marking %n message as not junk", "marking %n messages as not junk", step.messages)
