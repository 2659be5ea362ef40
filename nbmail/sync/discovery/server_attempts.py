"""Attempts to reach mail servers, all at the same time."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

from nbmail.errors import KnownError
from nbmail.sync.imap.protocol.connecting import connect
from nbmail.sync.mailbox_values import MailServer, ServerTried
from nbmail.sync.wake_signal import Stopped, WakeSignal


class ServerAttempts:
    """Attempts until a deadline, each on a thread of its own. Thread-safe.

    `report` is called with the start and the end of each attempt.
    """

    def __init__(self, deadline: float, report: Callable[[ServerTried], None]) -> None:
        self._deadline = deadline
        self._report = report
        self._lock = threading.Lock()
        self._attempts: dict[MailServer, Future[ServerTried]] = {}
        self._signals: list[WakeSignal] = []
        self._is_over = False

    def start(self, server: MailServer) -> Future[ServerTried]:
        """Start an attempt to reach a server, unless it is running."""
        with self._lock:
            if server in self._attempts:
                return self._attempts[server]
            future: Future[ServerTried] = Future()
            self._attempts[server] = future
            signal = WakeSignal()
            if self._is_over:
                signal.stop()
            self._signals.append(signal)
        self._report(ServerTried(server))
        threading.Thread(
            target=self._run,
            args=(server, signal, future),
            name=f"guess-{server.host}",
            daemon=True,
        ).start()
        return future

    def result(self, attempt: Future[ServerTried], server: MailServer) -> ServerTried:
        """Wait for the end of an attempt; until the deadline at most, as a failure."""
        try:
            return attempt.result(max(0.0, self._deadline - time.monotonic()))
        except TimeoutError:
            return ServerTried(server, worked=False)

    def stop(self) -> None:
        """End all attempts."""
        with self._lock:
            self._is_over = True
            for signal in self._signals:
                signal.stop()

    def _run(self, server: MailServer, signal: WakeSignal, future: Future[ServerTried]) -> None:
        left = max(0.1, self._deadline - time.monotonic())
        tried = ServerTried(server, worked=False)
        try:
            connect(server, signal, timeout=left, connect_timeout=left).logout()
            tried = ServerTried(server, worked=True)
        except KnownError as error:
            tried = tried._replace(error_code=error.error_code)
        except Stopped:
            pass
        finally:
            with self._lock:
                self._signals.remove(signal)
                signal.close()
            self._report(tried)
            future.set_result(tried)
