"""Additional connection that idles in its open folder."""

import time

from nbmail.sync.imap.session import Session

# Servers may close connections after 30 minutes without a command, and routers after 5.
RENEWAL = 290.0
# A server without an answer for this time is gone, even if its connection looks open.
IDLE_TIMEOUT = 30.0


class IdleConnection:
    """Additional connection that idles in its open folder."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._connection = session.connection
        self._connection.sock.timeout = min(self._connection.sock.timeout, IDLE_TIMEOUT)
        self._begin()

    def check(self) -> bool:
        """True if the folder changed. Raise `KnownError` if the server ended IDLE.

        IDLE is restarted before it times out.
        """
        changed = self._has_changed()
        if changed or time.monotonic() - self._since < RENEWAL:
            return changed
        self._connection.end_idle(self._tag)
        self._begin()
        return self._has_changed()

    def _begin(self) -> None:
        self._tag = self._connection.begin_idle()
        self._since = time.monotonic()

    def _has_changed(self) -> bool:
        self._connection.process_received(self._tag)
        changed = bool(self._connection.unsolicited)
        self._connection.unsolicited.clear()
        return changed
