"""One instance for each data folder: a later one passes its files to the first."""

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from nbmail.paths import Paths

MAX_SOCKET_PATH = 100
"""Bytes of a socket's path that every system accepts."""
TIMEOUT = 10_000
"""Milliseconds to connect, and to wait for the answer."""
MAX_REQUEST = 1_000_000
ACCEPTED = b"accepted\n"


def socket_path(paths: Paths, platform: str = sys.platform) -> str:
    """Return the path of the instance's socket, a temporary one if that is too long.

    On Windows it is the name of a pipe.
    """
    digest = hashlib.sha256(str(paths.data).encode()).hexdigest()
    name = f"nbmail-{digest[:24]}"
    if platform == "win32":
        return name
    path = str(paths.state / "window.socket")
    if len(path.encode()) <= MAX_SOCKET_PATH:
        return path
    return str(Path(tempfile.gettempdir()) / name)


def send_to_running(paths: Paths, files: Sequence[Path]) -> bool:
    """Ask the running instance to open `files` and raise its window. True if it accepts."""
    socket = QLocalSocket()
    socket.connectToServer(socket_path(paths))
    if not socket.waitForConnected(TIMEOUT):
        return False
    socket.write(json.dumps([str(path) for path in files]).encode() + b"\n")
    socket.flush()
    accepted = socket.waitForReadyRead(TIMEOUT) and bytes(socket.readAll().data()) == ACCEPTED
    socket.disconnectFromServer()
    return accepted


def serve_instances(
    paths: Paths, opened: Callable[[list[Path]], None], parent: QObject
) -> QLocalServer:
    """Call `opened` with the files of each later instance.

    The caller holds the lock on the data folder.
    """

    def accept() -> None:
        socket = server.nextPendingConnection()
        socket.disconnected.connect(socket.deleteLater)
        socket.readyRead.connect(lambda: read(socket))

    def read(socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > MAX_REQUEST:
            socket.abort()
        elif socket.canReadLine():
            socket.write(ACCEPTED)
            socket.flush()
            files: object = []
            # A malformed request names no files.
            with suppress(ValueError):
                files = json.loads(bytes(socket.readLine().data()))
            opened(
                [Path(each) for each in files if isinstance(each, str)]
                if isinstance(files, list)
                else []
            )

    server = QLocalServer(parent)
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    server.newConnection.connect(accept)
    # Left behind by an instance that was killed.
    QLocalServer.removeServer(socket_path(paths))
    server.listen(socket_path(paths))
    return server
