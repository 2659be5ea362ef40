"""Undo and redo: small steps at once, large ones after a question, each with a word on what it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui import format
from nbmail.ui.language import tr, tr_count
from nbmail.ui.questions import offer_choice, question_box
from nbmail.worker.protocol import Failed, Marked, StepTaken, Undo

if TYPE_CHECKING:
    from nbmail.ui.main_window import MainWindow

UNASKED = 32
"""Steps of more labels than this are taken back only after a question."""


def take_back(
    window: MainWindow,
    parent: QWidget,
    told: Callable[[Marked], None],
    *,
    failed: Callable[[Failed], None] | None = None,
    held: Callable[[], None] = lambda: None,
) -> None:
    """Take the latest step back and tell `told`; a large one is `held` until the user says so."""

    def answer(done: Marked) -> None:
        if not done.held or done.step is None:
            told(done)
            return
        held()
        ask_step(parent, done.step, lambda: _ask(window, Undo(), told, failed))

    _ask(window, Undo(UNASKED), answer, failed)


def _ask(
    window: MainWindow, command: Undo, told: Callable[[Marked], None], failed: Callable[[Failed], None] | None
) -> None:
    if failed is None:
        window.talk.ask(command, told)
    else:
        window.talk.ask(command, told, failed=failed)


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
    return " ".join(text for text in (first, format.turned_words(done.turned)) if text)


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
