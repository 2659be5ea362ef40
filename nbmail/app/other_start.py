"""A second start on the same home: it hands over what it was given to the first, whose window comes to the front."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from nbmail.paths import Paths

LONGEST_PATH = 100
"""Letters that the path of a socket may have on every system."""
PATIENCE = 2000
"""Milliseconds in which the first one answers, or isn't there."""
MOST_BYTES = 1_000_000
HEARD = b"heard\n"


def meeting_place(paths: Paths) -> str:
    """Where the two meet: in the home, which is its owner's alone; where its path is too long, beside other sockets."""
    place = str(paths.state / "window.socket")
    if len(place.encode()) <= LONGEST_PATH:
        return place
    name = hashlib.sha256(str(paths.data).encode()).hexdigest()[:24]
    return str(Path(tempfile.gettempdir()) / f"nbmail-{name}")


def hand_over(paths: Paths, files: Sequence[Path]) -> bool:
    """Ask the one that is running to come to the front and to show these files; whether it heard."""
    socket = QLocalSocket()
    socket.connectToServer(meeting_place(paths))
    if not socket.waitForConnected(PATIENCE):
        return False
    socket.write(json.dumps([str(path) for path in files]).encode() + b"\n")
    socket.flush()
    heard = socket.waitForReadyRead(PATIENCE) and bytes(socket.readAll().data()) == HEARD
    socket.disconnectFromServer()
    return heard


class OtherStarts(QObject):
    """Waits for others that are started on this home; `come` gets the files they were given. Has no signals."""

    def __init__(self, paths: Paths, come: Callable[[list[Path]], None], parent: QObject) -> None:
        super().__init__(parent)
        self._come = come
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)
        # We have the lock on the home: what is there was left by one that was killed.
        QLocalServer.removeServer(meeting_place(paths))
        self._server.listen(meeting_place(paths))

    def close(self) -> None:
        self._server.close()

    def _greet(self) -> None:
        socket = self._server.nextPendingConnection()
        socket.disconnected.connect(socket.deleteLater)
        socket.readyRead.connect(lambda: self._listen(socket))

    def _listen(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > MOST_BYTES:
            socket.abort()
        elif socket.canReadLine():
            socket.write(HEARD)
            socket.flush()
            self._come(_files(bytes(socket.readLine().data())))


def _files(line: bytes) -> list[Path]:
    """What stands in the line; nothing where it makes no sense."""
    try:
        given = json.loads(line)
    except ValueError:
        return []
    return [Path(each) for each in given if isinstance(each, str)] if isinstance(given, list) else []
