"""Services that the program offers the window: accounts, searches for mailboxes, the desktop."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QImage

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import (
    ConnectionReport,
    FolderCount,
    FolderLine,
    LocalMailbox,
    ServerFound,
    ServerTried,
    SignInPage,
    SignInRequest,
    SourceAsked,
    TryStep,
)


class FoundMail(NamedTuple):
    """Raw messages with the names of their files.

    `more`: some were left out; `problem`: the reason of a failure.
    """

    mails: tuple[tuple[str, bytes], ...]
    more: bool = False
    problem: str = ""


class SearchFailed(NamedTuple):
    """End of an unsuccessful search. `detail`: reply of the server."""

    error_code: ErrorCode | None = None
    detail: str = ""


class LoginStart(NamedTuple):
    """State of the start at login. `problem`: the reason why a change failed."""

    on: bool
    problem: str = ""


SearchEvent = SourceAsked | ServerTried | ServerFound | SearchFailed
"""Queries of sources and attempts to connect to mail servers, then the settings or an error."""
TestEvent = TryStep | FolderCount | tuple[FolderLine, ...] | ConnectionReport | SearchFailed
"""Steps of the connection, then the folders with the inbox first, a report, or an error."""
SignInEvent = SignInPage | Account | SearchFailed
"""Page to open in the browser, then the account with its authorization server, or an error."""
OnSearchEvent = Callable[[SearchEvent], None]
OnTestEvent = Callable[[TestEvent], None]
OnSignInEvent = Callable[[SignInEvent], None]
StopSearch = Callable[[], None]


class Accounts(Protocol):
    """Connections of the mail accounts.

    No method waits; new states arrive as `AccountState` events.
    """

    def add(self, account: Account, password: str) -> None:
        """Connect a new account. `password`: empty for a local mailbox."""

    def change(self, account: Account, password: str) -> None:
        """Apply changed settings of an account. An empty `password` keeps the stored one."""

    def remove(self, name: str) -> None:
        """Disconnect an account, then remove its mail from the list."""

    def set_password(self, name: str, password: str) -> None:
        """Retry with a password that the user typed."""

    def check_mail(self) -> None:
        """Look for new mail in all accounts now."""

    def pause_training(self, name: str, paused: bool) -> None:
        """Pause or resume learning from the folders of an account."""


class MailboxSearch(Protocol):
    """Background searches.

    Callbacks are called on the GUI thread; none after the final result of a search.
    """

    def find_settings(
        self, address: str, on_result: OnSearchEvent, directory: bool = False
    ) -> StopSearch:
        """Find the mail server of an address. `on_result` is called with each step, then with the
        result.

        `directory`: ask only Thunderbird's directory, which learns the domain of the address.
        """

    def sign_in(
        self,
        account: Account,
        request: SignInRequest,
        page: tuple[str, str],
        on_result: OnSignInEvent,
    ) -> StopSearch:
        """Sign in and store the sign-in.

        `page`: texts that the browser shows after success and after failure.
        """

    def forget_sign_in(self, account: Account) -> None:
        """Delete the sign-in of an account that was not added."""

    def test_account(
        self, account: Account, password: str, on_result: OnTestEvent, *, examine: bool = False
    ) -> StopSearch:
        """List the folders of a mailbox, or the abilities of its server.

        An empty `password` is the stored one.
        """

    def find_places(self, on_result: Callable[[tuple[LocalMailbox, ...]], None]) -> None:
        """Find mail of other programs on this computer."""


class Desktop(Protocol):
    """Files, pictures, requests to the web, and programs.

    Callbacks are called on the GUI thread.
    """

    def read_files(self, paths: tuple[Path, ...], on_result: Callable[[FoundMail], None]) -> None:
        """Read the mail in files and folders."""

    def load_pictures(
        self, sources: Mapping[str, str | bytes], on_picture: Callable[[str, QImage | None], None]
    ) -> StopSearch:
        """Load and decode pictures.

        `on_picture`: called once for each source, with None if it can't be shown.
        """

    def unsubscribe(self, address: str, on_result: Callable[[int | ErrorCode], None]) -> None:
        """Send a one-click request to a public https address.

        The result is the status of the answer, or an error.
        """

    def start_at_login(
        self, wanted: bool | None, on_result: Callable[[LoginStart | None], None]
    ) -> None:
        """Change whether the system starts nbmail at login; None only reads it.

        The result is None where none can.
        """

    def open_program(self, *, demo: bool) -> bool:
        """Open a made-up mailbox, or the user's own mail, in a second process.

        False if the demo is not installed.
        """


def open_address(address: str) -> None:
    """Open a web address in the browser."""
    QDesktopServices.openUrl(QUrl(address))


def open_file(path: Path) -> None:
    """Open a file in the program that the desktop uses for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
