"""Commands that may take a while: with their progress, a button to stop them, and a word on how far they came then."""

from collections.abc import Callable
from typing import Any

from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import StatusLine
from nbmail.worker.protocol import Command, Failed, Progress

Stopped = Callable[[Progress[object] | None], None]
"""Hears how far the work came before it was stopped: None if it had not begun."""


class LongWork:
    """Runs commands and shows in the status line how far each is."""

    def __init__(self, requests: EngineRequests, status: StatusLine) -> None:
        self._requests, self._status = requests, status

    def run(
        self,
        command: Command,
        name: str,
        answered: Callable[[Any], None],
        *,
        stopped: Stopped | None = None,
        failed: Callable[[Failed], None] | None = None,
        ended: Callable[[], None] = lambda: None,
        can_stop: bool = True,
    ) -> None:
        """Run the command; without `can_stop` there is no button that stops it."""
        latest: list[Progress[object]] = []

        def progressed(progress: Progress[object]) -> None:
            latest[:] = [progress]
            cancel = ticket.cancel if can_stop else None
            self._status.show_work(name, progress.done, progress.total, cancel)

        def end() -> None:
            # What never showed itself must not take away what another shows.
            if latest:
                self._status.end_work()
            ended()

        def stop() -> None:
            tell = stopped or (lambda reached: self._status.say(stopped_words(reached)))
            tell(latest[0] if latest else None)

        ticket = self._requests.ask(command, answered, failed=failed, progressed=progressed, cancelled=stop, ended=end)


def stopped_words(reached: Progress[object] | None) -> str:
    """How far something came."""
    if reached is None or not reached.total:
        return tr("Stopped.")
    return at_words(tr("Stopped at {done} of {total}."), reached)


def at_words(text: str, reached: Progress[object]) -> str:
    """A text with how far something is in it."""
    return text.format(done=format_count(reached.done), total=format_count(reached.total))
