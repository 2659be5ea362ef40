"""What the window has asked the engine and not yet heard the end of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nbmail.worker.protocol import Cancel, Cancelled, Command, Done, Engine, Event, Failed, Progress


def _ignore(*_: Any) -> None:
    pass


@dataclass(slots=True)
class Question:
    """A command under way and what to do when it ends."""

    command: Command
    answered: Callable[[Any], None] = _ignore
    failed: Callable[[Failed], None] = _ignore
    progressed: Callable[[Progress], None] = _ignore
    cancelled: Callable[[], None] = _ignore
    ended: Callable[[], None] = _ignore


@dataclass(slots=True)
class Conversation:
    """Asks the engine and gives each answer to whoever asked.

    `complain` hears of every failure that its asker does not handle.
    """

    engine: Engine
    complain: Callable[[Failed], None] = _ignore
    questions: dict[int, Question] = field(default_factory=dict)

    def ask(
        self,
        command: Command,
        answered: Callable[[Any], None] = _ignore,
        *,
        failed: Callable[[Failed], None] | None = None,
        progressed: Callable[[Progress], None] = _ignore,
        cancelled: Callable[[], None] = _ignore,
        ended: Callable[[], None] = _ignore,
    ) -> int:
        """Submit the command. Its events come later, on this thread, so the question is always noted in time."""
        ticket = self.engine.submit(command)
        self.questions[ticket] = Question(command, answered, failed or self.complain, progressed, cancelled, ended)
        return ticket

    def cancel(self, ticket: int) -> None:
        """Ask for an end of this command."""
        if ticket in self.questions:
            self.ask(Cancel(ticket))

    def forget(self, ticket: int) -> None:
        """Its answer is no longer of interest, nor is its failure."""
        question = self.questions.get(ticket)
        if question is not None:
            self.questions[ticket] = Question(question.command)

    def hear(self, event: Event) -> bool:
        """Whether the event belonged to a command; if so, its asker has heard it."""
        if isinstance(event, Progress):
            if event.ticket in self.questions:
                self.questions[event.ticket].progressed(event)
            return True
        if isinstance(event, Done | Failed | Cancelled):
            question = self.questions.pop(event.ticket, None)
            if question is not None:
                _close(question, event)
            return True
        return False


def _close(question: Question, event: Done | Failed | Cancelled) -> None:
    if isinstance(event, Done):
        question.answered(event.result)
    elif isinstance(event, Failed):
        question.failed(event)
    else:
        question.cancelled()
    question.ended()
