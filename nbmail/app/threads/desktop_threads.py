"""Tasks of the window on the desktop and the web: opened files, pictures, start at login."""

import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess
from PySide6.QtGui import QImage

from nbmail.app.autostart import LoginEntry
from nbmail.app.threads.background import CallOnGui, run_in_background
from nbmail.app.threads.opened_files import read_mail
from nbmail.app.threads.picture_loading import PictureLoading
from nbmail.errors import ErrorCode, KnownError
from nbmail.module_command import module_command
from nbmail.ui.window.services import FoundMail, LoginStart, StopSearch

if TYPE_CHECKING:
    from nbmail.sync.public_web import PublicWeb


class DesktopThreads:
    """Does each task on a thread, with its imports. Every method returns at once.

    `call`: passes callbacks to the GUI thread. `login`: the entry for the start at login. `web`:
    makes the requests for pictures and to unsubscribe.
    """

    def __init__(
        self, call: CallOnGui, login: LoginEntry | None = None, web: "PublicWeb | None" = None
    ) -> None:
        self._call = call
        self._login = login
        self._web = web
        self._is_stopped = False
        self._decoding = threading.Lock()

    def stop(self) -> None:
        """Decode no more pictures, and wait for the current one.

        Qt crashes if it decodes while the program exits.
        """
        self._is_stopped = True
        with self._decoding:
            pass

    def read_files(self, paths: tuple[Path, ...], on_result: Callable[[FoundMail], None]) -> None:
        run_in_background(self._call, "files", lambda: read_mail(paths), on_result)

    def load_pictures(
        self, sources: Mapping[str, str | bytes], on_picture: Callable[[str, QImage | None], None]
    ) -> StopSearch:
        ended = threading.Event()

        def deliver(source: str, image: QImage | None) -> None:
            self._call(lambda: None if ended.is_set() else on_picture(source, image))

        PictureLoading(
            self._web, sources, deliver, lambda: self._is_stopped or ended.is_set(), self._decoding
        ).start()
        return ended.set

    def unsubscribe(self, address: str, on_result: Callable[[int | ErrorCode], None]) -> None:
        from nbmail.core.senders.unsubscribe import BODY
        from nbmail.sync.public_web import PublicWeb

        def send() -> int | ErrorCode:
            try:
                return (self._web or PublicWeb()).post(address, BODY).status
            except KnownError as error:
                return error.error_code

        run_in_background(self._call, "unsubscribing", send, on_result)

    def start_at_login(
        self, wanted: bool | None, on_result: Callable[[LoginStart | None], None]
    ) -> None:
        def change() -> LoginStart | None:
            if (entry := self._login) is None:
                return None
            try:
                if wanted is not None:
                    entry.change(wanted)
            except OSError as error:
                return LoginStart(entry.is_on(), str(error))
            return LoginStart(entry.is_on())

        run_in_background(self._call, "login", change, on_result)

    def open_program(self, *, demo: bool) -> bool:
        program, *start = module_command("nbmail")
        if demo and find_spec("pymap") is None:
            return False
        return QProcess.startDetached(program, [*start, "--demo"] if demo else start)[0]
