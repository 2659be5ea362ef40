"""Requests that can take long: progress in the status line, a button that stops them, and a message about their end."""

from collections.abc import Callable
from typing import TypeVar

from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.window.notices import StatusLine
from nbmail.worker.protocol.ticket import Failed, Progress, Ticket

T = TypeVar("T")
Stopped = Callable[[Progress[T] | None], None]
"""Called with the last progress before the request was cancelled; None if it had not started."""


class LongWork:
    """Shows the progress of requests in the status line."""

    def __init__(self, status: StatusLine) -> None:
        self._status = status

    def show(
        self,
        ticket: Ticket[T],
        name: str,
        done: Callable[[T], None],
        *,
        stopped: Stopped[T] | None = None,
        failed: Callable[[Failed], None] | None = None,
        ended: Callable[[], None] = lambda: None,
        can_stop: bool = True,
    ) -> None:
        """Show the progress of `ticket` under `name`. Without `can_stop` there is no button that cancels it."""
        latest: list[Progress[T]] = []

        def progressed(progress: Progress[T]) -> None:
            latest[:] = [progress]
            self._status.show_work(name, progress.done, progress.total, ticket.cancel if can_stop else None)

        def end() -> None:
            # A request without progress must not hide the progress of another one.
            if latest:
                self._status.end_work()
            ended()

        def stop() -> None:
            reached = latest[0] if latest else None
            if stopped is not None:
                stopped(reached)
            else:
                self._status.report(stopped_text(reached))

        ticket.then(done, failed=failed, progressed=progressed, cancelled=stop, ended=end)


def stopped_text(reached: Progress[T] | None) -> str:
    """Return the message about a cancelled request."""
    if reached is None or not reached.total:
        return tr("Stopped.")
    return progress_text(tr("Stopped after {done} of {total}."), reached)


def progress_text(text: str, reached: Progress[T]) -> str:
    """Return `text` with its placeholders `done` and `total` replaced."""
    return text.format(done=format_count(reached.done), total=format_count(reached.total))
