"""Commands for an engine that is still to be made, so that the window is on the screen before numpy is imported."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbmail.worker.engine.engine import Engine
    from nbmail.worker.protocol import Command


class DeferredEngine:
    """Takes the window's commands, and hands them on in order once the engine is made. Used by the GUI thread alone.

    The engine numbers its commands from 1 in the order of their coming; so does this before the engine is there.
    """

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._waiting: list[Command] = []

    def submit(self, command: Command) -> int:
        """Queue the command and return its ticket. Never waits."""
        if self._engine is not None:
            return self._engine.submit(command)
        self._waiting.append(command)
        return len(self._waiting)

    def open(self, engine: Engine) -> None:
        """From now on this engine takes the commands, and first those that have come already."""
        tickets = [engine.submit(command) for command in self._waiting]
        assert tickets == list(range(1, len(tickets) + 1)), "somebody else has submitted before"
        self._engine = engine
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
