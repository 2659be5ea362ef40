"""Undo, redo and going back in time: small steps at once, large ones after a question, each told by its name."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui.actions.long_work import LongWork
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences
from nbmail.ui.window.notices import StatusLine
from nbmail.values import StepTaken
from nbmail.worker.protocol import Failed, GoBack, Marked, Redo, Undo

UNASKED = 32
"""Steps of more labels than this are undone only after a question."""
Told = Callable[[Marked], None]
Fail = Callable[[Failed], None]


class UndoActions:
    """Takes steps back and does them again. Each is done as a whole: there is nothing to stop midway."""

    def __init__(self, work: LongWork, marking: MarkingActions, status: StatusLine, parent: QWidget) -> None:
        self._work, self._marking, self._status, self._parent = work, marking, status, parent

    def undo(self) -> None:
        self.take_back(self._parent, lambda done: self._say(done, undone_words(done), redo=True))

    def redo(self) -> None:
        name, told = tr("Doing again"), lambda done: self._say(done, redone_words(done), undo=True)
        self._work.run(Redo(), name, told, can_stop=False)

    def take_back(
        self, parent: QWidget, told: Told, *, failed: Fail | None = None, asked: Callable[[], None] = lambda: None
    ) -> None:
        """Take the latest step back and tell `told`. Before a large one the user is `asked`, over `parent`."""

        def answer(done: Marked) -> None:
            if done.held and done.step is not None:
                asked()
                ask_step(parent, done.step, lambda: self._undo(Undo(), told, failed))
            else:
                told(done)

        self._undo(Undo(UNASKED), answer, failed)

    def _undo(self, command: Undo, told: Told, failed: Fail | None) -> None:
        self._work.run(command, tr("Taking back"), told, failed=failed, can_stop=False)

    def go_back_before(self, line: int, told: Told, *, failed: Fail, ended: Callable[[], None]) -> None:
        """Set all marks to what they were right before the step of this line of the journal."""
        command = GoBack(before=line)
        self._work.run(command, tr("Going back"), told, failed=failed, ended=ended, can_stop=False)

    def _say(self, done: Marked, words: str, *, undo: bool = False, redo: bool = False) -> None:
        some = did_something(done)
        self._status.say(words, undo=undo and some, redo=redo and some)
        self._status.offer_moved(done.turned if some else 0)
        if len(done.messages) == 1:
            self._marking.target.go_to_message(done.messages[0])


def ask_step(parent: QWidget, step: StepTaken, act: Callable[[], None]) -> QMessageBox:
    """Ask before a large step is taken back. Leaving it is the default."""
    text = tr("The latest step was {step}. Take it back?").format(step=step_words(step))
    more = tr("All of it is taken back at once. Redo does it again.")
    box = question_box(parent, tr("Take this back?"), text, more)
    open_question(box, tr("Take back"), tr("Leave it"), act)
    return box


def undone_words(done: Marked) -> str:
    """What an undo did."""
    return _told(done, tr("Taken back."), tr("Took back: {step}."), tr("There is nothing to undo."))


def redone_words(done: Marked) -> str:
    """What a redo did."""
    return _told(done, tr("Done again."), tr("Did again: {step}."), tr("There is nothing to redo."))


def did_something(done: Marked) -> bool:
    """Whether an undo or redo found something to do: labels, or imported knowledge without any."""
    return bool(done.messages) or done.base


def _told(done: Marked, short: str, long: str, nothing: str) -> str:
    if not did_something(done):
        return nothing
    plain = done.step is None or (done.step.by == "user" and done.step.messages == 1)
    first = short if plain or done.step is None else long.format(step=step_words(done.step))
    return join_sentences(first, phrases.changed_verdicts_text(done.turned))


def step_words(step: StepTaken) -> str:
    """A step as a thing that was done."""
    whole = {
        "import": tr("importing a model"),
        "words": tr("a change of what is ignored"),
        "start": tr("starting from nothing"),
    }
    if step.by in whole:
        return whole[step.by]
    if step.by == "travel":
        return tr_count("going back to %n earlier mark", "going back to %n earlier marks", step.messages)
    if step.by == "folder":
        text = tr_count("learning %n message", "learning %n messages", step.messages)
        return tr("{learning} from {folder}").format(learning=text, folder=step.folder.folder) if step.folder else text
    if step.label is None:
        return tr_count("clearing %n mark", "clearing %n marks", step.messages)
    if step.label == "junk":
        return tr_count("marking %n message junk", "marking %n messages junk", step.messages)
    return tr_count("marking %n message not junk", "marking %n messages not junk", step.messages)
