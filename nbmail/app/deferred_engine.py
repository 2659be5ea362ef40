"""Requests to an engine that is still to be made, so that the window is on the screen before numpy is imported."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nbmail.errors import KnownError
from nbmail.worker.protocol.ticket import Failed, Ticket

if TYPE_CHECKING:
    from nbmail.worker.engine.engine import Engine


class DeferredEngine:
    """Takes the window's requests, and passes them on in order once the engine is made. Used by the GUI thread alone.

    `complain` is called with failures that no callback handles.
    """

    def __init__(self, complain: Callable[[Failed], object]) -> None:
        self._engine: Engine | None = None
        self._complain = complain
        self._waiting: list[Callable[[Engine], None]] = []

    def __getattr__(self, name: str) -> Callable[..., Ticket[Any]]:
        def call(*positional: object, **named: object) -> Ticket[Any]:
            if self._engine is not None:
                ticket: Ticket[Any] = getattr(self._engine, name)(*positional, **named)
                return ticket
            return self._defer(lambda engine: getattr(engine, name)(*positional, **named))

        return call

    def _defer(self, request: Callable[[Engine], Ticket[Any]]) -> Ticket[Any]:
        cancels: list[Callable[[], object]] = []
        ticket: Ticket[Any] = Ticket(lambda each: each.deliver(self._complain), lambda: [each() for each in cancels])

        def fail(failed: Failed) -> None:
            code = failed.error_code
            ticket.fail(KnownError(code, failed.detail) if code else RuntimeError(failed.detail))

        def begin(engine: Engine) -> None:
            real = request(engine)
            cancels.append(real.cancel)
            real.then(
                ticket.finish,
                failed=fail,
                progressed=lambda each: ticket.report(each.done, each.total, each.so_far),
                cancelled=ticket.end_cancelled,
            )

        self._waiting.append(begin)
        return ticket

    def open(self, engine: Engine) -> None:
        """From now on this engine takes the requests, and first those that have come already."""
        self._engine = engine
        for begin in self._waiting:
            begin(engine)
        self._waiting.clear()


def import_engine(loaded: Callable[[], None]) -> threading.Thread:
    """Load the engine's rooms on a thread of their own, then say so there.

    What the window needs when the first rows come is loaded along: then it would hold the window for 15 ms and more.
    """

    def load() -> None:
        import nbmail.app.other_start
        import nbmail.ui.list.mail_list
        import nbmail.worker.engine.engine  # noqa: F401

        loaded()

    thread = threading.Thread(target=load, name="import")
    thread.start()
    return thread
