"""Background threads of the window that search for no mailbox: files, pictures, requests to the
web, start at login.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess
from PySide6.QtGui import QImage

from nbmail.app.autostart import LoginEntry
from nbmail.app.search_threads import CallOnGui, run_in_background
from nbmail.demo.home import module_command
from nbmail.errors import ErrorCode, KnownError
from nbmail.ui.page.pictures import decode_picture
from nbmail.ui.window.services import FoundMail, LoginStart, StopSearch

if TYPE_CHECKING:
    from nbmail.sync.public_web import PublicWeb


MAX_MESSAGES = 200
MAX_BYTES = 64_000_000
"""Messages and bytes that are shown of files."""


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
        """Decode no more pictures, and wait for the current one: Qt crashes if it decodes while the
        program exits.
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


def read_mail(paths: tuple[Path, ...]) -> FoundMail:
    found: list[tuple[str, bytes]] = []
    room = MAX_BYTES
    problem = ""
    try:
        for name, raw in _messages(paths):
            room -= len(raw)
            if len(found) == MAX_MESSAGES or room < 0:
                return FoundMail(tuple(found), more=True)
            found.append((name, raw))
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}."
    return FoundMail(tuple(found), problem=problem)


def _messages(paths: tuple[Path, ...]) -> Iterator[tuple[str, bytes]]:
    from nbmail.sync.local.mail_files import files_below
    from nbmail.sync.local.mbox_files import messages_in

    for named in paths:
        for path, single in files_below(named):
            for message in messages_in(path, single=single):
                yield path.name, message.raw


THREADS = 4
LARGEST = 5_000_000
MOST_BYTES = 30_000_000
MOST_PIXELS = 40_000_000
"""Bytes of a picture, and bytes and decoded pixels of all pictures of a message."""
ACCEPTED = "image/webp,image/png,image/jpeg,image/gif"


class PictureLoading:
    """Loads pictures on threads, where `deliver` is called, until `is_ended` returns True. `web`:
    None for the default.

    `decoding`: held while a picture is decoded and passed.
    """

    def __init__(
        self,
        web: "PublicWeb | None",
        sources: Mapping[str, str | bytes],
        deliver: Callable[[str, QImage | None], None],
        is_ended: Callable[[], bool],
        decoding: threading.Lock,
    ) -> None:
        self._web = web
        self._sources = deque(sources.items())
        self._deliver = deliver
        self._is_ended = is_ended
        self._decoding = decoding
        self._bytes = MOST_BYTES
        self._pixels = MOST_PIXELS
        self._lock = threading.Lock()

    def start(self) -> None:
        for _ in range(min(THREADS, len(self._sources))):
            threading.Thread(target=self._work, name="pictures", daemon=True).start()

    def _work(self) -> None:
        while not self._is_ended():
            try:
                source, wanted = self._sources.popleft()
            except IndexError:
                return
            content = wanted if isinstance(wanted, bytes) else self._fetch(wanted)
            with self._decoding:
                if not self._is_ended():
                    image = decode_picture(content)
                    self._pixels -= image.width() * image.height() if image is not None else 0
                    self._deliver(source, image if self._pixels >= 0 else None)

    def _fetch(self, address: str) -> bytes:
        from nbmail.sync.public_web import PublicWeb

        if self._bytes <= 0:
            return b""
        with self._lock:
            web = self._web = self._web or PublicWeb(largest=LARGEST)
        try:
            answer = web.get(address, ACCEPTED)
        except KnownError:
            return b""
        with self._lock:
            self._bytes -= len(answer.body)
        return answer.body if answer.status == 200 else b""
