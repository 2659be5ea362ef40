"""Tickets: one for each request to the engine, with its typed result."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Generic, NamedTuple, Protocol, TypeVar

from nbmail.errors import ErrorCode, KnownError

T = TypeVar("T")
Part_co = TypeVar("Part_co", covariant=True)


class Failed(NamedTuple):
    """Reason of a failure.

    `error_code` is None for a bug of the program; `detail` is for the log and the curious.
    """

    error_code: ErrorCode | None
    detail: str


class Progress(NamedTuple, Generic[Part_co]):
    """Progress of a request: `done` of `total` (0: unknown).

    `so_far` is the part of the result found up to now.
    """

    done: int
    total: int
    so_far: Part_co | None = None


def failure_of(error: BaseException) -> Failed:
    """Return the reason that the window shows for `error`."""
    if isinstance(error, KnownError):
        return Failed(error.error_code, error.detail)
    return Failed(None, f"{type(error).__name__}: {error}")


def _ignore(*_: object) -> None:
    pass


class AnyTicket(Protocol):
    """A ticket of any result type."""

    @property
    def is_pending(self) -> bool:
        """True until the end is delivered."""

    def deliver(self, complain: Callable[[Failed], object]) -> None:
        """Call the callbacks for the oldest change that is not delivered yet."""

    def drop(self) -> None:
        """Cancel the request and forget it."""


class Ticket(Generic[T]):
    """Request to the engine. Every ticket ends exactly once: done, failed or cancelled.

    The window registers callbacks with `then`. They run on the thread that calls `deliver`, which
    is the window's, and never before the caller of `then` has returned to its event loop. Threads
    without an event loop wait in `result`.

    The engine calls `report` any number of times, then one of `finish`, `fail` and `end_cancelled`.
    Each of these calls emits one `events.TicketChanged`, for which the window calls `deliver` once.
    """

    def __init__(
        self, changed: Callable[["Ticket[T]"], object], cancel: Callable[[], object]
    ) -> None:
        self._changed = changed
        self._cancel = cancel
        self._future: Future[T] = Future()
        # One entry for each change that is not delivered yet: a progress report, or None for the
        # end.
        self._undelivered: deque[Progress[T] | None] = deque()
        self._is_pending = True
        self._is_forgotten = False
        self._done: Callable[[T], object] = _ignore
        self._failed: Callable[[Failed], object] | None = None
        self._progressed: Callable[[Progress[T]], object] = _ignore
        self._cancelled: Callable[[], object] = _ignore
        self._ended: Callable[[], object] = _ignore

    def then(
        self,
        done: Callable[[T], object] = _ignore,
        *,
        failed: Callable[[Failed], object] | None = None,
        progressed: Callable[[Progress[T]], object] = _ignore,
        cancelled: Callable[[], object] = _ignore,
        ended: Callable[[], object] = _ignore,
    ) -> "Ticket[T]":
        """Register callbacks, once for a ticket, and return it.

        `progressed` is called any number of times, then exactly one of `done`, `failed` and
        `cancelled`, then `ended`. Without `failed`, the window's general error handler is called
        with the failure.
        """
        self._done = done
        self._failed = failed
        self._progressed = progressed
        self._cancelled = cancelled
        self._ended = ended
        return self

    def cancel(self) -> None:
        """Ask the engine to stop the request.

        Never waits. Committed changes stay; if too late it ends as usual.
        """
        self._cancel()

    def forget(self) -> None:
        """Call no callback from now on, and no error handler either. The request itself goes on."""
        self._is_forgotten = True

    def drop(self) -> None:
        """Cancel the request and forget it."""
        if self._is_pending:
            self.cancel()
        self.forget()

    @property
    def is_pending(self) -> bool:
        """True until the end is delivered: False inside the callbacks of the end."""
        return self._is_pending

    def result(self, timeout: float | None = None) -> T:
        """Wait for the end and return the result; for threads without an event loop, never for the
        window's.

        `timeout`: seconds; None waits forever. Raises the error of a failed request, `TimeoutError`
        after `timeout`, and `concurrent.futures.CancelledError` if the request was cancelled.
        """
        return self._future.result(timeout)

    def report(self, done: int, total: int, so_far: T | None = None) -> None:
        self._undelivered.append(Progress(done, total, so_far))
        self._changed(self)

    def finish(self, result: T) -> None:
        self._future.set_result(result)
        self._end()

    def fail(self, error: BaseException) -> None:
        self._future.set_exception(error)
        self._end()

    def end_cancelled(self) -> None:
        """End without a result."""
        self._future.cancel()
        self._end()

    def _end(self) -> None:
        # Ticket and job refer to each other: the result would stay until a collection of garbage.
        self._cancel = _ignore
        self._undelivered.append(None)
        self._changed(self)

    def deliver(self, complain: Callable[[Failed], object]) -> None:
        """Call the callbacks for the oldest undelivered change.

        `complain` gets a failure that no callback takes.
        """
        progress = self._undelivered.popleft()
        if progress is None:
            self._is_pending = False
        if self._is_forgotten:
            return
        if progress is not None:
            self._progressed(progress)
            return
        self._deliver_end(self._failed or complain)
        self._ended()

    def _deliver_end(self, complain: Callable[[Failed], object]) -> None:
        try:
            error = self._future.exception(0)
        except CancelledError:
            self._cancelled()
            return
        if error is None:
            self._done(self._future.result(0))
        else:
            complain(failure_of(error))
