"""Undo and redo: small steps at once, large ones after a question, each with a word on what it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui.actions.long_work import Watched, at_words, run_long
from nbmail.ui.actions.questions import offer_choice, question_box
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr, tr_count
from nbmail.worker.protocol import Failed, GoBack, Marked, Progress, Redo, StepTaken, Undo

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow

Turning = Undo | Redo | GoBack
UNASKED = 32
"""Steps of more labels than this are taken back only after a question."""


class Say(Protocol):
    """Where it is said what happened, with the way back or forth."""

    def __call__(self, text: str, *, undo: bool = False, redo: bool = False) -> None:
        """Say it."""


def take_back(
    window: MainWindow,
    parent: QWidget,
    told: Callable[[Marked], None],
    say: Say,
    *,
    failed: Callable[[Failed], None] | None = None,
    held: Callable[[], None] = lambda: None,
    watched: Watched = lambda progress, cancel: None,
) -> None:
    """Take the latest step back and tell `told`; a large one is `held` until the user says so.

    `say` is told where it was stopped in between.
    """

    def answer(done: Marked) -> None:
        if not done.held or done.step is None:
            told(done)
            return
        held()
        ask_step(parent, done.step, lambda: turn(window, Undo(), told, say, failed=failed, watched=watched))

    turn(window, Undo(UNASKED), answer, say, failed=failed, watched=watched)


def turn(
    window: MainWindow,
    command: Turning,
    told: Callable[[Marked], None],
    say: Say,
    *,
    failed: Callable[[Failed], None] | None = None,
    ended: Callable[[], None] = lambda: None,
    watched: Watched = lambda progress, cancel: None,
) -> None:
    """Take back, do again or go back: with its progress, a way out, and a word on where it was stopped."""

    def stopped(reached: Progress | None) -> None:
        whole = reached is not None and reached.done == reached.total
        undone = isinstance(command, Undo) and whole
        say(turning_stopped_words(command, reached), undo=reached is not None and not undone, redo=undone)

    run_long(
        window,
        command,
        turning_name(command),
        told,
        stopped=stopped,
        failed=failed,
        ended=ended,
        watched=watched,
    )


def turning_name(command: Turning) -> str:
    """What is going on."""
    if isinstance(command, Undo):
        return tr("Taking back")
    return tr("Doing again") if isinstance(command, Redo) else tr("Going back")


def turning_stopped_words(command: Turning, reached: Progress | None) -> str:
    """How far it came, and what can be done then."""
    if reached is None:
        return tr("Stopped before anything was changed.")
    if reached.done == reached.total:
        return at_words(tr("All {total} marks were changed before it could be stopped."), reached)
    if isinstance(command, Undo):
        return at_words(tr("Stopped: {done} of {total} marks are taken back. Undo takes back the rest."), reached)
    if isinstance(command, Redo):
        return at_words(tr("Stopped: {done} of {total} marks are done again. Undo takes them back."), reached)
    return at_words(tr("Stopped after {done} of {total} marks. Undo brings back what was changed."), reached)


def marking_stopped_words(reached: Progress | None) -> str:
    """The same of marking many messages."""
    if reached is None:
        return tr("Stopped before anything was changed.")
    return at_words(tr("Stopped: {done} of {total} messages are marked. Undo takes these marks back."), reached)


def ask_step(parent: QWidget, step: StepTaken, act: Callable[[], None]) -> QMessageBox:
    """Ask before a large step is taken back. Leaving it is the default."""
    text = tr("The latest step was {step}. Take it back?").format(step=step_words(step))
    more = tr("All of it is taken back at once. Redo does it again.")
    box = question_box(parent, tr("Take this back?"), text, more)
    offer_choice(box, tr("Take back"), tr("Leave it"), act)
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
    return " ".join(text for text in (first, phrases.turned_words(done.turned)) if text)


def step_words(step: StepTaken) -> str:
    """A step as a thing that was done."""
    if step.by == "import":
        return tr("importing a model")
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
