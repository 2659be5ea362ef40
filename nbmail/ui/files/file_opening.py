"""Files that are dropped on the window or handed over by another start: read beside the window, then shown."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QWidget

from nbmail.ui.window.app_services import FoundMail, ReadFiles
from nbmail.ui.window.engine_requests import EngineRequests


class FileOpening:
    """Shows each set of files in a window of its own."""

    def __init__(
        self, parent: QWidget, requests: EngineRequests, read: ReadFiles, follow: Callable[[str], None]
    ) -> None:
        self._parent, self._requests, self._read, self._follow = parent, requests, read, follow

    def open(self, paths: Sequence[Path]) -> None:
        self._read(tuple(paths), self._show)

    def _show(self, found: FoundMail) -> None:
        from nbmail.ui.files.file_window import FileWindow

        FileWindow(self._parent, self._requests, self._follow, found).show()


def dropped_files(data: QMimeData) -> list[Path]:
    """The files of this computer among what is dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
