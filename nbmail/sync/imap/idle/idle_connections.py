"""Additional connections of one account, each idling in one folder.

IDLE reports only changes of the open folder. These connections report those of other folders
immediately. They are optional: polling finds what they miss, and a server that rejects connections
is tried less and less often.
"""

import logging
import socket
import time
from collections.abc import Callable, Sequence

from nbmail.errors import KnownError
from nbmail.sync.imap.idle.idle_connection import IdleConnection
from nbmail.sync.imap.idle.server_load import Server, ServerLoad
from nbmail.sync.imap.session import Session

# With the account's own connection five: as many as Thunderbird uses, half of Dovecot's limit per
# user and address.
MAX_CONNECTIONS = 4
FIRST_PAUSE = 60.0
LONGEST_PAUSE = 3600.0

log = logging.getLogger(__name__)


class IdleConnections:
    """Additional connections of one account, for its thread only.

    `changed`: folders to synchronize after a report.
    """

    def __init__(self, connect: Callable[[str], Session], server: Server, load: ServerLoad) -> None:
        self._connect = connect
        self._server = server
        self._load = load
        self._open: dict[str, IdleConnection] = {}
        self._pause = FIRST_PAUSE
        self._paused_until = 0.0
        self.changed: set[str] = set()

    def watch(self, folders: Sequence[str]) -> None:
        """Idle in the first `MAX_CONNECTIONS` folders and close the connections to others."""
        wanted = set[str]()
        if self._load.has_room(self._server):
            wanted.update(folders[:MAX_CONNECTIONS])
        for name in self._open.keys() - wanted:
            self._drop(name)
        for name in wanted - self._open.keys():
            if time.monotonic() >= self._paused_until:
                self._add(name)

    def sockets(self) -> tuple[socket.socket, ...]:
        return tuple(each.session.connection.sock.socket for each in self._open.values())

    def check(self) -> bool:
        """Process received data. True if `changed` isn't empty.

        After a broken connection its folder counts as changed: a report may be lost.
        """
        for name, connection in list(self._open.items()):
            try:
                if connection.check():
                    self.changed.add(name)
            except KnownError as error:
                self._drop(name)
                self.changed.add(name)
                self._postpone(name, error)
        return bool(self.changed)

    def close(self) -> None:
        for name in list(self._open):
            self._drop(name)
        self.changed.clear()

    def _add(self, name: str) -> None:
        try:
            session = self._connect(name)
            try:
                self._open[name] = IdleConnection(session)
            except BaseException:
                session.close()
                raise
        except KnownError as error:
            self._postpone(name, error)
            return
        self._load.add(self._server, 1)
        self._pause = FIRST_PAUSE
        # Changes between the latest synchronization and now are unknown.
        self.changed.add(name)

    def _drop(self, name: str) -> None:
        self._open.pop(name).session.close()
        self._load.add(self._server, -1)

    def _postpone(self, name: str, error: KnownError) -> None:
        """Open no connection for a while. The user needn't know: the folder is polled."""
        log.info("%s is polled: %s %s", name, error.error_code, error.detail)
        self._paused_until = time.monotonic() + self._pause
        self._pause = min(LONGEST_PAUSE, self._pause * 2)
