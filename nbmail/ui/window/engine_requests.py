"""What the window has asked of the engine and not yet heard the end of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nbmail.worker.protocol import NO_COMMAND, Cancel, Cancelled, Command, Done, Engine, Event, Failed, Progress


def _ignore(*_: Any) -> None:
    pass


@dataclass(slots=True)
class Request:
    """A command under way, and what to do with each of its events."""

    command: Command
    answered: Callable[[Any], None] = _ignore
    failed: Callable[[Failed], None] = _ignore
    progressed: Callable[[Progress], None] = _ignore
    cancelled: Callable[[], None] = _ignore
    ended: Callable[[], None] = _ignore


@dataclass(slots=True)
class EngineRequests:
    """Sends commands to the engine and gives each answer to whoever asked.

    `complain` hears of every failure that its asker does not handle, or that belongs to no command.
    """

    engine: Engine
    complain: Callable[[Failed], None] = _ignore
    pending: dict[int, Request] = field(default_factory=dict)

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
        """Submit the command. Its events come later, on this thread, so the request is always noted in time."""
        ticket = self.engine.submit(command)
        self.pending[ticket] = Request(command, answered, failed or self.complain, progressed, cancelled, ended)
        return ticket

    def cancel(self, ticket: int) -> None:
        """Ask for an end of this command."""
        if ticket in self.pending:
            self.ask(Cancel(ticket))

    def forget(self, ticket: int) -> None:
        """Its answer is no longer of interest, nor is its failure."""
        request = self.pending.get(ticket)
        if request is not None:
            self.pending[ticket] = Request(request.command)

    def drop(self, ticket: int) -> None:
        """End this command, and hear no more of it."""
        self.cancel(ticket)
        self.forget(ticket)

    def hear(self, event: Event) -> bool:
        """Whether the event was of a kind that belongs to a command; if so, its asker has heard it."""
        if isinstance(event, Progress):
            if event.ticket in self.pending:
                self.pending[event.ticket].progressed(event)
            return True
        if isinstance(event, Done | Failed | Cancelled):
            request = self.pending.pop(event.ticket, None)
            if request is not None:
                _close(request, event)
            elif isinstance(event, Failed) and event.ticket == NO_COMMAND:
                self.complain(event)
            return True
        return False


def _close(request: Request, event: Done | Failed | Cancelled) -> None:
    if isinstance(event, Done):
        request.answered(event.result)
    elif isinstance(event, Failed):
        request.failed(event)
    else:
        request.cancelled()
    request.ended()
