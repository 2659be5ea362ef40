"""Background threads of the window: searches for servers, folders and local mail, and loading of pictures."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QProcess
from PySide6.QtGui import QImage

from nbmail.app.autostart import LoginEntry
from nbmail.demo.home import module_command
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_threads import AccountThreads
from nbmail.sync.mailbox_values import LocalMailbox, MailServer, SignInRequest
from nbmail.ui.page.pictures import decode_picture
from nbmail.ui.window.services import (
    FoundMail,
    LoginStart,
    OnSearchEvent,
    OnSignInEvent,
    OnTestEvent,
    SearchEvent,
    SearchFailed,
    SignInEvent,
    StopSearch,
    TestEvent,
)

if TYPE_CHECKING:
    from nbmail.sync.web import PublicWeb


Result = TypeVar("Result")


MAX_MESSAGES, MAX_BYTES = 200, 64_000_000
"""Messages and bytes that are shown of files."""


class _SearchEnded(Exception):
    """The requester ended the search."""


class SearchThreads:
    """Runs each search on a thread, with its imports. Every method returns at once.

    `call`: passes callbacks to the GUI thread; `home`: the user's home directory; `accounts`: passwords and sign-ins;
    `guess`: candidate servers of a domain. `login`: the entry for the start at login;
    `web`: makes the requests for pictures and to unsubscribe. The threads are daemons because
    a name look-up can't be interrupted: an ended search stops at its next step, and its results are dropped.
    """

    def __init__(
        self,
        call: Callable[[Callable[[], None]], None],
        home: Path,
        accounts: AccountThreads,
        guess: Callable[[str], list[MailServer]] | None = None,
        *,
        login: LoginEntry | None = None,
        web: "PublicWeb | None" = None,
    ) -> None:
        self._web = web
        self._login = login
        self._call, self._home, self._accounts, self._guess = call, home, accounts, guess
        self._is_stopped, self._decoding = False, threading.Lock()

    def stop(self) -> None:
        """Decode no more pictures, and wait for the current one: Qt crashes if it decodes while the program exits."""
        self._is_stopped = True
        with self._decoding:
            pass

    def find_settings(self, address: str, on_result: OnSearchEvent, directory: bool = False) -> StopSearch:
        def search(pass_on: OnSearchEvent, ended: threading.Event) -> SearchEvent:
            from nbmail.sync.server_search import SearchStep, find_server, usual_guesses

            def step(event: SearchStep) -> None:
                if ended.is_set():
                    raise _SearchEnded
                pass_on(event)

            try:
                found = find_server(address, step, guess=self._guess or usual_guesses, directory=directory)
                return found or SearchFailed()
            except KnownError as error:
                return SearchFailed(error.error_code)
            except _SearchEnded:
                return SearchFailed()

        return self._run("finding", search, on_result)

    def find_places(self, on_result: Callable[[tuple[LocalMailbox, ...]], None]) -> None:
        def find() -> tuple[LocalMailbox, ...]:
            from nbmail.sync.local.boxes import thunderbird_places

            with suppress(OSError):  # An unreadable profile contains no readable mail.
                return tuple(thunderbird_places(self._home))
            return ()

        self._start("places", find, on_result)

    def read_files(self, paths: tuple[Path, ...], on_result: Callable[[FoundMail], None]) -> None:
        self._start("files", lambda: read_mail(paths), on_result)

    def load_pictures(
        self, sources: Mapping[str, str | bytes], on_picture: Callable[[str, QImage | None], None]
    ) -> StopSearch:
        ended = threading.Event()

        def deliver(source: str, image: QImage | None) -> None:
            self._call(lambda: None if ended.is_set() else on_picture(source, image))

        PictureLoading(self._web, sources, deliver, lambda: self._is_stopped or ended.is_set(), self._decoding).start()
        return ended.set

    def unsubscribe(self, address: str, on_result: Callable[[int | ErrorCode], None]) -> None:
        from nbmail.core.reading.authentication import BODY
        from nbmail.sync.web import PublicWeb

        def send() -> int | ErrorCode:
            try:
                return (self._web or PublicWeb()).post(address, BODY).status
            except KnownError as error:
                return error.error_code

        self._start("unsubscribing", send, on_result)

    def test_account(
        self, account: Account, password: str, on_result: OnTestEvent, *, examine: bool = False
    ) -> StopSearch:
        def work(pass_on: OnTestEvent, ended: threading.Event) -> TestEvent:
            from nbmail.sync.imap.imap_socket import WakeSignal
            from nbmail.sync.mailbox_listing import examine_server, list_mailbox

            try:
                known = password or ("" if account.path else self._accounts.password_of(account))
                if known is None:
                    return SearchFailed(ErrorCode.NO_PASSWORD)
                with closing(WakeSignal()) as wake_signal:
                    return (examine_server if examine else list_mailbox)(account, known, wake_signal, pass_on)
            except KnownError as error:
                return SearchFailed(error.error_code, error.detail)
            except OSError as error:
                return SearchFailed(ErrorCode.NOT_FOUND, str(error))

        return self._run("folders", work, on_result)

    def sign_in(
        self, account: Account, request: SignInRequest, page: tuple[str, str], on_result: OnSignInEvent
    ) -> StopSearch:
        def work(pass_on: OnSignInEvent, ended: threading.Event) -> SignInEvent:
            from nbmail.sync.sign_in.flows import sign_in

            try:
                signed, grant = sign_in(account, request, page, pass_on, self._accounts.issuer_at, cancel=ended)
                if not ended.is_set():
                    self._accounts.keep_sign_in(signed, grant)
            except KnownError as error:
                return SearchFailed(error.error_code, error.detail)
            return signed

        return self._run("sign-in", work, on_result)

    def _run(
        self,
        name: str,
        work: Callable[[Callable[[Result], None], threading.Event], Result],
        on_result: Callable[[Result], None],
    ) -> StopSearch:
        """Run `work` on a thread. It gets a function that reports a step, and an event that is set when it is ended."""
        ended = threading.Event()

        def pass_on(event: Result) -> None:
            self._call(lambda: None if ended.is_set() else on_result(event))

        self._start(name, lambda: work(pass_on, ended), lambda event: None if ended.is_set() else on_result(event))
        return ended.set

    def start_at_login(self, wanted: bool | None, on_result: Callable[[LoginStart | None], None]) -> None:
        def change() -> LoginStart | None:
            if (entry := self._login) is None:
                return None
            try:
                if wanted is not None:
                    entry.change(wanted)
            except OSError as error:
                return LoginStart(entry.is_on(), str(error))
            return LoginStart(entry.is_on())

        self._start("login", change, on_result)

    def forget_sign_in(self, account: Account) -> None:
        self._accounts.run(self._accounts.keep_sign_in, account, None)

    def open_program(self, *, demo: bool) -> bool:
        program, *start = module_command("nbmail")
        if demo and find_spec("pymap") is None:
            return False
        return QProcess.startDetached(program, [*start, "--demo"] if demo else start)[0]

    def _start(self, name: str, work: Callable[[], Result], on_result: Callable[[Result], None]) -> None:
        """Run `work` on a thread, and pass its result to the GUI thread."""

        def run() -> None:
            result = work()
            self._call(lambda: on_result(result))

        threading.Thread(target=run, name=name, daemon=True).start()


def read_mail(paths: tuple[Path, ...]) -> FoundMail:
    found: list[tuple[str, bytes]] = []
    room, problem = MAX_BYTES, ""
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
    from nbmail.sync.local.mail_files import files_below, messages_in

    for named in paths:
        for path, single in files_below(named):
            for message in messages_in(path, single=single):
                yield path.name, message.raw


THREADS = 4
LARGEST, MOST_BYTES, MOST_PIXELS = 5_000_000, 30_000_000, 40_000_000
"""Bytes of a picture, and bytes and decoded pixels of all pictures of a message."""
ACCEPTED = "image/webp,image/png,image/jpeg,image/gif"


class PictureLoading:
    """Loads pictures on threads, where `deliver` is called, until `is_ended` returns True. `web`: None for the default.

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
        self._web, self._sources, self._deliver = web, deque(sources.items()), deliver
        self._is_ended, self._decoding = is_ended, decoding
        self._bytes, self._pixels, self._lock = MOST_BYTES, MOST_PIXELS, threading.Lock()

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
        from nbmail.sync.web import PublicWeb

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
