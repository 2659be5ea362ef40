"""Single running instance per data folder. A second instance passes its files to the first and ends."""

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from nbmail.paths import Paths

MAX_SOCKET_PATH = 100
"""Bytes of a socket's path that every system accepts."""
TIMEOUT = 2000
"""Milliseconds to connect, and to wait for the answer."""
MAX_REQUEST = 1_000_000
ACCEPTED = b"accepted\n"


def socket_path(paths: Paths, platform: str = sys.platform) -> str:
    """Return the path of the instance's socket: in the data folder, or among temporary files if that is too long.

    On Windows a name: its pipes are in no folder.
    """
    path = str(paths.state / "window.socket")
    name = f"nbmail-{hashlib.sha256(str(paths.data).encode()).hexdigest()[:24]}"
    if platform == "win32":
        return name
    return path if len(path.encode()) <= MAX_SOCKET_PATH else str(Path(tempfile.gettempdir()) / name)


def send_to_running(paths: Paths, files: Sequence[Path]) -> bool:
    """Ask the running instance to open `files` and raise its window. True if it accepted the request."""
    socket = QLocalSocket()
    socket.connectToServer(socket_path(paths))
    if not socket.waitForConnected(TIMEOUT):
        return False
    socket.write(json.dumps([str(path) for path in files]).encode() + b"\n")
    socket.flush()
    accepted = socket.waitForReadyRead(TIMEOUT) and bytes(socket.readAll().data()) == ACCEPTED
    socket.disconnectFromServer()
    return accepted


class InstanceServer(QObject):
    """Calls `opened` with the files of each later instance. The caller holds the lock on the data folder."""

    def __init__(self, paths: Paths, opened: Callable[[list[Path]], None], parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)
        # Left behind by an instance that was killed.
        QLocalServer.removeServer(socket_path(paths))
        self._server.listen(socket_path(paths))

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        socket = self._server.nextPendingConnection()
        socket.disconnected.connect(socket.deleteLater)
        socket.readyRead.connect(lambda: self._read(socket))

    def _read(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > MAX_REQUEST:
            socket.abort()
        elif socket.canReadLine():
            socket.write(ACCEPTED)
            socket.flush()
            self._opened(_files(bytes(socket.readLine().data())))


def _files(request: bytes) -> list[Path]:
    """Return the paths in a request; no paths if it is malformed."""
    try:
        files = json.loads(request)
    except ValueError:
        return []
    return [Path(each) for each in files if isinstance(each, str)] if isinstance(files, list) else []
