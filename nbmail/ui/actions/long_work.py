"""Work that may take a while: with its progress and a way out, and a word on how far it came when it was stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nbmail.ui.kit.language import grouped, tr
from nbmail.worker.protocol import Command, Failed, Progress

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow

Stopped = Callable[[Progress | None], None]
"""Hears how far the work came before it was stopped: None if it had not begun."""
Watched = Callable[[Progress, Callable[[], None]], None]
"""Hears how far it is, and gets the way out."""


def run_long(
    window: MainWindow,
    command: Command,
    name: str,
    answered: Callable[[Any], None],
    *,
    stopped: Stopped | None = None,
    failed: Callable[[Failed], None] | None = None,
    ended: Callable[[], None] = lambda: None,
    watched: Watched = lambda progress, cancel: None,
) -> None:
    """Run something long: the status line shows how far it is, and how far it came where it is stopped."""
    latest: list[Progress] = []

    def progressed(progress: Progress) -> None:
        def cancel() -> None:
            window.talk.cancel(progress.ticket)

        latest[:] = [progress]
        window.status.show_work(name, progress.done, progress.total, cancel)
        watched(progress, cancel)

    def end() -> None:
        # What never showed itself must not take away what another shows.
        if latest:
            window.status.end_work()
        ended()

    def stop() -> None:
        tell = stopped or (lambda reached: window.status.say(stopped_words(reached)))
        tell(latest[0] if latest else None)

    window.talk.ask(command, answered, failed=failed, progressed=progressed, cancelled=stop, ended=end)


def stopped_words(reached: Progress | None) -> str:
    """How far something came."""
    if reached is None or not reached.total:
        return tr("Stopped.")
    return at_words(tr("Stopped at {done} of {total}."), reached)


def work_words(name: str, progress: Progress) -> str:
    """What is going on, and how far it is."""
    return f"{name} {grouped(progress.done)} / {grouped(progress.total)}" if progress.total else name


def at_words(text: str, reached: Progress) -> str:
    """A text with how far something is in it."""
    return text.format(done=grouped(reached.done), total=grouped(reached.total))
