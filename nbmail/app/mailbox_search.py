"""Looks for mail servers and for mail on this computer beside the window, and tells the window on its own thread."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.ui.accounts.settings_search import (
    FolderNews,
    GiveUp,
    Refused,
    SearchNews,
    TellFolders,
    TellSearch,
)
from nbmail.ui.window.app_services import FoundMail
from nbmail.ui.window.bridge import Bridge
from nbmail.values import LocalMailbox, MailServer

MOST, MOST_BYTES = 200, 64_000_000
"""Messages and bytes that are shown of files."""


class _GaveUp(Exception):
    """Nobody waits for the search any more."""


class MailboxSearch:
    """Every call returns at once; what is found is told on the thread of the bridge. `home` is the user's own folder.

    Searches run on threads that nobody waits for: a name's look-up can't be stopped, so a search that was given up
    ends at its next step, and what it says is not passed on.
    """

    def __init__(
        self,
        bridge: Bridge,
        home: Path,
        guess: Callable[[str], list[MailServer]] | None = None,
        *,
        password_of: Callable[[Account], str | None] = lambda account: None,
    ) -> None:
        self._bridge, self._home, self._guess, self._password_of = bridge, home, guess, password_of

    def find_settings(self, address: str, tell: TellSearch) -> GiveUp:
        """Look for the server of a mail address; each step is told, then `ServerFound` or `Refused`."""
        given_up = threading.Event()

        def pass_on(news: SearchNews) -> None:
            if given_up.is_set():
                raise _GaveUp
            self._bridge.call(lambda: None if given_up.is_set() else tell(news))

        self._start("finding", lambda: self._search(address, pass_on))
        return given_up.set

    def find_places(self, tell: Callable[[tuple[LocalMailbox, ...]], None]) -> None:
        """Look for mail that other programs keep on this computer."""

        def look() -> None:
            from nbmail.sync.local.boxes import thunderbird_places

            try:
                found = thunderbird_places(self._home)
            except OSError:  # A profile that can't be read holds no mail for us.
                found = []
            self._bridge.call(lambda: tell(tuple(found)))

        self._start("places", look)

    def read_files(self, paths: tuple[Path, ...], tell: Callable[[FoundMail], None]) -> None:
        """Read the mail in these files and folders."""

        def read() -> None:
            found = read_mail(paths)
            self._bridge.call(lambda: tell(found))

        self._start("files", read)

    def list_folders(self, account: Account, password: str, tell: TellFolders) -> GiveUp:
        """Ask a mailbox which folders it has; without a password, with the one that is known for it."""
        given_up = threading.Event()

        def pass_on(news: FolderNews) -> None:
            self._bridge.call(lambda: None if given_up.is_set() else tell(news))

        self._start("folders", lambda: pass_on(self._ask_for_folders(account, password, pass_on)))
        return given_up.set

    def _ask_for_folders(self, account: Account, password: str, tell: TellFolders) -> FolderNews:
        from nbmail.sync.discovery import list_mailbox
        from nbmail.sync.wake_signal import WakeSignal

        wake_signal = WakeSignal()
        try:
            known = password or ("" if account.path else self._password_of(account))
            if known is None:
                return Refused(ErrorCode.NO_PASSWORD)
            found = list_mailbox(account, known, wake_signal, tell)
        except KnownError as error:
            return Refused(error.error_code, error.detail)
        except OSError as error:
            return Refused(ErrorCode.NOT_FOUND, str(error))
        finally:
            wake_signal.close()
        return found

    def _start(self, name: str, work: Callable[[], None]) -> None:
        threading.Thread(target=work, name=name, daemon=True).start()

    def _search(self, address: str, pass_on: TellSearch) -> None:
        from nbmail.sync import discovery

        try:
            found = discovery.discover(address, pass_on, self._guess or discovery.usual_guesses)
            pass_on(found or Refused())
        except KnownError as error:
            pass_on(Refused(error.error_code))
        except _GaveUp:
            return


def read_mail(paths: tuple[Path, ...]) -> FoundMail:
    """The first messages in these files and folders."""
    found: list[tuple[str, bytes]] = []
    room, problem = MOST_BYTES, ""
    try:
        for name, raw in _messages(paths):
            room -= len(raw)
            if len(found) == MOST or room < 0:
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
