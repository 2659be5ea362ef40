"""The engine with its open requests. `engine` is the typed interface; `ask` takes commands until all callers use it."""

from collections.abc import Callable
from typing import Any, cast

from nbmail.worker.protocol import Command, EngineFailed, Event, Failed, Progress, TicketChanged
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.ticket import AnyTicket


def _ignore(*_: object) -> None:
    pass


class _TrackedEngine:
    """Calls the methods of an engine and notes their tickets."""

    def __init__(self, engine: Any, note: Callable[[AnyTicket], None]) -> None:
        self._engine, self._note = engine, note

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._engine, name)

        def call(*positional: object, **named: object) -> Any:
            ticket = method(*positional, **named)
            self._note(ticket)
            return ticket

        return call


class EngineRequests:
    """Delivers the changes of tickets. `complain` is called with failures that no callback handles."""

    def __init__(self, engine: object, complain: Callable[[Failed], object] = _ignore) -> None:
        self._noted: list[AnyTicket] = []
        self.engine = cast(Engine, _TrackedEngine(engine, self._noted.append))
        self.complain = complain

    @property
    def pending(self) -> list[AnyTicket]:
        """The tickets whose end is not delivered yet."""
        self._noted[:] = [ticket for ticket in self._noted if ticket.is_pending]
        return self._noted

    def ask(
        self,
        command: Command,
        answered: Callable[[Any], object] = _ignore,
        *,
        failed: Callable[[Failed], object] | None = None,
        progressed: Callable[[Progress[Any]], object] = _ignore,
        cancelled: Callable[[], object] = _ignore,
        ended: Callable[[], object] = _ignore,
    ) -> Any:
        """Old form of `engine.METHOD(…).then(…)`. Return the ticket."""
        ticket = cast(Any, self.engine).run(command)
        return ticket.then(answered, failed=failed, progressed=progressed, cancelled=cancelled, ended=ended)

    def cancel(self, ticket: Any) -> None:
        """Old form of `ticket.cancel()`. Integers stand for no ticket."""
        if not isinstance(ticket, int):
            ticket.cancel()

    def forget(self, ticket: Any) -> None:
        """Old form of `ticket.forget()`."""
        if not isinstance(ticket, int):
            ticket.forget()

    def drop(self, ticket: Any) -> None:
        """Old form of `ticket.drop()`."""
        if not isinstance(ticket, int):
            ticket.drop()

    def hear(self, event: Event) -> bool:
        """Deliver the change of a ticket or an error of the engine. False for any other event."""
        if isinstance(event, TicketChanged):
            event.ticket.deliver(self.complain)
            _ = self.pending
        elif isinstance(event, EngineFailed):
            self.complain(event.failed)
        return isinstance(event, TicketChanged | EngineFailed)
